"""Where the pages get their games: from the store, a permalink or the samples."""
