"""Which newlines a file has."""

from dataclasses import dataclass

import numpy as np

LINE_FEED, CARRIAGE_RETURN = b"\n\r"


@dataclass(slots=True)
class Newlines:
    """The newlines met so far; those of Windows are counted with both of their signs too."""

    n_crlf: int = 0
    n_cr: int = 0
    n_lf: int = 0
    _ends_in_cr: bool = False

    @property
    def kinds(self) -> str:
        """The kinds of newlines, such as ``CRLF and LF``."""
        pure = {
            "CRLF": self.n_crlf,
            "CR": self.n_cr - self.n_crlf,
            "LF": self.n_lf - self.n_crlf,
        }
        return " and ".join(name for name, n in pure.items() if n > 0)

    def add(self, block: bytes) -> bool:
        """Count those of the next bytes; return whether there are any."""
        # As arrays they are counted four times as fast as by `bytes.count`.
        signs = np.frombuffer(block, np.uint8)
        are_lf = signs == LINE_FEED
        n_lf, n_cr = int(np.count_nonzero(are_lf)), 0
        self.n_crlf += self._ends_in_cr and block.startswith(b"\n")
        self._ends_in_cr = block.endswith(b"\r")
        if b"\r" in block:
            are_cr = signs == CARRIAGE_RETURN
            n_cr = int(np.count_nonzero(are_cr))
            self.n_crlf += int(np.count_nonzero(are_cr[:-1] & are_lf[1:]))
        self.n_lf += n_lf
        self.n_cr += n_cr
        return n_lf + n_cr > 0
