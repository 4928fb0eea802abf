import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem
import PolyclinicVault

/// The counters of one process, each in its row of the shared ``Counters``.
///
/// Created at start from the declared routes. From then on a request only adds to three numbers.
package struct RequestMetrics: Sendable {
  /// Counted events other than requests. The raw value is the name of the row.
  package enum Event: String, CaseIterable, Sendable {
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

    /// A metric with its events.
    package struct Family {
      package let name: String
      package let label: String
      package let events: [Event]
      package let help: String
    }

    package static let families = [
      Family(
        name: "sign_ins_total", label: "outcome",
        events: [.signedIn, .signInWrong, .signInThrottled],
        help: "Passwords that were right, wrong, or throttled after earlier failures."),
      Family(
        name: "hashing_refusals_total", label: "reason", events: [.hashingRefused],
        help: "Password hashes (Argon2id) refused because all hashing slots were busy."),
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

  /// The prefix of the names of request rows.
  static let requests = "request"

  private let shard: CounterShard
  private let writeHealth: WriteHealth
  /// The rows of requests: one for each route and each of ``columns``.
  private let routes: [Int]
  private let events: [Event: Int]

  package init(_ instruments: Instruments, _ patterns: [Router.Pattern]) {
    let counters = instruments.counters
    shard = instruments.shard
    writeHealth = instruments.writeHealth
    let patterns = patterns + [Self.unrouted]
    routes = patterns.flatMap { route in
      Self.columns.map { method in
        route.methods.contains(method)
          ? counters.row(Self.name(method, route.text)) : CounterShard.rows - 1
      }
    }
    events = Dictionary(
      uniqueKeysWithValues: Event.allCases.map { ($0, counters.row($0.rawValue)) })
  }

  /// The counted methods. Any other method uses the last column.
  private static let columns: [Request.Method?] = [.get, .post, .put, .delete, nil]

  /// The pattern for requests without a route: an unknown path, or a method that the path does not
  /// accept.
  private static let unrouted = Router.Pattern(text: "", methods: columns)

  private static func name(_ method: Request.Method?, _ pattern: String) -> String {
    "\(requests) \(method?.rawValue ?? "other") \(pattern)"
  }

  /// Returns the method and declared path that a row counts; nil for a row of another kind.
  package static func request(ofRow name: String) -> (method: String, pattern: String)? {
    let parts = name.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == requests else { return nil }
    return (String(parts[1]), String(parts[2]))
  }

  /// Returns the row of a route's number, or of requests without one.
  func row(of route: Int?, _ method: Request.Method?) -> Int {
    let column =
      switch method {
      case .get: 0
      case .post: 1
      case .put: 2
      case .delete: 3
      case nil: 4
      }
    let count = Self.columns.count
    return routes[(route ?? routes.count / count - 1) * count + column]
  }

  /// Counts a response. Without a row it is that of a request without a route.
  func count(status: Int, since start: UInt64, in row: Int? = nil) {
    shard.count(
      Uptime.nanoseconds &- start, asClass: min(max(status / 100, 2), 5) - 2,
      in: row ?? self.row(of: nil, nil))
  }

  package func count(_ event: Event) {
    guard let row = events[event] else { return }
    shard.add(1, to: 0, of: row)
  }
}

extension RequestMetrics {
  /// Counts an error that prevented a request: a failure of the database, or no free slot for
  /// hashing.
  package func count(_ error: any Error) {
    switch error {
    case is HashingBusy: count(.hashingRefused)
    case let fault as DatabaseError:
      writeHealth.note(fault)
      switch fault.kind {
      case .busy: count(.databaseBusy)
      case .full: count(.databaseFull)
      case .readOnly: count(.databaseReadOnly)
      case .missing, .unknown: count(.databaseMissing)
      case .corrupt: count(.databaseCorrupt)
      case .unique, .foreignKey, .constraint, .other: count(.databaseOther)
      }
    default: break
    }
  }
}

extension AnswerCounts {
  /// Paths that monitoring tools request. They say nothing about visitors.
  private static let monitors = ["/healthz", "/readyz", "/metrics"]

  /// Adds up the rows of requests. Excludes requests that were refused because their sender
  /// occupied most threads.
  package init(_ counters: Counters) {
    var (given, failed) = (0, 0)
    for (row, name) in counters.names.enumerated() {
      if name == RequestMetrics.Event.crowdTurnedAway.rawValue {
        given -= Int(counters.sum(0, of: row))
      }
      guard let (_, pattern) = RequestMetrics.request(ofRow: name), !Self.monitors.contains(pattern)
      else { continue }
      let classes = (0..<CounterShard.Timing.classes).map { Int(counters.sum($0, of: row)) }
      failed += classes[CounterShard.Timing.classes - 1]
      given += classes.dropLast().reduce(0, +)
    }
    self.init(given: given, failed: failed)
  }
}
