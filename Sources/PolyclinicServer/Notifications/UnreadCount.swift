import PolyclinicCore

/// How many notices somebody has not read, as the frame of each page says it.
struct UnreadCount {
  private let count: Int

  init(_ count: Int) { self.count = count }

  var isEmpty: Bool { count == 0 }

  /// `7`, or `99+` where counting ended.
  var number: String {
    count < Inbox.countLimit ? String(count) : "\(Inbox.countLimit - 1)+"
  }

  /// The same in words.
  var label: Text {
    count < Inbox.countLimit ? Text("frame.unread", count: count) : "frame.unread-many"
  }
}
