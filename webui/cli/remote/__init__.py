"""Commands that ask a site by its interface, with `bezique --server ADDRESS`, in place of a data folder."""
