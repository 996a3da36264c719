"""Neutral names: one a system, the same each time, in an order that tells nothing."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.design.blinding import neutral_names

NAMES = ["bart", "gpt", "human", "pegasus", "t5"]


@given(st.sets(st.text(), max_size=60), st.text())
def test_every_system_gets_a_name_of_its_own(keys, secret):
    names = neutral_names(keys, secret)

    assert set(names) == keys
    assert len(set(names.values())) == len(keys)
    assert not keys or "System A" in names.values()


def test_the_order_is_that_of_the_secret_not_of_the_names():
    orders = {tuple(neutral_names(NAMES, str(secret))) for secret in range(20)}

    assert len(orders) > 10
    assert neutral_names(NAMES, "s") == neutral_names(reversed(NAMES), "s")


def test_after_z_come_two_letters():
    names = sorted(neutral_names([str(n) for n in range(28)], "s").values(), key=len)

    assert names[-2:] == ["System AA", "System AB"] or names[-2:] == ["System AB", "System AA"]
