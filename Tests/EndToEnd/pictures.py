"""Creates pictures and PDF documents with QR codes, as patients photograph and upload them."""

import struct
import zlib
from io import BytesIO

import segno
from PIL import Image, ImageChops, ImageFilter

# As long as a certificate of the EU, in the 45 characters of its alphabet.
HEALTH = "HC1:" + ("NCFOXN%TSMAHN-H3TK0FWUPKPH1C-C-AH+UC1ROB.S4UOE+I$4QQFG" * 12)[:600]
DESK = (96, 78, 60)


def code(payload=HEALTH, module=6, level="q", border=4, **colors):
    """Returns a QR code on white."""
    made = BytesIO()
    segno.make(payload, error=level, boost_error=False, micro=False).save(
        made, kind="png", scale=module, border=border, **colors)
    return Image.open(made).convert("RGB")


def on_paper(picture, width=None, height=None, margin=100):
    """Returns the picture in the middle of a white sheet."""
    size = (width or picture.width + 2 * margin, height or picture.height + 2 * margin)
    paper = Image.new("RGB", size, "white")
    paper.paste(picture, ((paper.width - picture.width) // 2, (paper.height - picture.height) // 2))
    return paper


def turned(picture, degrees):
    return picture.rotate(degrees, expand=True, resample=Image.Resampling.BICUBIC, fillcolor="white")


def tilted(picture, across, down):
    """Returns the picture in perspective, as from a camera at an angle; 0.2 makes one side 1.5 times as long."""
    x, y = picture.width / 2, picture.height / 2
    zoom = 1 + abs(across) + abs(down)
    first = 1 - across - down
    coefficients = (
        across + zoom, x * down / y, x * (first - zoom),
        y * across / x, down + zoom, y * (first - zoom), across / x, down / y)
    return picture.transform(
        picture.size, Image.Transform.PERSPECTIVE, [value / first for value in coefficients],
        Image.Resampling.BICUBIC, fillcolor=DESK)


def photo(sheet, width=4000, height=3000, noise=18):
    """Returns a noisy, unevenly lit photo of a sheet on a desk."""
    desk = Image.new("RGB", (width, height), DESK)
    desk.paste(sheet, ((width - sheet.width) // 2, (height - sheet.height) // 2))
    light = Image.linear_gradient("L").resize((width, height)).point(lambda value: 160 + value * 95 // 255)
    lit = ImageChops.multiply(desk, Image.merge("RGB", [light] * 3))
    grain = Image.effect_noise((width, height), noise)
    return ImageChops.add(lit, Image.merge("RGB", [grain] * 3), scale=1, offset=-128)


def blurred(picture, radius):
    return picture.filter(ImageFilter.GaussianBlur(radius))


def file(picture, format="PNG", **options):
    made = BytesIO()
    picture.save(made, format, **options)
    return made.getvalue()


def jpeg(picture, quality=88, **options):
    return file(picture, "JPEG", quality=quality, **options)


def quarters(mode="RGB"):
    """Returns a picture of four coloured quarters, which shows its rotation and colours."""
    picture = Image.new("RGB", (240, 160), "white")
    for color, place in (("red", (0, 0)), ("lime", (120, 0)), ("blue", (0, 80)), ("black", (120, 80))):
        picture.paste(color, (*place, place[0] + 120, place[1] + 80))
    return picture.convert(mode)


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def black_png(width, height, depth=1, color=0, before=b""):
    """Returns a PNG of zeros, which compress to almost nothing."""
    row = bytes(1 + (width * depth * {0: 1, 2: 3, 6: 4}[color] + 7) // 8)
    deflate = zlib.compressobj(9)
    rows = b"".join(deflate.compress(row) for _ in range(height)) + deflate.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", rows)
            + chunk(b"IEND", b""))


def interlaced_png(picture):
    """Returns an interlaced PNG (Adam7), which Pillow cannot write."""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b"".join(
        b"\0" + b"".join(bytes(picture.getpixel((x, y))) for x in range(left, picture.width, across))
        for left, top, across, down in passes for y in range(top, picture.height, down))
    header = struct.pack(">IIBBBBB", *picture.size, 8, 2, 0, 0, 1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def stream(content, entries=b""):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def pdf(*objects, trailer=b""):
    """Returns a PDF of these objects; the first is the catalog."""
    made = b"%PDF-1.5\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    size = len(objects) + 1
    return (made + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, b"".join(places))
            + b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (size, trailer, len(made)))


def pages(count, drawing=b"0 0 100 100 re f", box=b"0 0 595 842", resources=b"", more=(), trailer=b""):
    """Returns a PDF of identical pages; additional objects are numbered from 4 + count."""
    kids = b" ".join(b"%d 0 R" % (number + 4) for number in range(count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<<%s>>/Contents 3 0 R>>" % (box, resources)
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        stream(drawing), *[page] * count, *more, trailer=trailer)


def scan(picture, count=1):
    """Returns a PDF whose pages are covered by the picture."""
    image = stream(jpeg(picture), b"/Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB"
                   b"/Filter/DCTDecode/Width %d/Height %d" % picture.size)
    return pages(
        count, b"595 0 0 842 0 0 cm /A Do", resources=b"/XObject<</A %d 0 R>>" % (count + 4), more=[image])
