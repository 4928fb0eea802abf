extension Page {
  /// The part of a long list that a page shows. A number beyond the last page means the last page.
  public struct Pagination: Sendable, Equatable {
    /// The number of entries on a page.
    public static var size: Int { 50 }

    /// The number of the current page, from 1.
    public let page: Int
    /// The number of entries on all pages.
    public let total: Int

    /// Creates the requested page, or the nearest one that exists.
    @inlinable
    public init(page: Int, total: Int) {
      self.total = total
      self.page = min(max(1, page), Self.pageCount(of: total))
    }

    /// The number of pages, at least 1.
    @inlinable
    public var pageCount: Int { Self.pageCount(of: total) }

    /// The positions in the list that the page shows, from 0.
    @inlinable
    public var range: Range<Int> {
      let first = (page - 1) * Self.size
      return first..<max(first, min(first + Self.size, total))
    }

    @usableFromInline
    static func pageCount(of total: Int) -> Int { max(1, (total + size - 1) / size) }
  }
}
