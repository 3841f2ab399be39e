"""The documents and the specification on the site: their pages as HTML, and the search in them."""
