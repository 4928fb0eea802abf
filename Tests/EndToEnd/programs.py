"""A client of the JSON API that authenticates with a token."""

import json
import re

from visitor import PASSWORD, Visitor


class Program(Visitor):
    """A client that sends and receives JSON and has no session cookie."""

    def __init__(self, portal, token=None, **others):
        super().__init__(portal, **others)
        self.token = token

    def ask(self, method, target, value=None, headers=None):
        """Sends a request; a text or bytes value is sent unchanged, anything else as JSON."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        raw = isinstance(value, (str, bytes)) or value is None
        answer = self.request(method, target, value if raw else json.dumps(value), sent)
        answer.json = json.loads(answer.text) if answer.body else None
        return answer


def make_token(person, name="Spreadsheet", **scopes):
    """Creates a token by its page; `scopes` maps modules to `read` or `write`."""
    fields = {"name": name, "lifetime": "year", "current_password": PASSWORD}
    fields.update({f"scope-{module}": scope for module, scope in scopes.items()})
    answer = person.submit("/account/tokens/new", fields)
    assert answer.status == 200, answer
    return re.search(r"polyclinic_[\w-]{43}", answer.text)[0]
