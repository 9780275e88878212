"""The product: from bytes of an upload to an answer; what is not the pipeline (faces, local stack) lives elsewhere."""

__version__ = "0.1.0"
