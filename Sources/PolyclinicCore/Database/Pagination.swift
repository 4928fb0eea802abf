extension Page {
  /// The part of a long list that a page shows. A number beyond the last page means the last page.
  public struct Pagination: Sendable, Equatable {
    /// The usual number of entries on a page.
    public static var size: Int { 50 }

    /// The number of the current page, from 1.
    public let page: Int
    /// The number of entries on all pages.
    public let total: Int
    /// The number of entries on each page.
    public let size: Int

    /// Creates the requested page, or the nearest one that exists. `size` is the number of entries
    /// on a page, smaller than usual if each takes much room.
    @inlinable
    public init(page: Int, total: Int, size: Int = Self.size) {
      self.total = total
      self.size = max(1, size)
      self.page = min(max(1, page), Self.pageCount(of: total, size: self.size))
    }

    /// The number of pages, at least 1.
    @inlinable
    public var pageCount: Int { Self.pageCount(of: total, size: size) }

    /// The positions in the list that the page shows, from 0.
    @inlinable
    public var range: Range<Int> {
      let first = (page - 1) * size
      return first..<max(first, min(first + size, total))
    }

    @usableFromInline
    static func pageCount(of total: Int, size: Int) -> Int { max(1, (total + size - 1) / size) }
  }
}
