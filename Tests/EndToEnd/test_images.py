"""Uploaded pictures, re-encoded by polyclinic-decode, and their QR codes."""

import math
import os
import signal
import subprocess
import time
from io import BytesIO
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image, ImageOps

import pictures
from decoder import DECODER, decode, frames
from pictures import HEALTH, code, file, jpeg, on_paper
from ways import parametrized

# The effort allowed for one input, about a second of a common machine; a debug build needs more.
LITTLE = 100 if "release" in str(DECODER) else 200
LINK = "https://www.gosuslugi.ru/covid-cert/verify/9780000000000000?lang=ru&ck=0123456789abcdef"
DIGITS = "5676295953265460346029254077280433602870286471674522" * 50
SHEET = on_paper(code())


def opened(content):
    return Image.open(BytesIO(content))


def read_with_zxing(drawing):
    """Reads the only code of a drawing with zxing."""
    [read] = zxingcpp.read_barcodes(opened(drawing).convert("L"))
    return read


def near(pixel, color):
    return all(abs(one - other) < 24 for one, other in zip(pixel, color))


def colors(picture):
    """Returns the centre pixels of the picture's quarters, row by row."""
    picture = picture.convert("RGB")
    return [picture.getpixel((picture.width * x // 4, picture.height * y // 4))
            for y in (1, 3) for x in (1, 3)]


def check_quarters(picture, size=(240, 160)):
    assert picture.size == size
    expected = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]
    assert all(map(near, colors(picture), expected)), colors(picture)


FINDABLE = {
    "as drawn": lambda: file(code()),
    "turned by 7 degrees": lambda: file(pictures.turned(SHEET, 7)),
    "turned by 90 degrees": lambda: file(pictures.turned(SHEET, 90)),
    "turned by 180 degrees": lambda: file(pictures.turned(SHEET, 180)),
    "seen from below": lambda: file(pictures.tilted(SHEET, 0, 0.15)),
    "seen from the side": lambda: file(pictures.tilted(SHEET, -0.15, 0)),
    "seen from a corner": lambda: file(pictures.tilted(SHEET, 0.1, 0.12)),
    "blurred": lambda: file(pictures.blurred(SHEET, 2.5)),
    "JPEG of quality 30": lambda: jpeg(SHEET, 30),
    "half as large": lambda: file(SHEET.resize((SHEET.width // 2, SHEET.height // 2))),
    "a pixel a module": lambda: file(code(module=1)),
    "dark": lambda: file(SHEET.point(lambda value: 8 + value // 8)),
    "of low contrast": lambda: file(SHEET.point(lambda value: 100 + value // 10)),
    "inverted": lambda: file(ImageOps.invert(SHEET)),
    "WebP": lambda: file(SHEET, "WEBP", quality=60),
    "on a transparent ground": lambda: file(transparent(code())),
    "behind a byte order mark": lambda: b"\xef\xbb\xbf" + file(code()),
    "behind blank lines": lambda: b"\r\n\r\n " + jpeg(SHEET),
    "scanned into a PDF": lambda: pictures.scan(on_paper(code(), 1240, 1754)),
}


def transparent(picture):
    """Returns the picture with white replaced by transparent black."""
    alpha = ImageOps.invert(picture.convert("L"))
    return Image.merge("RGBA", [Image.new("L", picture.size)] * 3 + [alpha])


@pytest.mark.parametrize("options", [
    {"format": "PNG"}, {"format": "WEBP", "lossless": True}, {"format": "WEBP", "quality": 80},
    {"format": "PNG", "mode": "LA"}, {"format": "PNG", "mode": "P", "transparency": 1},
    {"format": "PNG", "mode": "RGB", "transparency": (0, 0, 0)},
], ids=str)
@parametrized("scale", [(1,), (4,)], [(1,)])
def test_a_code_of_light_modules_on_a_transparent_ground_is_found_and_kept_on_black(options, scale):
    options = dict(options)
    mode = options.pop("mode", "RGBA")
    light = ImageOps.invert(code(module=6 * scale).convert("L"))
    white = Image.new("L", light.size, 255)
    picture = {
        "RGBA": lambda: Image.merge("RGBA", [white, white, white, light]),
        "LA": lambda: Image.merge("LA", [white, light]),
        "P": lambda: indexed(light),
        "RGB": lambda: Image.merge("RGB", [light] * 3)}[mode]()
    decoded = decode(file(picture, options.pop("format"), **options))
    assert decoded.codes == [HEALTH.encode()]
    page = opened(decoded.all("PAGE")[0]).convert("L")
    assert page.getpixel((0, 0)) == 0 and page.getextrema()[1] == 255


def indexed(light):
    """Returns white modules in a picture of a palette whose second colour is white as well."""
    picture = Image.new("P", light.size, 1)
    picture.putpalette([255, 255, 255, 255, 255, 255])
    picture.paste(0, mask=light)
    return picture


@pytest.mark.parametrize("look", FINDABLE)
def test_a_code_is_found_and_redrawn(look):
    decoded = decode(FINDABLE[look]())
    assert decoded.names == ["PAGE", "THUM", "CODE", "GRID", "DRAW"]
    assert decoded.codes == [HEALTH.encode()]
    assert read_with_zxing(decoded.all("DRAW")[0]).text == HEALTH


@parametrized("module, degrees, down", [(12, 0, 0), (5, 0, 0), (10, 7, 0), (14, 0, 0.15)], [(10, 7, 0)])
def test_a_code_is_found_in_a_photo_of_12_megapixels_with_little_effort(module, degrees, down):
    sheet = pictures.turned(on_paper(code(module=module), 2800, 2200), degrees)
    content = jpeg(pictures.tilted(pictures.photo(sheet), 0, down))
    assert len(content) > 1_500_000
    decoded = decode(content)
    assert decoded.codes == [HEALTH.encode()]
    page = opened(decoded.all("PAGE")[0])
    assert (page.format, page.size) == ("JPEG", (2400, 1800))
    assert opened(decoded.all("THUM")[0]).size == (320, 240)
    assert decoded.effort < LITTLE and decoded.megabytes < 100


def test_a_photo_without_a_code_is_processed_with_little_effort():
    decoded = decode(jpeg(pictures.photo(Image.new("RGB", (2000, 2000), "white"))))
    assert decoded.names == ["PAGE", "THUM"] and decoded.effort < 1.5 * LITTLE


def test_several_codes_are_returned_in_reading_order_without_duplicates():
    sheet = Image.new("RGB", (1500, 1000), "white")
    payloads = [f"CODE-{number}" for number in range(6)]
    for number, payload in enumerate([*payloads, payloads[0]]):
        sheet.paste(code(payload), (50 + number % 3 * 500, 20 + number // 3 * 320))
    assert decode(file(sheet)).codes == [payload.encode() for payload in payloads]


def test_no_more_than_eight_codes_are_taken_from_a_page():
    sheet = Image.new("RGB", (1300, 900), "white")
    for number in range(12):
        sheet.paste(code(f"CODE-{number}"), (20 + number % 4 * 320, 20 + number // 4 * 300))
    assert decode(file(sheet)).codes == [f"CODE-{number}".encode() for number in range(8)]


@pytest.mark.parametrize("payload", [b"\x00\xff\xfe \x80", "שלום, мир".encode(), b"\xe9t\xe9", b"7"])
def test_the_bytes_of_a_code_are_preserved(payload):
    decoded = decode(file(code(payload)))
    assert decoded.codes == [payload]
    assert read_with_zxing(decoded.all("DRAW")[0]).bytes == payload


# SMART Health Cards: 1195 characters of two digits each fit version 22 at level L, 927 at M, 670 at
# Q, 519 at H.
DRAWN = [
    (HEALTH, "Q", 40), ("HC1:" + "7" * 2600, "M", 40), ("HC1:" + "7" * 3500, "L", 40),
    ("HC1:lower case", "M", 2), ("shc:/" + DIGITS[:1038], "H", 22), ("shc:/" + DIGITS[:1340], "Q", 22),
    ("shc:/" + DIGITS[:1854], "M", 22), ("shc:/" + DIGITS[:2390], "L", 22),
    ("shc:/1/3/" + DIGITS[:1020], "H", 22), (LINK, "M", 40), ("é" * 1300, "L", 40),
]


@pytest.mark.parametrize("payload, level, version", DRAWN, ids=lambda value: str(value)[:12])
def test_a_text_is_drawn_with_the_expected_error_correction_level_and_version(payload, level, version):
    decoded = decode(payload.encode(), kind="text")
    assert decoded.names == ["CODE", "GRID", "DRAW"] and decoded.codes == [payload.encode()]
    read = read_with_zxing(decoded.all("DRAW")[0])
    assert read.bytes == payload.encode()
    assert read.ec_level == level and int(read.extra["Version"]) <= version


def test_a_health_certificate_is_drawn_in_alphanumeric_mode():
    read = read_with_zxing(decode(HEALTH.encode(), kind="text").all("DRAW")[0])
    # ISO/IEC 18004, table 7: version 19 holds 644 characters at level Q, but 442 bytes.
    assert len(HEALTH) == 604 and read.extra["Version"] == "19"


def test_the_grid_matches_the_drawing():
    decoded = decode(b"hello", kind="text")
    [grid], [drawing] = decoded.all("GRID"), decoded.all("DRAW")
    side, picture = grid[0], opened(drawing).convert("L")
    module = picture.width / (side + 8)
    assert picture.size == (picture.width,) * 2 and 900 <= picture.width <= 1000 and module == int(module)
    for y in range(-4, side + 4):
        for x in range(-4, side + 4):
            place = y * side + x
            inside = 0 <= x < side and 0 <= y < side
            is_dark = inside and grid[1 + place // 8] >> (7 - place % 8) & 1
            pixel = picture.getpixel(((x + 4.5) * module, (y + 4.5) * module))
            assert pixel == (0 if is_dark else 255)
    assert len(grid) == 1 + math.ceil(side * side / 8)


def test_a_text_too_long_for_a_code_is_not_drawn():
    assert decode(b"\xe9" * 2954, kind="text").names == ["CODE"]
    assert decode(b"7" * 7090, kind="text").refusal == "too-large"


@parametrized("format", [("JPEG",), ("WEBP",), ("PNG",)], [("JPEG",)])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_turned_upright(format, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "Jane Doe"
    stored = {
        1: lambda p: p, 2: ImageOps.mirror, 3: lambda p: p.transpose(Image.Transpose.ROTATE_180),
        4: ImageOps.flip, 5: lambda p: p.transpose(Image.Transpose.TRANSPOSE),
        6: lambda p: p.transpose(Image.Transpose.ROTATE_90),
        7: lambda p: p.transpose(Image.Transpose.TRANSVERSE),
        8: lambda p: p.transpose(Image.Transpose.ROTATE_270),
    }[orientation](pictures.quarters())
    content = file(stored, format, exif=exif)
    assert b"Jane Doe" in content
    # Pillow confirms that the stored file is correct.
    check_quarters(ImageOps.exif_transpose(opened(content)))
    decoded = decode(content)
    [page], [thumbnail] = decoded.all("PAGE"), decoded.all("THUM")
    check_quarters(opened(page))
    check_quarters(opened(thumbnail))
    assert b"Jane Doe" not in page and not opened(page).getexif()


GOOD = {
    "grey JPEG": (lambda: jpeg(pictures.quarters("L")), "L"),
    "CMYK JPEG": (lambda: jpeg(pictures.quarters("CMYK")), "RGB"),
    "progressive JPEG": (lambda: jpeg(pictures.quarters(), progressive=True), "RGB"),
    "lossless WebP": (lambda: file(pictures.quarters(), "WEBP", lossless=True), "RGB"),
    "palette PNG": (lambda: file(pictures.quarters("P")), "RGB"),
    "PNG with alpha": (lambda: file(pictures.quarters("RGBA")), "RGB"),
    "black and white PNG": (lambda: file(pictures.quarters("1")), "1"),
    "interlaced PNG": (lambda: pictures.interlaced_png(pictures.quarters()), "RGB"),
    "16-bit PNG": (lambda: file(pictures.quarters("L").convert("I;16").point(lambda v: v * 257)), "L"),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_picture_keeps_its_colours(name):
    made, mode = GOOD[name]
    [page] = decode(made()).all("PAGE")
    expected = colors(pictures.quarters(mode))
    assert all(map(near, colors(opened(page)), expected)), colors(opened(page))
    assert opened(page).format == ("PNG" if "PNG" in name or "lossless" in name else "JPEG")


@parametrized("size", [((200, 100),), ((5000, 2500),)], [((200, 100),)])
def test_transparent_areas_become_white(size):
    for mode in ("RGBA", "LA", "P", "RGB"):
        picture = Image.new(mode, size, 0)
        options = {"transparency": (0, 0, 0) if mode == "RGB" else 0} if mode in ("P", "RGB") else {}
        [page] = decode(file(picture, **options)).all("PAGE")
        assert colors(opened(page)) == [(255, 255, 255)] * 4, mode


@pytest.mark.parametrize("size", [(1, 1), (1, 30_000), (30_000, 1)])
def test_an_image_one_pixel_wide_or_high_is_processed(size):
    decoded = decode(file(Image.new("RGB", size, "red")))
    assert decoded.names == ["PAGE", "THUM"]
    assert max(opened(decoded.all("PAGE")[0]).size) == min(2400, max(size))
    assert max(opened(decoded.all("THUM")[0]).size) == min(320, max(size))


def test_a_pdf_yields_one_image_per_page():
    decoded = decode(pictures.scan(on_paper(code(LINK), 1240, 1754), count=3))
    assert decoded.names == ["PAGE", "THUM", "CODE", "GRID", "DRAW"] * 3
    assert opened(decoded.all("PAGE")[0]).height == 2338


def test_text_in_a_font_missing_from_a_pdf_is_rendered():
    decoded = decode(pictures.pages(
        1, b"BT /F 99 Tf 50 400 Td (MMM) Tj ET",
        resources=b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"))
    black, *_, white = opened(decoded.all("PAGE")[0]).convert("1").histogram()
    assert 0.005 < black / (black + white) < 0.2


def test_only_the_first_three_of_a_thousand_pdf_pages_are_rendered():
    decoded = decode(pictures.pages(1000))
    assert decoded.names == ["PAGE", "THUM"] * 3 + ["MORE"]
    assert opened(decoded.all("PAGE")[0]).format == "PNG"
    assert decoded.effort < 1.5 * LITTLE and decoded.megabytes < 100


def test_a_five_metre_pdf_page_is_scaled_down():
    decoded = decode(pictures.pages(1, box=b"0 0 14173 14173"))
    assert opened(decoded.all("PAGE")[0]).size == (2400, 2400)
    assert decoded.effort < LITTLE and decoded.megabytes < 100


def repeating_forms(count):
    """Returns a PDF in which each form draws the next one twice."""
    forms = [
        pictures.stream(b"/A Do /A Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
                        b"/Resources<</XObject<</A %d 0 R>>>>" % (6 + number)) for number in range(count)]
    last = pictures.stream(b"0 0 1 1 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")
    return pictures.pages(1, b"/A Do", resources=b"/XObject<</A 5 0 R>>", more=[*forms, last])


def animated(format):
    return file(Image.new("RGB", (50, 50), "red"), format, save_all=True,
                append_images=[Image.new("RGB", (50, 50), "blue")])


def locked():
    entries = b"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>"
    return pictures.pages(1, trailer=entries % (b"01" * 32, b"02" * 32))


CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
def test_a_decoder_that_waits_for_the_processor_refuses_nothing():
    with subprocess.Popen([DECODER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        # More than a pipe's buffer, so that the write returns only after the program has begun to read.
        content = file(code()) + bytes(1 << 20)
        program.stdin.write(b"image\n" + content)
        program.stdin.flush()
        program.send_signal(signal.SIGSTOP)
        # Other programs may have all processors for so long.
        time.sleep(6)
        program.send_signal(signal.SIGCONT)
        answer, _ = program.communicate()
    assert [name for name, _ in frames(answer)] == ["PAGE", "THUM", "CODE", "GRID", "DRAW"]


@pytest.mark.parametrize("number, word", [(signal.SIGALRM, b"busy"), (signal.SIGXCPU, b"slow")])
def test_the_end_of_the_clock_and_of_the_processor_have_words_of_their_own(number, word):
    with subprocess.Popen([DECODER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdin.write(b"image\n" + bytes(1 << 20))
        program.stdin.flush()
        program.send_signal(number)
        answer = program.stdout.read()
    assert list(frames(answer)) == [("FAIL", word)]


REFUSED = {
    "nothing": ("empty", lambda: b""),
    "SVG": ("unsupported", lambda: b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "HTML": ("unsupported", lambda: b"<!doctype html><title>picture.png</title>"),
    "GIF": ("unsupported", lambda: file(pictures.quarters(), "GIF")),
    "text": ("unsupported", lambda: HEALTH.encode()),
    "HEIC": ("heic", lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)),
    "21 MB": ("too-large", lambda: b"\xff\xd8\xff" + bytes(21 << 20)),
    "PNG of 50 000 x 50 000": ("too-many-pixels", lambda: pictures.black_png(50_000, 50_000)),
    "JPEG of 65 000 x 65 000": ("too-many-pixels", lambda: vast(jpeg(SHEET))),
    "half a JPEG": ("damaged", lambda: jpeg(SHEET)[:30_000]),
    "half a progressive JPEG": ("damaged", lambda: jpeg(SHEET, progressive=True)[:30_000]),
    "the begin of a JPEG": ("damaged", lambda: jpeg(SHEET)[:100]),
    "JPEG of 600 scans": ("damaged", lambda: many_scans(jpeg(SHEET, progressive=True))),
    "half a PNG": ("damaged", lambda: file(SHEET)[:2_000]),
    "the begin of a PNG": ("damaged", lambda: file(SHEET)[:8]),
    "half a WebP": ("damaged", lambda: file(SHEET, "WEBP")[:20_000]),
    "animated WebP": ("animated", lambda: animated("WEBP")),
    "animated PNG": ("animated", lambda: animated("PNG")),
    "PDF with a password": ("password", locked),
    "PDF that is cut off": ("damaged", lambda: b"%PDF-1.5\n1 0 obj"),
    "PDF without pages": ("damaged", lambda: pictures.pages(0)),
    "PDF of pages within themselves": ("damaged", lambda: pictures.pdf(
        CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 5>>")),
    "PDF of deep nesting": ("damaged", lambda: pictures.pages(1, b"q " * 2_000_000)),
    "PDF that draws without end": ("slow", lambda: repeating_forms(60)),
}


def vast(content):
    place = content.index(b"\xff\xc0")
    return content[:place + 5] + b"\xfd\xe8\xfd\xe8" + content[place + 9:]


def many_scans(content):
    return content[:-2] + content[content.rindex(b"\xff\xda"):-2] * 600 + b"\xff\xd9"


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_input_is_refused_with_little_effort_and_memory(name):
    word, made = REFUSED[name]
    decoded = decode(made())
    assert decoded.refusal == word
    assert decoded.effort < LITTLE and decoded.megabytes < 100


CHEAP = {
    "PNG of many compressed texts": lambda: pictures.black_png(100, 100, 8, before=b"".join(
        [pictures.chunk(b"zTXt", b"x\0\0" + pictures.zlib.compress(bytes(7_000_000)))] * 300)),
    "PDF of a form that draws itself": lambda: pictures.pages(
        1, b"/A Do", resources=b"/XObject<</A 5 0 R>>", more=[pictures.stream(
            b"/A Do /A Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>")]),
}


@pytest.mark.parametrize("name", CHEAP)
def test_an_expensive_image_is_processed_with_little_effort_and_memory(name):
    decoded = decode(CHEAP[name]())
    assert decoded.names == ["PAGE", "THUM"]
    assert decoded.effort < LITTLE and decoded.megabytes < 100


def test_the_decoder_limits_its_resources_before_reading_input():
    with subprocess.Popen([DECODER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        # More than a pipe's buffer, so that the write returns only after the program has begun to read.
        program.stdin.write(b"image\n" + bytes(1 << 20))
        program.stdin.flush()
        status = Path(f"/proc/{program.pid}/status").read_text()
        limits = Path(f"/proc/{program.pid}/limits").read_text()
        program.stdin.close()
        assert program.stdout.read().endswith(b"unsupported")
    assert "NoNewPrivs:\t1\n" in status and "Seccomp:\t2\n" in status
    bounds = {line[:26].strip(): line[26:46].strip() for line in limits.splitlines()}
    assert bounds["Max file size"] == bounds["Max core file size"] == "0"
    assert bounds["Max cpu time"] == "10" and int(bounds["Max open files"]) < 32
    assert int(bounds["Max address space"]) <= 480 << 20


def test_a_portrait_is_the_middle_square_of_a_picture_and_nothing_else():
    picture = Image.new("RGB", (400, 200), (255, 0, 0))
    picture.paste((0, 0, 255), (100, 0, 300, 200))
    decoded = decode(file(picture), kind="portrait")
    [(name, content)] = decoded.frames
    square = opened(content).convert("RGB")
    assert name == "PAGE" and square.size == (96, 96)
    assert all(near(square.getpixel(place), (0, 0, 255)) for place in [(1, 1), (48, 48), (94, 94)])
    assert decode(b"%PDF-1.7", kind="portrait").refusal == "unsupported"


def test_an_unknown_input_kind_is_a_usage_error():
    for line in (b"", b"image", b"picture\n", b"image \n"):
        run = subprocess.run([DECODER], input=line, capture_output=True)
        assert (run.returncode, run.stdout, run.stderr) == (2, b"", b"")


REAL = sorted(Path(os.environ.get("CERTIFICATES", "/nonexistent")).rglob("*.p[nd][gf]"))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_a_real_certificate_is_read(path):
    decoded = decode(path.read_bytes())
    assert decoded.codes and len(decoded.all("DRAW")) == len(decoded.codes)
    for payload, drawing in zip(decoded.codes, decoded.all("DRAW")):
        assert read_with_zxing(drawing).bytes == payload
        assert read_with_zxing(drawing).ec_level == "Q" or not payload.startswith(b"HC1:")
