"""SIGKILL under load: nothing acknowledged is lost, nothing is stored twice.

``python -m tests.proof.kill [--seed N] [--outputs N] [--judges N] [--kills N]`` starts a PostgreSQL
of its own and a web server on it, lets judges rate a study over HTTP to its end, and meanwhile
kills one worker of the web server, all of it, or the whole database, N times each. Each judge
repeats an unanswered request, with the UUID it had, until it is acknowledged. Then what the judges
were told is held against what is stored. The same follows on SQLite, which has no process of its
own to kill. Status 1 where anything is lost, doubled or deviates.
"""

import argparse
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.load.judge import Enough
from tests.load.postgres import private_postgres
from tests.load.site import Site
from tests.load.study import DIMENSIONS, K
from tests.proof.ledger import Ledger, StubbornJudge

COLUMNS = [
    "database",
    "workers",
    "web",
    "databases",
    "rated",
    "requests",
    "acknowledged",
    "seconds",
]
FINDINGS = ["lost", "doubled", "hand-ins lost", "units not at k", "deviations"]


def main():
    options = read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # servers go down with us
    columns = [*COLUMNS, *FINDINGS]
    print(f"seed {options.seed}, {options.outputs} outputs x {K}, {options.judges} judges")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
    sound = True
    for database in (private_postgres, contextlib.nullcontext):
        with database() as postgres:
            row = run(options, postgres)
        print(f"| {' | '.join(str(row[column]) for column in columns)} |", flush=True)
        sound &= not any(row[finding] for finding in FINDINGS)
    return 0 if sound else 1


def read_options():
    parser = argparse.ArgumentParser(description="SIGKILL web server and database under load.")
    for name, default in {"seed": 1, "outputs": 160, "judges": 12, "kills": 5}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def run(options, postgres):
    """Let the judges rate everything while the kills go on; return the row of the table."""
    rng = random.Random(options.seed)  # noqa: S311 -- a plan, not a secret
    with tempfile.TemporaryDirectory() as folder:
        site = Site(folder, database_url=postgres.url if postgres else "")
        tokens = site.prepare(n_outputs=options.outputs, n_judges=options.judges)["tokens"]
        ledger, enough = Ledger(), Enough(options.outputs * K)
        started = time.monotonic()
        with site.running():
            judges = [
                StubbornJudge(site.port, token, enough, ledger=ledger, seed=rng.getrandbits(32))
                for token in tokens
            ]
            for judge in judges:
                judge.start()
            n_ratings = options.outputs * K * len(DIMENSIONS)
            for moment, act in plan(rng, options.kills, n_ratings, with_database=bool(postgres)):
                wait_for(ledger, moment, judges)
                time.sleep(rng.uniform(0, 0.05))
                act(site, postgres, rng)
                print(".", end="", file=sys.stderr, flush=True)
            for judge in judges:
                judge.join()
        seconds = time.monotonic() - started
        refuse_faults(judges)
        (Path(folder) / "ledger.json").write_text(ledger.as_json())
        found = site.python("-m", "tests.proof.verify", f"{folder}/ledger.json")
    return {
        "database": "PostgreSQL" if postgres else "SQLite",
        "workers": options.kills,
        "web": options.kills,
        "databases": options.kills if postgres else "-",
        "rated": len(ledger.handed_in),
        "requests": ledger.n_tries,
        "acknowledged": ledger.n_acknowledged,
        "seconds": round(seconds),
        **json.loads(found.stdout.splitlines()[-1]),
    }


def plan(rng, n_each, n_ratings, *, with_database):
    """Return the kills in order, each with the number of acknowledged ratings it waits for."""
    acts = [kill_worker, kill_web, *([kill_database] if with_database else [])] * n_each
    rng.shuffle(acts)
    # The last tenth is left alone: a kill after the last judge has gone would prove nothing.
    moments = sorted(rng.sample(range(5, n_ratings * 9 // 10), len(acts)))
    return zip(moments, acts, strict=True)


def kill_worker(site, _postgres, rng):
    site.kill_worker(rng)


def kill_web(site, _postgres, _rng):
    site.kill()
    site.start()


def kill_database(_site, postgres, _rng):
    postgres.kill()
    postgres.start()


def wait_for(ledger, n_acknowledged, judges):
    while ledger.n_acknowledged < n_acknowledged:
        refuse_faults(judges)
        time.sleep(0.002)


def refuse_faults(judges):
    for judge in judges:
        if judge.fault is not None:
            raise judge.fault


if __name__ == "__main__":
    sys.exit(main())
