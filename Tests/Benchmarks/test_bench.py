"""The measuring is seen refusing what it must not take for a figure."""

import unittest
from types import SimpleNamespace

import country_templates
import pages
import postgresql
import templates
from bookings import times
from countries import CODES, choice
from measuring import Round
from people import contacts, found
from table import COLUMNS, HEAD, Comparison, figure, plain


def rounds(*times, nginx=0, rate=1000, saves=0):
    return [Round(100, time, time + nginx, rate, 500, 2000, 300, saves, saves) for time in times]


def compared(aim, one, other, **others):
    return "\n".join(Comparison(pages.Row("page", "page", aim, **others), one, other).lines())


class TemplateTests(unittest.TestCase):
    def setUp(self):
        self.people = contacts(1)[:4]

    def page(self):
        rows = [
            f'<li><a href="/contacts/{one.id}"><i class="hue-{one.hue}" aria-hidden="true">{one.initials}</i>'
            f'<b>{templates.escaped(one.name)}</b>{one.phone}</a><a href="tel:{one.telephone}">'
            f"{templates.escaped(one.name)}</a></li>" for one in self.people
        ]
        return f"<ul>{''.join(rows)}</ul>"

    def test_rows_are_learnt_from_two_neighbours(self):
        row = templates.row_template(self.page(), self.people)
        self.assertEqual(
            templates.without_rows(self.page(), row, self.people).count("\1rows\2"), 1)
        self.assertNotIn(self.people[0].phone, row)

    def test_a_page_without_the_place_is_not_learnt(self):
        with self.assertRaises(templates.NotLearnt):
            templates.marked("<p>1,000 of 1,000</p>", templates.number("1,000"), "total")
        with self.assertRaises(templates.NotLearnt):
            templates.visitor("<p>Nobody is signed in</p>")

    def test_only_what_is_random_is_left_out_of_the_comparison(self):
        page = '<input name="csrf" value="aB-_"><input name="name" value="Anna">'
        comparable = templates.comparable
        self.assertEqual(comparable(page), comparable(page.replace("aB-_", "c")))
        self.assertNotEqual(comparable(page), comparable(page.replace("Anna", "Boris")))


class CountryTemplateTests(unittest.TestCase):
    def row(self, code):
        cells = '<td class="number"><bdi>1,234</bdi></td>' * 5
        return (
            f'<tr><th scope="row"><button name="country" value="{code}"><img src="/{code.lower()}.png"> '
            f"<bdi>Isle &amp; {code.lower()}</bdi></button></th>{cells}</tr>")

    def list(self, codes):
        rows = "".join(map(self.row, codes))
        return f"{self.frame()}{rows}<p>to 2 May 2026, fetched on 3 May 2026 at 09:05</p>"

    def frame(self):
        return (
            '<span class="who"><span class="initial" aria-hidden="true">A</span> Anna Petrova '
            '<input name="csrf" value="a"><input name="person" value="1">')

    def country(self):
        numbers = "<bdi>1.25</bdi>" * 8
        dates = "2 May 2026 25 April 2026 " * 2 + "2 May 2026 3 May 2026 at 09:05"
        return f'{self.frame()}{self.row(choice(1)).partition("<td")[0]}{numbers}{dates}'

    def learn(self, codes):
        return country_templates.learn(
            lambda target: self.list(codes) if target.endswith("countries") else self.country())

    def test_every_figure_and_date_of_a_country_is_a_place_of_its_own(self):
        page = self.learn(CODES)["country"]
        for name in ["deaths-rate", "previous-cases", "fetched", "person"]:
            self.assertEqual(page.count(templates.mark(name)), 1)
        self.assertNotRegex(page, r"1\.25|2026")

    def test_a_row_is_learnt_without_the_figures_and_names_as_they_are_written(self):
        learnt = self.learn(CODES)
        self.assertNotIn("1,234", learnt["country-row"])
        self.assertIn(f"{CODES[0]}\tIsle & {CODES[0].lower()}\t", learnt["country-names"])

    def test_a_list_that_lacks_a_country_is_not_learnt(self):
        with self.assertRaises(templates.NotLearnt):
            self.learn(CODES[1:])


