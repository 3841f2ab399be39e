"""Rule sheets in English: the sentence for each word of the vocabulary."""
