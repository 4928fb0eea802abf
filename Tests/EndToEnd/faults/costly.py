"""Text that is costly to compare, normalize or take apart, wherever somebody may send some."""

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from visitor import Visitor

from faults.report import Report
from faults.stage import fault

# Processor time in seconds that one text may cost a request, beyond what a short one costs it: judged
# in the long form; in the short one what no machine is too slow for.
MOST = {"long": 0.050, "short": 0.200}
SIZE = 64_000
# nginx takes header fields and addresses up to so much.
HEADER = 7_500
MARKS = "\u0315\u0300\u05ae\u0316"

SHAPES = {
    "mixed marks": "a" + MARKS * SIZE,
    "marks that decompose": "a" + "\u0f73\u0f71" * SIZE,
    "marks in runs that are allowed": ("a" + MARKS * 7) * SIZE,
    "marks between escapes": ("a" + MARKS * 7 + "\\") * SIZE,
    "marks between controls": (MARKS * 7 + "\u202a") * SIZE,
    "marks between half signs": (MARKS * 7 + "\u200d") * SIZE,
    "digits": "1" * SIZE,
    "digits behind a point": "0." + "0" * SIZE + "1",
    "digits of another script": "\u0663" * SIZE,
    "signs": "-" * SIZE,
    "blanks": " " * SIZE,
    "wide blanks": "x" + "\u3000" * SIZE + "x",
    "line ends": "\r\n" * SIZE,
    "emoji families": "\U0001f469\u200d" * SIZE,
    "emoji of all colours": "\U0001f44d\U0001f3fd" * SIZE,
    "flags": "\U0001f1ee\U0001f1f1" * SIZE,
    "Hangul jamo": "\u1100" * SIZE + "\u1161" * SIZE,
    "Hangul syllables": "\u1100\u1161\u11a8" * SIZE,
    "conjuncts": "\u0915\u094d" * SIZE,
    "right-to-left marks": "\u200f\u202b" * SIZE,
    "letters that decompose": "\ufdfa\u1faf" * SIZE,
    "letters that grow": "\u0130\u00df" * SIZE,
    "dots": "a." * SIZE,
    "at signs": "@a" * SIZE,
    "quotation marks": '"' * SIZE,
    "separators": ";," * SIZE,
    "colons": ":" * SIZE,
    "percent signs": "%25" * SIZE,
    "angle brackets": "<>" * SIZE,
    "slashes": "/../" * SIZE,
}


def shaped(name, size=SIZE):
    """A text of that shape, of so many bytes at most."""
    return SHAPES[name][:size].encode()[:size].decode(errors="ignore")


class Meter:
    """Processor time of a portal's workers."""

    def __init__(self, portal):
        self.portal = portal

    def used(self):
        """In seconds, by all threads that live; those of a worker live as long as it does."""
        total = 0
        for pid in self.portal.workers:
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(FileNotFoundError):
                    total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def cost(self, send):
        before = self.used()
        answer = send()
        return answer, self.used() - before


class Siege:
    """Sends each shape into each place, and keeps what cost too much or was no answer."""

    def __init__(self, stage, town):
        self.town = town
        self.meter = Meter(town.portal)
        # A few for each place, in turn, so that all get to many places.
        self.names = list(SHAPES)
        self.count_at_once = stage.pick(2, 8)
        self.most = MOST[stage.form]
        self.sent = self.places = 0
        self.worst = (0, "")
        self.breaches = []

    def shapes(self):
        """"mixed marks", and the next of the others."""
        first = 1 + self.places * (self.count_at_once - 1)
        others = self.names[1:]
        return ["mixed marks"] + [
            others[(first + step) % len(others)] for step in range(self.count_at_once - 1)]

    def attack(self, place, send, requests=1):
        """`send` makes so many requests of a text."""
        _, ordinary = self.meter.cost(lambda: send("x"))
        for name in self.shapes():
            text = shaped(name, HEADER if place.startswith(("header", "query")) else SIZE)
            answer, cost = self.meter.cost(lambda: send(text))
            if (cost - ordinary) / requests > self.most:
                # Repeats the text, because other processes may have used the time.
                answer, again = self.meter.cost(lambda: send(text))
                cost = min(cost, again)
            self.sent += 1
            extra = (cost - ordinary) / requests
            self.worst = max(self.worst, (extra, f"{name} in {place}"))
            if extra > self.most:
                self.breaches.append(f"{name} in {place}: {extra * 1000:.0f} ms")
            if answer.status >= 500:
                self.breaches.append(f"{name} in {place}: {answer.status}")
        self.places += 1


def signed_in(town, role):
    if role == "nobody":
        return Visitor(town.portal)
    return town.signed_in(town.people(role)[0])


def general(path):
    """The route of an address, for all records one: numbers, tokens and days are values."""
    return re.sub(r"/(\d[\d-]*|[\w-]{20,})(?=/|$)", "/{}", urlsplit(path).path)


