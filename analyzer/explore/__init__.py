"""Explore: any measure by any dimension with any filter. Each measure and each dimension is one small SQL file."""
