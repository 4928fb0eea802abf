import PolyclinicCore

/// Which part of a long list a page shows; a page after the last is the last.
struct Pagination {
  static let length = 50

  /// From 1.
  let page: Int
  let total: Int
  var pages: Int { max(1, (total + Self.length - 1) / Self.length) }
  /// The places in the list, from 0.
  var range: Range<Int> { (page - 1) * Self.length..<min(page * Self.length, total) }

  init(page: Int, total: Int) {
    let last = max(1, (total + Self.length - 1) / Self.length)
    self.page = min(max(page, 1), last)
    self.total = total
  }
}
