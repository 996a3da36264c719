from hypothesis import given
from hypothesis import strategies as st

from annotation.importing.look_over import suspects
from annotation.importing.suspicions import ANY_SIGN, GROUPS_OF_DIGITS

TEXT = st.text("ab\n 0159.-<[&@é\u2581\u0120\u0660\u0661😀", max_size=12)
TEXTS = st.lists(TEXT | st.text(max_size=6), max_size=8)


@given(TEXTS)
def test_what_is_found_at_once_is_what_the_patterns_find(texts):
    assert suspects(texts) == {
        at
        for at, text in enumerate(texts)
        if ANY_SIGN.search(text) or GROUPS_OF_DIGITS.search(text)
    }


def test_a_text_that_cannot_be_encoded_is_a_suspect():
    assert suspects(["fine", "half \ud83d", "a"]) == {1}


def test_digits_of_other_scripts_make_groups_too():
    assert suspects(["\u0661 \u0660\u0661\u0662\u0663", "5 1234", "5 123"]) == {0, 1}
