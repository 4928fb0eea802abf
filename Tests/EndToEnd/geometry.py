"""Measures page layouts: boxes, overlaps, distances, targets and text that are too small, and long lines."""

from pathlib import Path

SNAPSHOTS = Path(__file__).parent / "looks"

# Pixels of allowed difference; a missing style rule moves boxes by more.
TOLERANCE = 2

# Narrower and wider letters than in common fonts. Snapshots omit values that depend on the font.
# Monospace stands twice, because browsers shrink the text of a lone monospace.
FONTS = [None, "* { letter-spacing: -0.05em !important; font-family: serif !important }",
         "* { letter-spacing: 0.04em !important }",
         "* { letter-spacing: 0.01em !important; font-family: monospace, monospace !important }",
         "* { letter-spacing: 0.09em !important; font-family: monospace, monospace !important }"]

# The width of table cells depends on their text, so snapshots omit it.
CELLS = {"th", "td"}

MEASURE = """
const rtl = document.documentElement.dir === 'rtl';
const seen = (e) => {
  const box = e.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && !e.closest('.hidden-text, template, datalist, select > *')
    && !(e.closest('details:not([open])') && !e.closest('summary') && e.tagName !== 'DETAILS')
    && !(e.closest('svg') && e.tagName !== 'svg')
    && !/^(inline|none|contents)$/.test(getComputedStyle(e).display);
};
const kind = (e) => [e.tagName.toLowerCase(), ...e.classList].join('.')
  + (e.type && e.tagName === 'INPUT' ? ':' + e.type : '') + (e.ariaCurrent ? ':current' : '');
return [...document.body.querySelectorAll('*')].filter(seen).map((e) => {
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  let before = e.previousElementSibling;
  while (before && !seen(before)) before = before.previousElementSibling;
  const above = before ? before.getBoundingClientRect().bottom
    : e.parentElement.getBoundingClientRect().top;
  const border = parseFloat(style.borderBlockEndWidth) ? style.borderBlockEndColor : 'none';
  return {
    kind: kind(e),
    box: [rtl ? innerWidth - box.right : box.left, box.width, box.height, box.top - above].map(Math.round),
    paint: [style.color, 'on', style.backgroundColor, 'edge', border, style.fontSize,
            style.fontWeight, 'radius', style.borderTopLeftRadius].join(' ').replace(/, /g, ','),
  };
});
"""

# Texts that overlap another text, and targets that cover another target, ancestors and descendants excepted. The padding
# of a link may reach below a text. What floats above a page, such as the bar of a phone and an open menu, covers it on
# purpose.
OVERLAPS = """
const [TEXT, TARGET] = [1, 2];
const floats = (e) => e && (/^(fixed|sticky)$/.test(getComputedStyle(e).position) || e.matches('.menu') || floats(e.parentElement));
const areas = [], range = document.createRange();
document.querySelectorAll('body *').forEach((e) => {
  const box = e.getBoundingClientRect();
  if (box.width <= 1 || box.height <= 1 || e.closest('.hidden-text, select > *, svg, .skip')
    || (e.closest('details:not([open])') && !e.closest('summary')) || floats(e)) return;
  if (e.matches('a, summary, input, select, textarea, button')) {
    const kind = e.matches('a:not(.button)') ? TARGET : TEXT | TARGET;
    for (const area of e.getClientRects()) areas.push([e, kind, area]);
  }
  for (const text of e.childNodes) {
    if (text.nodeType !== 3 || !text.data.trim()) continue;
    range.selectNodeContents(text);
    for (const area of range.getClientRects()) areas.push([e, TEXT, area]);
  }
});
areas.sort(([, , a], [, , b]) => a.top - b.top);
const found = new Set();
areas.forEach(([one, kind, a], index) => {
  for (let next = index + 1; next < areas.length && areas[next][2].top < a.bottom - 5; next += 1) {
    const [other, otherKind, b] = areas[next];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (kind & otherKind && width > 2 && height > 5 && !one.contains(other) && !other.contains(one)) {
      found.add(one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80));
    }
  }
});
return [...found];
"""

