"""A program that asks in somebody's name, by a token."""

import json
import re

from visitor import PASSWORD, Visitor


class Program(Visitor):
    """Sends and gets JSON, as a program does that has no cookies."""

    def __init__(self, portal, token=None, **others):
        super().__init__(portal, **others)
        self.token = token

    def ask(self, method, target, value=None, headers=None):
        """A body that is text or bytes is sent as it is, anything else as JSON."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        raw = isinstance(value, (str, bytes)) or value is None
        answer = self.request(method, target, value if raw else json.dumps(value), sent)
        answer.json = json.loads(answer.text) if answer.body else None
        return answer


def make_token(person, name="Spreadsheet", **scopes):
    """Makes a token through its page; `scopes` are `read` or `write`, by module."""
    fields = {"name": name, "lifetime": "year", "current_password": PASSWORD}
    fields.update({f"scope-{module}": scope for module, scope in scopes.items()})
    answer = person.submit("/account/tokens/new", fields)
    assert answer.status == 200, f"{answer.status}\n{answer.text}"
    return re.search(r"polyclinic_[\w-]{43}", answer.text)[0]
