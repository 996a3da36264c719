"""A broker in Python for machines without any redis-server: ``... fake_broker PORT``."""

import sys

from fakeredis import TcpFakeServer


def main(port: str) -> None:
    """Serve until the process is told to stop."""
    TcpFakeServer(("127.0.0.1", int(port)), server_type="redis").serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
