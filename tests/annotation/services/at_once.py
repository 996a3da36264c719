"""Acts of several people at the same moment."""

import threading

from django.core.exceptions import ValidationError
from django.db import connections


def at_once(*acts):
    """Do the acts at once, each in a thread of its own; return what became of them, sorted."""
    barrier, answers = threading.Barrier(len(acts)), []

    def run(act):
        barrier.wait()
        try:
            act()
            answers.append("done")
        except ValidationError as refusal:
            answers.append(refusal.messages[0])
        except Exception as fault:  # noqa: BLE001 -- a thread's fault is the test's finding
            answers.append(repr(fault))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return sorted(answers)
