"""A failing assertion about a page prints its words instead of its HTML."""

import pytest

from visitor import Markup

PAGE = Markup(
    "<html><head><title>Portal</title></head><main><h1>Contacts</h1><script>show()</script>"
    "<p>Mother &amp; <b>father</b></p></main></html>")


def test_a_failing_search_in_a_page_prints_the_words_of_its_main_element():
    with pytest.raises(AssertionError) as failure:
        assert "Vera" in PAGE
    assert "'Vera' in the page" in str(failure.value)
    assert "Contacts Mother & father" in str(failure.value)
    assert "<h1>" not in str(failure.value)


def test_a_failing_status_prints_the_words_of_the_page(person):
    answer = person().get("/contacts")
    with pytest.raises(AssertionError) as failure:
        assert answer.status == 404, answer
    assert str(failure.value).startswith("200: Contacts") and "<main" not in str(failure.value)
