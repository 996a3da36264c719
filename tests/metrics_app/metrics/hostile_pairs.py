"""Pairs of an output and a reference that tokenizers stumble over, made by a seed."""

import numpy as np

_LATIN_LINE = (
    "the a cat dogs running quickly meeting Friday's re-do U.S. 3.14 1,000 naïve Café résumé "
    "don't e-mail http://x.y/z a_b foo&amp;bar &quot;hi&quot; <unk> $5 50% C++ #tag @you -- “so” "
    "generalizations relational conditional happiness skies dying agreed did done"
)
LATIN = _LATIN_LINE.split()
HOSTILE = [
    "\u0130", "\u212a", "\x00", "\u202e", "\ufeff", "\u200b", "\u00a0", "\u2028", "\x0b", "\x1c",
    "\x85", "\r", "\n", "\t", "\ud800", "e\u0301", "ß", "ﬁ", "ſ", "Σς", "½", "²", "Ⅷ", "\U0001d400",
    "\u0dca", "न", "की", "ก็", "ﷺ", "A\u030a",
]  # fmt: skip
POOLS = {
    "latin": LATIN,
    "unspaced": [*"委员会于星期一开会日本語テスト한국어시험", "中文", "。", "，"],
    "right to left": "اجتمعت اللجنة يوم الاثنين שלום עולם ١٢٣ ،".split(),  # noqa: SIM905 -- a line from right to left
    "pictures": ["👍", "🎉", "👩‍👩‍👧", "🏳️‍🌈", "1️⃣", "🇩🇪", "👍🏽", "☃"],
    "marks only": [*"!?.,;:-_()[]{}<>/\\|@#$%^&*~`'\"+=", "...", "—", "¿", "``", "''"],
    "hostile": [*HOSTILE, *LATIN[:8]],
}
POOLS["mixed"] = [token for pool in POOLS.values() for token in pool]
SPACES = [" ", " ", " ", "", "  ", "\n", "\t"]
LENGTHS = [0, 1, 2, 3, 5, 8, 15, 30, 30, 60]


def hostile_pairs(number, seed):
    """Return pairs (output, reference): equal, edited, upper-cased or unrelated, some empty."""
    rng = np.random.default_rng(seed)
    return [_pair(rng) for _ in range(number)]


def _pair(rng):
    pool = POOLS[rng.choice(list(POOLS))]
    output = _text(rng, pool, 400 if rng.random() < 0.002 else rng.choice(LENGTHS))
    kind = rng.random()
    if kind < 0.1:
        return output, output
    if kind < 0.15:
        return output, output.upper()
    return output, _edited(rng, output, pool) if kind < 0.55 else _text(
        rng, pool, rng.choice(LENGTHS)
    )


def _text(rng, pool, length):
    return "".join(
        pool[rng.integers(len(pool))] + SPACES[rng.integers(len(SPACES))] for _ in range(length)
    )


def _edited(rng, text, pool):
    words = text.split(" ")
    for _ in range(rng.integers(1, 6)):
        words[rng.integers(len(words))] = pool[rng.integers(len(pool))]
    start, place = rng.integers(len(words), size=2)
    phrase = words[start : start + 4]
    del words[start : start + 4]
    words[place:place] = phrase
    return " ".join(words)
