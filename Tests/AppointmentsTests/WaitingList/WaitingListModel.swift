import PolyclinicCore

/// A reference model of the waiting list that applies the rules every 30 seconds.
struct WaitingListModel {
  static let step = Seconds.seconds(30)

  private(set) var now: Instant
  private(set) var isOpen = false
  /// True from a finished treatment until the doctor calls.
  private var isPaused = false
  private(set) var waiting: [(person: Int, number: Int)] = []
  private(set) var treated: (person: Int, number: Int, until: Instant)?
  /// The time at which each number was called.
  private(set) var calls: [Int: Instant] = [:]
  private var lastNumber = 0
  private var booked: [Range<Instant>] = []
  private let slot: Seconds
  private let zone: Zone
  /// The date of the opening.
  private var day: CalendarDate?

  init(slot: Seconds, in zone: Zone, at now: Instant) {
    self.slot = slot
    self.zone = zone
    self.now = now
  }

  /// Applies the rules step by step until a time that is a whole number of steps away.
  mutating func advance(to moment: Instant) {
    while now < moment {
      now = now + Self.step
      look()
    }
  }

  mutating func open() {
    if !isOpen {
      isPaused = false
      calls = [:]
      lastNumber = 0
      day = LocalDateTime(now, in: zone).date
    }
    isOpen = true
  }

  mutating func close() {
    isOpen = false
    waiting = []
  }

  /// Returns false if the list is closed.
  mutating func join(_ person: Int) -> Bool {
    guard isOpen else { return false }
    if isIn(person) { return true }
    lastNumber += 1
    waiting.append((person, lastNumber))
    look()
    return true
  }

  /// Returns false if the person does not wait.
  mutating func leave(_ person: Int) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.person == person }) else { return false }
    waiting.remove(at: index)
    look()
    return true
  }

  /// Returns false if no patient is being treated.
  mutating func finish() -> Bool {
    guard treated != nil else { return false }
    treated = nil
    isPaused = isOpen && !waiting.isEmpty && isFree(now..<now + slot)
    return true
  }

  /// Returns false if somebody is treated or a booking is under way. A treatment ends when the next
  /// booking begins.
  mutating func call() -> Bool {
    guard treated == nil else { return false }
    if isFree(now..<now + slot) {
      isPaused = false
      look()
      return true
    }
    guard let first = waiting.first,
      let next = booked.filter({ $0.upperBound > now }).map(\.lowerBound).min(), next > now
    else { return false }
    isPaused = false
    waiting.removeFirst()
    treated = (first.person, first.number, next)
    calls[first.number] = now
    return true
  }

  /// Returns false if no patient is being treated.
  mutating func finishAndCall() -> Bool {
    guard treated != nil else { return false }
    treated = nil
    look()
    return true
  }

  /// Returns false if a treatment or another booking overlaps the span.
  mutating func book(_ span: Range<Instant>) -> Bool {
    guard isFree(span), treated.map({ $0.until <= span.lowerBound }) ?? true else { return false }
    booked.append(span)
    return true
  }

  mutating func cancel(_ span: Range<Instant>) {
    booked.removeAll { $0 == span }
    look()
  }

  var isFreeForOneMore: Bool {
    isOpen && !isPaused && treated == nil && waiting.isEmpty && isFree(now..<now + slot)
  }

  private func isFree(_ span: Range<Instant>) -> Bool {
    booked.allSatisfy { !$0.overlaps(span) }
  }

  private func isIn(_ person: Int) -> Bool {
    treated?.person == person || waiting.contains { $0.person == person }
  }

  private mutating func look() {
    if isOpen, LocalDateTime(now, in: zone).date != day { close() }
    if let until = treated?.until, until <= now { treated = nil }
    guard isOpen, !isPaused, treated == nil, let first = waiting.first, isFree(now..<now + slot)
    else {
      return
    }
    waiting.removeFirst()
    treated = (first.person, first.number, now + slot)
    calls[first.number] = now
  }
}

/// A generator that gives the same numbers for the same seed (Steele et al., "Fast splittable
/// pseudorandom number generators", SplitMix64).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