class RequestTests(unittest.TestCase):
    def test_searches_are_runs_of_a_name_that_is_being_typed(self):
        people = contacts(30)
        cookies = [str(owner) for owner in range(1, 31)]
        runs = {cookie: [] for cookie in cookies}
        for line in pages.searches(pages.random.Random(1), people, cookies):
            cookie, target = line.split("\t")
            runs[cookie].append(target.partition("q=")[2].replace("+", " "))
        for typed in runs.values():
            self.assertEqual([len(words) for words in typed[:1]], [1])
            self.assertTrue(all(after.startswith(words) for words, after in zip(typed, typed[1:])))
        mine = [one for one in people if one.owner == 1]
        self.assertTrue(any(len(found(mine, run[0])) > 50 for run in runs.values()))
        self.assertTrue(any(not found(mine, run[-1]) for run in runs.values()))

    def test_no_time_of_a_doctor_is_asked_for_twice_and_nobody_asks_for_two_at_once(self):
        booked = times(30)
        self.assertGreater(len(booked), 300_000)
        for key in [lambda one: (one.doctor, one.moment), lambda one: (one.patient, one.moment)]:
            self.assertEqual(len({key(one) for one in booked}), len(booked))

    def test_no_two_rows_book_the_same_time(self):
        cookies = [str(owner) for owner in range(1, 4)]
        fields = dict.fromkeys(range(1, 4), "")
        every = [*pages.ROWS, *pages.CLIENTS, *pages.GROWN, *pages.POSTGRESQL, *pages.THREADED]
        rows = [row for row in every if row.kind == "book"]
        lines = [line for row in rows for line in pages.requests(row, contacts(3), cookies, fields)]
        self.assertEqual(len(rows), 5)
        self.assertEqual(len(set(lines)), len(lines))

    def test_a_mixed_load_has_its_share_of_forms(self):
        cookies = [str(owner) for owner in range(1, 4)]
        lines = pages.mixed(contacts(3), cookies, dict.fromkeys(range(1, 4), ""))
        forms = sum(line.count("\t") == 2 for line in lines)
        self.assertAlmostEqual(forms / len(lines), pages.MIX["save"] / 100, delta=0.01)

    def test_large_owners_come_behind_all_others(self):
        few, many = contacts(2), contacts(2, more=5)
        self.assertEqual(many[:len(few)], few)
        self.assertEqual([one.owner for one in many[len(few):]], [3] * 5)


class TableTests(unittest.TestCase):
    def test_the_ratio_is_the_median_of_neighbours(self):
        line = compared(1.2, rounds(10, 30, 22), rounds(10, 20, 20))
        self.assertIn("| 22 µs | 20 µs | 1.10 | 22 : 20 µs | 1.10 | 1.00 – 1.50 | ≤ 1.20 | met |", line)

    def test_the_time_with_nginx_is_what_is_judged(self):
        line = compared(0.8, rounds(10, nginx=20), rounds(20, nginx=30))
        self.assertIn("| 10 µs | 20 µs | 0.50 | 30 : 50 µs | 0.60 | 0.60 – 0.60 | ≤ 0.80 | met |", line)

    def test_requests_a_second_have_an_aim_of_their_own(self):
        few, many = rounds(10, rate=900), rounds(10, rate=1000)
        self.assertIn("| 900 : 1000 | 0.90 | ≥ 1.00 | missed |", compared(None, few, many, rate=1.0))
        self.assertIn("| 1000 : 900 | 1.11 | ≥ 1.00 | met |", compared(None, many, few, rate=1.0))

    def test_pages_beside_saves_have_no_time_and_a_row_for_the_saves(self):
        reads, saves = compared(
            None, rounds(10, rate=900, saves=50), rounds(10, saves=100), is_beside_saves=True).split("\n")
        self.assertIn("| 900 : 1000 | 0.90 |", reads)
        self.assertIn("| 50 : 100 | 0.50 |", saves)
        self.assertNotIn("µs", reads)

    def test_a_missed_aim_is_called_so(self):
        self.assertIn("| ≤ 1.00 | missed |", compared(1.0, rounds(21), rounds(20)))
        self.assertIn(
            "| 10 : 100 µs | 1/10 | 1/10 – 1/10 | ≤ 1/20 | missed |",
            compared(1 / 20, rounds(10), rounds(100)))
        self.assertIn("| < 40 MB | missed |", plain("memory", "MB", [41, 4], 40))

    def test_each_row_has_as_many_columns_as_the_head(self):
        lines = HEAD.split("\n") + [
            plain("memory", "MB", [41, 4], 40), figure("time", "s", 1, 5, digits=1),
            figure("memory", "MB", 1, None, digits=0),
            *compared(1.0, rounds(21), rounds(20), rate=1.0).split("\n"),
            *compared(None, rounds(1, saves=1), rounds(1, saves=1), is_beside_saves=True, rate=1.0).split("\n")]
        self.assertEqual({line.count("|") for line in lines}, {COLUMNS + 1})


class PostgreSQLTests(unittest.TestCase):
    def line(self, row, *times, repeated=(0, 0)):
        counts = [postgresql.Count(100, number) for number in repeated]
        sides = [SimpleNamespace(rounds=rounds(time, nginx=5), answered=100, spent=0.04, counts=counts)
                 for time in times]
        return postgresql.line(row, sides)

    def test_the_time_of_the_portal_alone_is_judged(self):
        line = self.line(pages.Row("list", "list", 2.0), 30, 20)
        self.assertIn("| 30 µs | 20 µs | 1.50 | 1.50 – 1.50 | ≤ 2.00 | met | 400 µs |", line)

    def test_more_repeated_writes_in_the_last_round_than_a_twentieth_miss_the_aim(self):
        row = pages.Row("save", "save", 2.0, table="contacts")
        self.assertIn("| 9.0%, then 5.0% | ≤ 5% | met |", self.line(row, 1, 1, repeated=[9, 5]))
        self.assertIn("| 1.0%, then 6.0% | ≤ 5% | missed |", self.line(row, 1, 1, repeated=[1, 6]))

    def test_each_row_has_as_many_columns_as_the_head(self):
        lines = [*postgresql.HEAD.split("\n"), self.line(pages.Row("list", "list", None), 1, 1)]
        self.assertEqual({line.count("|") for line in lines}, {COLUMNS + 1})


if __name__ == "__main__":
    unittest.main()
