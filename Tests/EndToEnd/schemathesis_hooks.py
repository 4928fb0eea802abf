"""Rotates tokens between requests, because one token would reach its rate limit."""

import itertools
import os

import schemathesis

TOKENS = itertools.cycle(os.environ["TOKENS"].split())


@schemathesis.auth()
class Bearer:
    def get(self, case, context):
        return next(TOKENS)

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {next(TOKENS)}"
