"""litsette's loader: files of paper abstracts in, one SQLite database out."""

__version__ = "0.1.0"
