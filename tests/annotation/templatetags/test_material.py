import pytest
from django.utils import translation

from annotation.templatetags.material import paragraphs


def test_each_line_is_a_paragraph_with_its_own_direction_and_nothing_is_markup():
    html = paragraphs("<b>One</b>\n\n \nשלום")

    assert html == '<p dir="auto">&lt;b&gt;One&lt;/b&gt;</p>\n<p dir="auto">שלום</p>'


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_says_so_in_the_language_of_the_page(text):
    assert "The text is empty." in paragraphs(text)
    with translation.override("ar"):
        assert 'dir="auto" lang="ar">(النص فارغ.)</p>' in paragraphs(text)