class Walk:
    """All pages that lead from one to the next, each route once, and their forms."""

    START = ["/", "/account", "/account/tokens/new", "/appointments", "/contacts", "/health-metrics",
             "/account/deleted", "/notifications", "/admin"]
    # A form that is taken here ends the walk, or takes pages away; both have no field of their own.
    LEFT_OUT = re.compile(r"/logout|/admin/modules/.*")

    def __init__(self, visitor, known):
        self.visitor = visitor
        self.forms, self.queries = [], {}
        waiting, seen = list(self.START), set()
        while waiting:
            path = waiting.pop(0)
            place = (general(path), tuple(sorted(name for name, _ in parse_qsl(urlsplit(path).query))))
            if place in seen or len(seen) > 400:
                continue
            seen.add(place)
            self.queries.setdefault(general(path), path)
            answer = visitor.get(path)
            if answer.status != 200 or "text/html" not in answer.headers.get("Content-Type", ""):
                continue
            waiting += answer.links(r'/[^"#]*')
            for action, fields in answer.forms:
                self.keep(path, action or urlsplit(path).path, fields, known)

    def keep(self, page, action, fields, known):
        names = tuple(sorted({name for name, _ in fields}))
        key = (general(action), names)
        if self.LEFT_OUT.fullmatch(action) or key in known:
            return
        known.add(key)
        self.forms.append((page, action, fields))


def attack_forms(siege, role, known):
    visitor = signed_in(siege.town, role)
    walk = Walk(visitor, known)
    for page, action, fields in walk.forms:
        names = list(dict.fromkeys(name for name, _ in fields))
        for hostile in [*names, None]:
            def send(text, hostile=hostile):
                kept = [(name, value) for name, value in fields if name != hostile]
                return visitor.post(action, [*kept, (hostile or text[:150], text)])

            siege.attack(f"field {hostile or 'of a costly name'} of {action} as {role}", send)
            # An accepted request may have ended the session.
            if role != "nobody" and visitor.get("/account").status != 200:
                visitor = signed_in(siege.town, role)
                fields = renewed(visitor, page, action, fields)
    return walk


def renewed(visitor, page, action, fields):
    """The same form for another session; the old one where its page is gone."""
    for where, found in visitor.get(page).forms:
        if general(where or page) == general(action):
            return found
    return fields


