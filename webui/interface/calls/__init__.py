"""What the operations of the interface do; each is a few lines around what the pages do, too."""
