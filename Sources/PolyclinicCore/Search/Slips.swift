extension [Unicode.Scalar] {
  /// Returns the least number of slips by which this typed word differs from a word that it may
  /// mean.
  ///
  /// A slip is a missing, an additional or a wrong letter, or two letters in the wrong order. The
  /// number of slips is the distance of optimal string alignment (the restricted form of Damerau, "A
  /// technique for computer detection and correction of spelling errors", 1964).
  package func slips(for word: [Unicode.Scalar]) -> Int { allSlips(for: word).last ?? count }

  /// Returns the least number of slips by which this typed word differs from a beginning of `word`.
  package func slips(forBeginningOf word: [Unicode.Scalar]) -> Int {
    allSlips(for: word).min() ?? count
  }

  /// Returns the numbers of slips for each beginning of `word`, the shortest first.
  private func allSlips(for word: [Unicode.Scalar]) -> [Int] {
    var before: [Int] = []
    var last = [Int](0...word.count)
    for (row, letter) in enumerated() {
      var next = [row + 1]
      for (column, other) in word.enumerated() {
        var slips = Swift.min(
          last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == word[column - 1], self[row - 1] == other {
          slips = Swift.min(slips, before[column - 1] + 1)
        }
        next.append(slips)
      }
      (before, last) = (last, next)
    }
    return last
  }
}
