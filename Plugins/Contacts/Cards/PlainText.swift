import PolyclinicCore

/// Whether a text may have several lines.
enum TextShape { case line, lines }

/// A text of somebody else's file as the form takes it: without spaces around it, and without the
/// invisible characters that the form refuses. Telephones wrap numbers in some of them.
///
/// Leaving characters out joins what they parted, so the text passes ``IncomingText`` once more.
func plainText(_ text: String, _ shape: TextShape) -> String {
  var scalars = String.UnicodeScalarView()
  for scalar in text.withPlainLineEnds.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0A: scalars.append(shape == .lines ? scalar : " ")
    default: if !scalar.isInvisibleControl { scalars.append(scalar) }
    }
  }
  return trimmed(IncomingText(String(scalars).utf8).repaired)
}

/// Without white space and marks of direction at either end.
private func trimmed(_ text: String) -> String {
  var rest = Substring(text).unicodeScalars
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(rest)
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.isWhitespace || scalar == "\u{200E}" || scalar == "\u{200F}"
}
