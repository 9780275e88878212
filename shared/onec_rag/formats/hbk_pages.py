"""Pages of the platform's help as they lie in a staged archive: one file a page, below the name of their book."""

import re

BOOK_FOLDER = re.compile(r"(?:.*/)?[^/]+\.hbk/.", re.DOTALL | re.IGNORECASE)
"""A path of such a page begins so."""
