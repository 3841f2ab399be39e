"""Where the pages get their games: from the store, an upload, a permalink or the samples."""