# Boxes with a frame or a ground of their own that touch another box or a text outside of them. Badges stand within
# text, and the parts of a joined control, of a calendar and of a table belong together.
TOUCHING = """
const clear = (colour) => /^(transparent|rgba\\(0, 0, 0, 0\\))$/.test(colour);
const shown = [...document.querySelectorAll('main *')].filter((e) => {
  const box = e.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && getComputedStyle(e).visibility === 'visible'
    && !e.closest('.hidden-text, select > *, svg *, .segments, .month, .badge, th, td, .map-tools')
    && !(e.closest('details:not([open])') && !e.closest('summary'));
});
const isBox = (e) => {
  const style = getComputedStyle(e);
  const framed = ['Top', 'Bottom', 'Left', 'Right'].every((side) =>
    parseFloat(style[`border${side}Width`]) && !clear(style[`border${side}Color`]));
  return style.display !== 'inline' && !e.matches('[type="checkbox"], [type="radio"]')
    && (framed || (!clear(style.backgroundColor) && parseFloat(style.borderTopLeftRadius)));
};
const words = (e) => [...e.childNodes].filter((n) => n.nodeType === 3 && n.data.trim()).flatMap((n) => {
  const range = document.createRange();
  range.selectNodeContents(n);
  return [...range.getClientRects()];
});
const boxes = shown.filter(isBox), found = [];
const places = shown.map((e) => [e, boxes.includes(e) ? [e.getBoundingClientRect()] : words(e)]);
boxes.forEach((one) => places.forEach(([other, areas]) => {
  if (one.contains(other) || other.contains(one)) return;
  const a = one.getBoundingClientRect();
  for (const b of areas) {
    const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    if (Math.max(across, down) < 3) {
      found.push(one.outerHTML.slice(0, 80) + ' touches ' + other.outerHTML.slice(0, 80));
      return;
    }
  }
}));
return found;
"""

# Targets that are too small: below 44 pixels in height on a phone, as the design language says, and below 24 elsewhere
# (WCAG 2.2, 2.5.8). Links within a sentence are excepted, telephone numbers not; so are the marks of a map, whose places
# are given. The labels of check boxes and radio buttons are part of their targets.
TARGETS = """
const isPhone = innerWidth < 704;
const text = (node) => node.nodeType === 3 ? node.data
  : node.nodeType !== 1 || node.matches('a, button, .hidden-text') ? '' : [...node.childNodes].map(text).join('');
const isInSentence = (e) => {
  if (getComputedStyle(e).display !== 'inline') return false;
  if (!isPhone) return e.closest('p, label, li, td, th, dd');
  if (/^tel:/.test(e.getAttribute('href'))) return false;
  let block = e.parentElement;
  while (getComputedStyle(block).display === 'inline') block = block.parentElement;
  return /[\\p{L}\\p{N}]/u.test(text(block));
};
return [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((e) => {
  const box = e.getBoundingClientRect();
  if (box.width <= 1 || e.closest('.hidden-text, .skip, [tabindex="-1"], svg') || e.type === 'hidden') return false;
  if (e.closest('details:not([open])') && !e.closest('summary')) return false;
  const least = isPhone && !e.matches('[type="checkbox"], [type="radio"]') ? 43.9 : 24;
  return (box.width < 24 || box.height < least) && !isInSentence(e);
}).map((e) => {
  const box = e.getBoundingClientRect();
  return `target ${Math.round(box.width)} x ${Math.round(box.height)}: ${e.outerHTML.slice(0, 120)}`;
});
"""

# Texts of a chart or a map that lie on one another.
LABELS = """
const found = [];
for (const drawing of document.querySelectorAll('svg')) {
  const texts = [...drawing.querySelectorAll('text')].filter((e) => e.getClientRects().length && e.textContent.trim());
  const boxes = texts.map((e) => e.getBoundingClientRect());
  boxes.forEach((a, one) => boxes.slice(one + 1).forEach((b, next) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 3) found.push(`${texts[one].textContent} on ${texts[one + 1 + next].textContent}`);
  }));
}
return found;
"""

# Letters below 14 pixels.
LETTERS = """
return [...document.querySelectorAll('body *')].filter((e) =>
  [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && e.getClientRects().length
    && !e.closest('.hidden-text, template, datalist') && parseFloat(getComputedStyle(e).fontSize) < 13.99)
  .map((e) => `letters of ${getComputedStyle(e).fontSize}: ${e.outerHTML.slice(0, 120)}`);
"""

# Paragraphs with more than 80 letters a line, estimated from the average width of a letter.
LONG = """
const probe = document.createElement('span');
probe.textContent = 'The quick brown fox jumps over the lazy dog, and then it rests.';
return [...document.querySelectorAll('main p')].filter((p) => {
  if (p.getBoundingClientRect().width <= 1 || p.textContent.trim().length < 80) return false;
  p.append(probe);
  probe.style.position = 'absolute';
  probe.style.whiteSpace = 'nowrap';
  const letter = probe.getBoundingClientRect().width / probe.textContent.length;
  probe.remove();
  return p.getBoundingClientRect().width / letter > 80;
}).map((p) => p.outerHTML.slice(0, 120));
"""

