"""What the names of files and folders say of the texts in them."""

SOURCES = frozenset(("source", "sources", "src", "input", "inputs", "articles", "documents"))
REFERENCES = frozenset((
    "reference", "references", "ref", "refs", "gold", "golds", "target", "targets", "tgt",
))  # fmt: skip
FIRST_OF_REFERENCES = frozenset(("reference", "ref", "gold"))
IDS = frozenset(("ids", "id", "item_ids", "doc_ids", "items"))
SOURCE_SUFFIXES = frozenset((".src", ".source"))
REFERENCE_SUFFIXES = frozenset((".ref", ".reference", ".tgt", ".target", ".gold"))
OUTPUT_SUFFIXES = frozenset((".txt", ".out", ".output", ".hyp", ".hypo", ".pred", ".dec", ".sys"))
SUFFIXES = SOURCE_SUFFIXES | REFERENCE_SUFFIXES | OUTPUT_SUFFIXES
