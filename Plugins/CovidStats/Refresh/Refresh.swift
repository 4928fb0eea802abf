import Foundation
import Glibc
import PolyclinicCore

/// Refreshes the figures from a source or from a file.
struct Refresh {
  let portal: Portal

  /// The time limit of the job, longer than any refresh takes.
  static let limit = Seconds.minutes(5)
  /// The interval at which the job checks for requests.
  private static let pause = Seconds.seconds(3)

  /// Refreshes the figures if they are due. Returns the time of the next refresh.
  @Sendable
  static func whenDue(_ portal: Portal) throws -> Instant {
    let span = Seconds.hours(try portal.settings.integer("refresh_hours"))
    let state = try portal.read(RefreshState.find)
    // Invented figures are never refreshed, because they have no day that a source could update.
    if state.isFictional { return portal.now + span }
    if let fetched = state.fetched, fetched <= portal.now, fetched + span > portal.now {
      return fetched + span
    }
    try Refresh(portal: portal).run()
    return portal.now + span
  }

  /// Refreshes the figures if a user has requested it.
  @Sendable
  static func whenAsked(_ portal: Portal) throws -> Instant {
    let state = try portal.read(RefreshState.find)
    if state.requested != nil { try Refresh(portal: portal).run() }
    return portal.now + pause
  }

  /// Fetches, reads and stores the figures. Throws ``Job/Failure`` with the reason, stores the
  /// reason too, and keeps the previous figures.
  func run() throws {
    // Keeps the request until the end, so that the next process continues if this one is killed.
    try change { $0.started = $1 }
    do {
      let (source, figures) = try fetch()
      try store(figures, of: source)
    } catch let fault as SourceFault {
      try end(with: .unreadable)
      throw Job.Failure("the figures were not refreshed: \(fault)")
    } catch let failed as RefreshFailed {
      try end(with: failed.reason)
      throw Job.Failure("the figures were not refreshed: \(failed)")
    } catch {
      try end(with: .failed)
      throw error
    }
  }

  private func end(with reason: RefreshFailure) throws {
    try change { state, now in
      state.failure = reason
      state.failingSince = state.failingSince ?? now
      state.started = nil
      state.requested = nil
    }
  }

  /// Stores the figures of a file. Throws ``SourceFault``.
  func take(file path: String) throws -> (source: any FigureSource, figures: Figures) {
    let (source, figures) = try FigureFile(path: path).read(until: lastDay)
    try store(figures, of: source)
    return (source, figures)
  }

  private func store(_ figures: Figures, of source: any FigureSource) throws {
    try portal.write { work in
      try figures.store(in: work)
      var state = RefreshState()
      state.revision = .random(in: 1 ... .max)
      state.source = source.name
      state.day = figures.day
      state.received = figures.received
      state.fetched = work.now
      try state.save(in: work)
    }
  }

  private func change(_ body: (inout RefreshState, Instant) -> Void) throws {
    try portal.write { work in
      var state = try RefreshState.find(in: work)
      body(&state, work.now)
      try state.save(in: work)
    }
  }

  /// The last day that figures may have: tomorrow in UTC, because that day has already begun in
  /// some time zones.
  private var lastDay: CalendarDate {
    LocalDateTime(portal.now, in: .utc).date.adding(days: 1)
  }

  private func fetch() throws -> (any FigureSource, Figures) {
    let chosen = try portal.settings.text("source")
    guard let source = Figures.source(named: chosen) else {
      return try FigureFile(path: chosen).read(until: lastDay)
    }
    let mirror = try portal.settings.text("mirror")
    let download = Download(proxy: try portal.settings.text("proxy"))
    let files = try source.addresses.map { address in
      let file = try UnnamedFile()
      try download.run(Self.mirrored(address, mirror), to: file)
      return file
    }
    return try withExtendedLifetime(files) {
      (source, try source.read(files.map(\.path), until: lastDay))
    }
  }

  /// Returns the address with the same path and query on the mirror, if there is one.
  private static func mirrored(_ address: String, _ mirror: String) -> String {
    guard !mirror.isEmpty, let start = address.range(of: "://"),
      let path = address[start.upperBound...].firstIndex(of: "/")
    else { return address }
    return (mirror.hasSuffix("/") ? String(mirror.dropLast()) : mirror) + address[path...]
  }
}
