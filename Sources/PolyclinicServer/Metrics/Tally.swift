import Glibc
import PolyclinicCore

/// What one process counts, each thing in its row of the shared ``Counters``.
///
/// Made at start from the routes that there are; from then on a request only adds to three numbers.
struct Tally: Sendable {
  /// The words of a row that counts how long things took.
  enum Timing {
    /// Answers of 2xx to 5xx; waits all count in the first.
    static let classes = 4
    static let sum = 4
    /// The first of the buckets, the last of which has no bound.
    static let buckets = 5
    /// In nanoseconds. The portal's promises are a second for a page and two for saving.
    static let bounds: [UInt64] = [
      250_000, 500_000, 1_000_000, 2_500_000, 10_000_000, 50_000_000, 100_000_000, 500_000_000,
      1_000_000_000, 2_000_000_000,
    ]
  }

  /// What is counted besides requests, by its name in the shared file.
  enum Event: String, CaseIterable, Sendable {
    case signedIn = "sign-in done"
    case signInWrong = "sign-in wrong"
    case signInThrottled = "sign-in throttled"
    case hashingRefused = "hashing busy"
    case lateTurnedAway = "turned-away late"
    case crowdTurnedAway = "turned-away crowd"
    case fatalTurnedAway = "turned-away fatal"
    case databaseBusy = "database busy"
    case databaseFull = "database full"
    case databaseReadOnly = "database read-only"
    case databaseMissing = "database missing"
    case databaseCorrupt = "database corrupt"
    case databaseOther = "database other"

    /// What is shown together.
    struct Family {
      let name: String
      let label: String
      let events: [Event]
      let help: String
    }

    static let families = [
      Family(
        name: "sign_ins_total", label: "outcome",
        events: [.signedIn, .signInWrong, .signInThrottled],
        help: "Passwords that were right, wrong, or not looked at because of earlier ones."),
      Family(
        name: "hashing_refusals_total", label: "reason", events: [.hashingRefused],
        help: "Passwords that found no place to be hashed (Argon2id) and were sent away."),
      Family(
        name: "turned_away_total", label: "reason",
        events: [.lateTurnedAway, .crowdTurnedAway, .fatalTurnedAway],
        help:
          "Requests that had waited too long for a thread, whose sender held most of them, or that had ended two workers."
      ),
      Family(
        name: "database_failures_total", label: "kind",
        events: [
          .databaseBusy, .databaseFull, .databaseReadOnly, .databaseMissing, .databaseCorrupt,
          .databaseOther,
        ],
        help: "Requests that the database refused, by kind; all but the last kind are a 503."),
    ]
  }

  /// Begins the names of the rows of requests.
  static let requests = "request"

  private let lane: Lane
  private let trouble: Trouble
  /// By number of the route, for each of ``methods``.
  private let routes: [Int]
  private let events: [Event: Int]

  init(_ instruments: Instruments, _ patterns: [Router.Pattern]) {
    let counters = instruments.counters
    lane = instruments.lane
    trouble = instruments.trouble
    let patterns = patterns + [Self.unrouted]
    routes = patterns.flatMap { route in
      Self.columns.map { method in
        route.methods.contains(method)
          ? counters.row(Self.name(method, route.text)) : Lane.rows - 1
      }
    }
    events = Dictionary(
      uniqueKeysWithValues: Event.allCases.map { ($0, counters.row($0.rawValue)) })
  }

  /// Any other method is the last column.
  private static let columns: [Request.Method?] = [.get, .post, .put, .delete, nil]

  /// What no route answers: a path that is not there, or not by that method.
  private static let unrouted = Router.Pattern(text: "", methods: columns)

  private static func name(_ method: Request.Method?, _ pattern: String) -> String {
    "\(requests) \(method?.rawValue ?? "other") \(pattern)"
  }

  /// The method and the declared path that a row counts; nil for a row of something else.
  static func request(ofRow name: String) -> (method: String, pattern: String)? {
    let parts = name.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == requests else { return nil }
    return (String(parts[1]), String(parts[2]))
  }

  /// Counts an answer; `route` is its number, nil where there was none.
  func count(_ route: Int?, _ method: Request.Method?, status: Int, since start: UInt64) {
    let column =
      switch method {
      case .get: 0
      case .post: 1
      case .put: 2
      case .delete: 3
      case nil: 4
      }
    let count = Self.columns.count
    let row = routes[(route ?? routes.count / count - 1) * count + column]
    lane.count(
      Uptime.nanoseconds &- start, asClass: min(max(status / 100, 2), 5) - 2, in: row)
  }

  func count(_ event: Event) {
    guard let row = events[event] else { return }
    lane.add(1, to: 0, of: row)
  }
}

extension Lane {
  /// Counts something that took so many nanoseconds.
  func count(_ span: UInt64, asClass column: Int, in row: Int) {
    var bucket = 0
    for bound in Tally.Timing.bounds where span > bound { bucket += 1 }
    add(1, to: column, of: row)
    add(span, to: Tally.Timing.sum, of: row)
    add(1, to: Tally.Timing.buckets + bucket, of: row)
  }
}

extension Tally {
  /// Counts what kept something from being done: a database that refused, no place to hash.
  func count(_ error: any Error) {
    switch error {
    case is HashingBusy: count(.hashingRefused)
    case let fault as DatabaseError:
      trouble.note(fault)
      switch fault.kind {
      case .busy: count(.databaseBusy)
      case .full: count(.databaseFull)
      case .readOnly: count(.databaseReadOnly)
      case .missing: count(.databaseMissing)
      case .corrupt: count(.databaseCorrupt)
      case .unique, .foreignKey, .constraint, .other: count(.databaseOther)
      }
    default: break
    }
  }
}
