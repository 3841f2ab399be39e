"""Games as the pages get them: stored, uploaded, carried in an address, or from the samples."""