def attack_buttons(siege, routes, names):
    """The routes to which no form led: each field that any form has, one by one and all at once."""
    visitor = signed_in(siege.town, "administrator")
    token = dict(visitor.get("/account").fields("/logout"))["csrf"]
    for route in routes:
        path = route.replace("{}", "1")
        for name in ["csrf", "person", None]:
            def one(text, name=name):
                sent = {"csrf": token, name or text[:50]: text}
                return visitor.post(path, list(sent.items()))

            siege.attack(f"field {name or 'of a costly name'} of {route}", one)

        def every(text):
            share = text[:len(text) // len(names)]
            return visitor.post(path, {**{name: share for name in names}, "csrf": token})

        siege.attack(f"all fields of {route}", every)
        if visitor.get("/account").status != 200:
            visitor = signed_in(siege.town, "administrator")
            token = dict(visitor.get("/account").fields("/logout"))["csrf"]


def attack_queries(siege, role, walk):
    visitor = signed_in(siege.town, role)
    names = {name for path in walk.queries.values() for name, _ in parse_qsl(urlsplit(path).query)}
    for route, path in walk.queries.items():
        place = urlsplit(path).path
        for name in sorted(names | {"q", "page", "date", "deleted", "cursor"}):
            # Each byte of it may take three in an address.
            siege.attack(f"query {name} of {route} as {role}", lambda text, name=name: visitor.get(
                f"{place}?{urlencode({name: text[:HEADER // 9]})}"))


def attack_headers(siege):
    visitor = signed_in(siege.town, "patient")
    names = ["Accept-Language", "User-Agent", "Origin", "Content-Type", "Sec-Fetch-Site", "Referer",
             "Authorization", "If-Match", "Idempotency-Key", "X-CSRF-Token", "Cookie", "Host"]
    for method, target in [("GET", "/contacts"), ("POST", "/contacts/new"),
                           ("PUT", "/api/v1/contacts/1"), ("GET", "/api/v1/contacts")]:
        for name in names:
            def send(text, name=name):
                return visitor.request(
                    method, target, b"" if method != "GET" else None,
                    {name: re.sub(rb"[\r\n\0]", b" ", text.encode())})

            siege.attack(f"header {name} of {method} {target}", send)


def attack_programs(siege):
    """Every member of every body that the API's description names, and names of members themselves."""
    visitor = signed_in(siege.town, "patient")
    described = json.loads(visitor.get("/api/v1/openapi.json").text)
    token = dict(visitor.get("/account").fields("/logout"))["csrf"]

    def ask(method, path, value):
        return visitor.request(method, path, json.dumps(value, ensure_ascii=False).encode(), {
            "Content-Type": "application/json", "X-CSRF-Token": token, "If-Match": "*"})

    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method not in ("post", "put", "patch"):
                continue
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            schema = resolved(body.get("schema", {}), described)
            target, method = path.replace("{id}", "1"), method.upper()
            for name, member in schema.get("properties", {}).items():
                rows = resolved(resolved(member, described).get("items", {}), described)
                for column in rows.get("properties", {}):
                    siege.attack(f"member {name}/{column} of {method} {path}", lambda text: ask(
                        method, target, {name: [{column: text}]}))
                siege.attack(
                    f"member {name} of {method} {path}", lambda text: ask(method, target, {name: text}))
                siege.attack(f"number {name} of {method} {path}", lambda text: visitor.request(
                    method, target, f'{{"{name}":{"1" * len(text)}.{"0" * len(text)}1}}'.encode(),
                    {"Content-Type": "application/json", "X-CSRF-Token": token, "If-Match": "*"}))
            siege.attack(
                f"name of a member of {method} {path}", lambda text: ask(method, target, {text: "x"}))


def resolved(schema, described):
    while "$ref" in schema:
        place = described
        for part in schema["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        schema = place
    return schema


TABLES = {
    "/health-metrics/weights/import": ["measured_at", "date", "time", "value", "unit", "note"],
    "/health-metrics/blood-pressure/import":
        ["measured_at", "systolic", "diastolic", "pulse", "arm", "note", "timestampUnixMs"],
}
PROPERTIES = [
    "VERSION", "FN", "N", "NICKNAME", "BDAY", "ANNIVERSARY", "TEL", "EMAIL", "IMPP", "ADR", "ORG", "TITLE",
    "NOTE", "CATEGORIES", "URL", "PHOTO", "UID", "REV", "KIND", "X-SOCIALPROFILE", "item1.X-ABLabel",
    "GEO", "TZ", "LANG", "RELATED", "KEY", "TEL;TYPE=", "NOTE;CHARSET=", "NOTE;ENCODING=", ""]


def attack_files(siege):
    """Every column of a table and every property of a card, in files that are sent and then looked at."""
    visitor = signed_in(siege.town, "patient")

    def send(page, content):
        boundary = "polyclinic-boundary"
        shown = visitor.get(page)
        assert shown.status == 200, f"{page}: {shown.status}"
        parts = [(name, None, value) for name, value in shown.fields(page) if name != "file"]
        body = b"".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, _, value in parts)
        body += (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'.encode()
                 + content + f"\r\n--{boundary}--\r\n".encode())
        answer = visitor.request(
            "POST", page, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        if answer.status == 303:
            return visitor.get(answer.location)
        return answer

    for page, columns in TABLES.items():
        for column in columns:
            values = {"measured_at": "2026-05-04T08:00:00+03:00", "value": "72", "unit": "kg",
                      "systolic": "120", "diastolic": "80"}

            def table(text, column=column):
                row = {**values, column: text}
                quoted = ['"' + value.replace('"', '""') + '"' for value in row.values()]
                return send(page, ",".join(row).encode() + b"\n" + ",".join(quoted).encode() + b"\n")

            siege.attack(f"column {column} of {page}", table, requests=2)
        siege.attack(f"column's name of {page}", lambda text: send(
            page, b'measured_at,"' + text.replace('"', "").encode() + b'"\n1,2\n'), requests=2)
    for name in PROPERTIES:
        def card(text, name=name):
            line = re.sub(r"[\r\n]", " ", text)
            body = f"{name}{line}:x" if name.endswith("=") else f"{name}:{line}"
            return send("/contacts/import", (
                f"BEGIN:VCARD\r\nVERSION:3.0\r\n{body}\r\nFN:Vera\r\nEND:VCARD\r\n").encode())

        siege.attack(f"property {name} of a card", card, requests=2)


@fault("costly text in every field, member, column, property and header", takes_long=True)
def costly(stage):
    with stage.town() as town:
        siege = Siege(stage, town)
        known = set()
        walk = attack_forms(siege, "patient", known)
        attack_queries(siege, "patient", walk)
        attack_programs(siege)
        attack_files(siege)
        attack_headers(siege)
        for role in ["nobody", "doctor", "receptionist", "administrator"]:
            attack_forms(siege, role, known)
        found = {action for action, _ in known}
        names = sorted({name for _, names in known for name in names})
        attack_buttons(siege, sorted(form_routes(town.portal) - found), names)
        report = Report(f"{siege.sent} texts, {siege.places} places")
        report.saw = f"at most {siege.worst[0] * 1000:.0f} ms, by {siege.worst[1]}"
        for breach in siege.breaches:
            report.require(False, breach)
        report.require(len(found) > 40, f"only {len(found)} routes were reached by a form")
        return report


def form_routes(portal):
    """All routes that take forms, as the portal counts them."""
    counted = (portal.data / "run" / "counters").read_bytes()
    found = re.findall(rb"request POST (/[^\0]*)", counted)
    routes = {re.sub(r"\{[^}]*\}", "{}", path.decode()) for path in found}
    return {route for route in routes if not route.startswith("/api/") and route != "/logout"}
