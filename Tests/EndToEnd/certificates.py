"""Certificates as somebody keeps them."""

LIST = "/vaccination-qr"


def keep(visitor, content, label="Mother"):
    """Sends a picture as the list's form does; the answer."""
    boundary = "----boundary-of-the-test"
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
             for name, value in visitor.get(LIST).fields(LIST) if name not in ("image", "label")]
    parts += [
        f'Content-Disposition: form-data; name="label"\r\n\r\n{label}'.encode(),
        b'Content-Disposition: form-data; name="image"; filename="photo.jpg"\r\n'
        b"Content-Type: image/jpeg\r\n\r\n" + content]
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return visitor.request("POST", LIST, body + b"--%s--\r\n" % boundary.encode(), {
        "Content-Type": f"multipart/form-data; boundary={boundary}"})
