"""Real configurations read from end to end and counted (`make corpora`); no part of the product stands here."""
