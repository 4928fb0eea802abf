/// Which part of a long list a page shows; a page after the last is the last.
public struct Pagination: Sendable, Equatable {
  /// How many entries a page shows.
  public static var size: Int { 50 }

  /// The page at hand, from 1.
  public let page: Int
  /// How many entries there are on all pages.
  public let total: Int

  /// The page that is asked for, or the nearest one there is.
  @inlinable
  public init(page: Int, total: Int) {
    self.total = total
    self.page = min(max(1, page), Self.pageCount(of: total))
  }

  /// How many pages there are, at least 1.
  @inlinable
  public var pageCount: Int { Self.pageCount(of: total) }

  /// The places in the list that the page shows, from 0.
  @inlinable
  public var range: Range<Int> {
    let first = (page - 1) * Self.size
    return first..<max(first, min(first + Self.size, total))
  }

  @usableFromInline
  static func pageCount(of total: Int) -> Int { max(1, (total + size - 1) / size) }
}
