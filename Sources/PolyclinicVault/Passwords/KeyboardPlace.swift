/// The place of a character among its neighbours in the alphabets, in the digits, and on the
/// keyboards of the portal's languages.
private struct KeyboardPlace: Sendable {
  let line: [Unicode.Scalar]
  let index: Int
  /// The direction in which a run goes on.
  let step: Int

  private static let lines: [String] = [
    "abcdefghijklmnopqrstuvwxyz", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "אבגדהוזחטיכלמנסעפצקרשת",
    // Twice, so that runs continue from 9 to 0 and from 0 to 1.
    "01234567890123456789",
    // The rows of Latin (QWERTY, QWERTZ, AZERTY), Russian and Hebrew keyboards.
    "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm",
    "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ",
    // The columns, from top left to bottom right and from top right to bottom left.
    "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "zaq1", "xsw2",
    "1йфя", "2цыч", "3увс", "4кам", "5епи", "6нрт", "7гоь",
    // Two rows in turn.
    "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qawsedrftgyhujikolp", "azsxdcfvgbhnjmk",
    "1й2ц3у4к5е6н7г8ш9щ0з", "й1ц2у3к4е5н6г7ш8щ9з0", "фйыцвуакпернгоштщлдз",
    // The shifted digits.
    "!@#$%^&*()", "!\"№;%:?*()",
  ]

  /// The places of each character, in both directions.
  static let all: [Unicode.Scalar: [KeyboardPlace]] = {
    var places: [Unicode.Scalar: [KeyboardPlace]] = [:]
    for line in lines.map({ Array(PasswordGuess.folded($0).unicodeScalars) }) {
      for (index, point) in line.enumerated() {
        places[point, default: []] += [
          KeyboardPlace(line: line, index: index, step: 1),
          KeyboardPlace(line: line, index: index, step: -1),
        ]
      }
    }
    return places
  }()

  /// Returns the length of the run from here that the characters begin with.
  func runLength(of points: ArraySlice<Unicode.Scalar>) -> Int {
    var length = 0
    var index = index
    for point in points {
      guard line.indices.contains(index), line[index] == point else { break }
      length += 1
      index += step
    }
    return length
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The length of the run of neighbours that the characters begin with; 1 if the second is not a
  /// neighbour of the first.
  var keyboardRun: Int {
    guard let first else { return 0 }
    return KeyboardPlace.all[first, default: []].map { $0.runLength(of: self) }.max() ?? 1
  }
}
