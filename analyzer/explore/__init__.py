"""Explore: any metric by any dimension with any filter; a metric or a dimension is one small file."""