# Targets of the header and the bar that overlap or leave the window, words of theirs and of tabs that are broken or
# cut off, and a mark of less than 24 pixels.
CRAMPED = """
const found = [], range = document.createRange();
document.querySelectorAll('.segments a, header.site .wrap > *').forEach((e) => {
  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const box = text.parentElement.getBoundingClientRect();
    if (box.width <= 1 || text.parentElement.closest('details:not([open]) > :not(summary)')) continue;
    for (const word of text.data.matchAll(/\\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const places = [...range.getClientRects()];
      // The digits and the sign of "99+" have boxes of their own in a page from right to left.
      if (places.some((p) => Math.abs(p.top - places[0].top) > 5) || places.some((p) => p.left < box.left - 2 || p.right > box.right + 2)) {
        found.push('word ' + word[0] + ' in ' + text.parentElement.outerHTML.slice(0, 80));
      }
    }
  }
});
const targets = [...document.querySelectorAll('header.site a, header.site summary, .brand img')].filter(
  (e) => e.getBoundingClientRect().width > 1 && !e.closest('details:not([open]) > :not(summary)'));
targets.forEach((one, index) => {
  const a = one.getBoundingClientRect();
  if (a.left < -1 || a.right > innerWidth + 1) found.push('outside: ' + one.outerHTML.slice(0, 80));
  targets.slice(index + 1).filter((other) => !one.contains(other)).forEach((other) => {
    const b = other.getBoundingClientRect();
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) {
      found.push(one.outerHTML.slice(0, 80) + ' and ' + other.outerHTML.slice(0, 80));
    }
  });
});
const mark = document.querySelector('.brand img');
if (mark && mark.getBoundingClientRect().width < 24) found.push('the mark is small');
return found;
"""

ADD = """
const sheet = document.styleSheets[0];
sheet.insertRule(arguments[0], sheet.cssRules.length);
"""


def add_rule(driver, rule):
    """Adds a rule to the style sheet of the open page."""
    driver.execute_script(ADD, rule)


def measured(driver, rule=None):
    """Returns all visible boxes in document order, measured with an additional rule if given."""
    if rule is None:
        return driver.execute_script(MEASURE)
    add_rule(driver, rule)
    boxes = driver.execute_script(MEASURE)
    driver.execute_script("const s = document.styleSheets[0]; s.deleteRule(s.cssRules.length - 1)")
    return boxes


def measured_bare(driver):
    """Returns the boxes without the style sheet."""
    return driver.execute_script("document.styleSheets[0].disabled = true;" + MEASURE)


def steady(driver):
    """Returns the lines of a snapshot, with `~` for values that depend on the font."""
    first, *others = [measured(driver, rule) for rule in FONTS]
    lines = []
    for index, box in enumerate(first):
        values = [
            value if all(abs(other[index]["box"][place] - value) <= TOLERANCE for other in others)
            else "~"
            for place, value in enumerate(box["box"])
        ]
        if box["kind"].split(".")[0] in CELLS:
            values[:2] = "~~"
        lines.append(" ".join(map(str, [box["kind"], *values])))
    return lines


def paints(boxes):
    """Returns the colours, borders and font of each kind of box."""
    return {f"{box['kind']} {box['paint']}" for box in boxes}


def differences(kept, boxes):
    """Returns one line for each difference between the page and its snapshot."""
    kinds = [line.split(" ")[0] for line in kept]
    found = [box["kind"] for box in boxes]
    if kinds != found:
        place = next((i for i, (a, b) in enumerate(zip(kinds, found)) if a != b),
                     min(len(kinds), len(found)))
        return [f"box {place}: kept {kinds[place:place + 3]}, found {found[place:place + 3]}"]
    wrong = []
    for index, (line, box) in enumerate(zip(kept, boxes)):
        for name, value, now in zip(
                ["start", "width", "height", "gap above"], line.split(" ")[1:], box["box"]):
            if value != "~" and abs(int(value) - now) > TOLERANCE:
                wrong.append(f"box {index}, {box['kind']}: {name} is {now}, was {value}")
    return wrong


class Snapshot:
    """The stored layout of one page: one part for each language, size and scheme."""

    def __init__(self, name):
        self.path = SNAPSHOTS / f"{name}.txt"
        self.parts = {}
        if self.path.exists():
            for part in self.path.read_text().split("# ")[1:]:
                title, *lines = part.strip().splitlines()
                self.parts[title] = unfolded(lines)

    def keep(self, title, lines):
        self.parts[title] = lines
        text = "\n".join(
            "\n".join([f"# {name}", *folded(part)]) for name, part in sorted(self.parts.items()))
        self.path.write_text(text + "\n")


def folded(lines):
    """Replaces consecutive equal lines by one line with their count."""
    short = []
    for line in lines:
        if short and short[-1][0] == line:
            short[-1][1] += 1
        else:
            short.append([line, 1])
    return [line if times == 1 else f"{times}x {line}" for line, times in short]


def unfolded(lines):
    long = []
    for line in lines:
        times, _, rest = line.partition("x ")
        long += [rest] * int(times) if times.isdecimal() else [line]
    return long
