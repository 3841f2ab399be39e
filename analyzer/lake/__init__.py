"""Lakes: games in Parquet files that many processes write at once, in a folder or an object store."""
