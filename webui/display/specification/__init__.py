"""The specification on the site: its pages as HTML, and the search in them."""
