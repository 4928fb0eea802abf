import PolyclinicCore

/// The form of a text field: a single line or several.
enum TextShape { case line, lines }

/// Cleans an imported text for the form: trims it and removes the invisible characters that the
/// form refuses. Phones wrap numbers in some of them.
///
/// The result passes ``IncomingText`` again, because removing characters can join the ones around
/// them.
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

/// Removes white space and directional marks from both ends.
private func trimmed(_ text: String) -> String {
  var rest = Substring(text).unicodeScalars
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(rest)
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.isWhitespace || scalar == "\u{200E}" || scalar == "\u{200F}"
}
