/// A reason for which the program makes nothing of its input; the caller has a sentence for each.
enum Refusal: String, Error {
  case empty, unsupported, heic, damaged, animated, password, slow, busy
  case tooManyPixels = "too-many-pixels"
  case tooLarge = "too-large"
}

/// A failure of the machine, not of the input, such as a limit that cannot be set. The program ends
/// with status 2 and decodes nothing.
struct Failure: Error {}
