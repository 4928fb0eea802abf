"""The languages and sizes in which pages are tried."""

import pytest

from browsers import DESKTOP, PHONE, SMALL

LANGUAGES = ["en", "ru", "he"]
SIZES = [SMALL, PHONE, DESKTOP]


def parametrized(names, ways, first):
    """Parametrizes a test by all ways. `make test` takes only the first ones, `make check WAYS=all` the others."""
    assert set(first) <= set(ways)
    others = [pytest.mark.long, pytest.mark.way]
    return pytest.mark.parametrize(names, [
        pytest.param(*way, marks=[] if way in first else others, id="-".join(map(word, way))) for way in ways])


def word(value):
    if isinstance(value, tuple):
        return str(value[0])
    return getattr(value, "__name__", str(value))


# Nine ways, of which the first ones have each language and each size.
each_language_and_size = parametrized(
    "language, size", [(language, size) for language in LANGUAGES for size in SIZES],
    [("en", SMALL), ("ru", PHONE), ("he", DESKTOP)])

# For pages that are only looked at: first the narrowest in the longest words and the widest from right to left.
each_layout = parametrized(
    "language, size", [(language, size) for language in LANGUAGES for size in SIZES],
    [("ru", SMALL), ("he", DESKTOP)])

# Both directions of writing, then the third language.
each_language = parametrized("language", [(language,) for language in LANGUAGES], [("en",), ("he",)])
