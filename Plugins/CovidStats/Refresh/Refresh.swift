import Foundation
import Glibc
import PolyclinicCore

/// Brings new figures in: fetched from a source, or from a file.
struct Refresh {
  let portal: Portal

  /// Longer than any refresh takes.
  static let limit = Seconds.minutes(15)
  /// The interval at which somebody's wish is looked for.
  private static let pause = Seconds.seconds(3)

  /// Refreshes when it is time; returns when it is time again.
  @Sendable
  static func whenDue(_ portal: Portal) throws -> Instant {
    let span = Seconds.hours(try portal.settings.integer("refresh_hours"))
    let state = try portal.database.read(RefreshState.find)
    // Made figures are of no day that a source could bring up to date.
    if state.isFictional { return portal.now + span }
    if let fetched = state.fetched, fetched <= portal.now, fetched + span > portal.now {
      return fetched + span
    }
    try Refresh(portal: portal).run()
    return portal.now + span
  }

  /// Refreshes when somebody has asked for it.
  @Sendable
  static func whenAsked(_ portal: Portal) throws -> Instant {
    let state = try portal.database.read(RefreshState.find)
    if state.requested != nil { try Refresh(portal: portal).run() }
    return portal.now + pause
  }

  /// Fetches, reads and stores; throws ``JobFailure`` with the reason, which is stored, too. What was stored
  /// before stays then.
  func run() throws {
    try change { state in
      state.started = portal.now
      state.requested = nil
    }
    do {
      let (source, figures) = try fetch()
      try store(figures, of: source)
    } catch let fault as SourceFault {
      try fail(.unreadable, fault.description)
    } catch let failed as RefreshFailed {
      try fail(failed.reason, failed.reason.rawValue)
    }
  }

  private func fail(_ reason: RefreshFailure, _ details: String) throws {
    try change { state in
      state.failure = reason
      state.failingSince = state.failingSince ?? portal.now
      state.started = nil
    }
    throw JobFailure("the figures were not refreshed: \(details)")
  }

  /// Takes the figures of a file; throws ``SourceFault``.
  func take(file path: String) throws -> (source: any FigureSource, figures: Figures) {
    let (source, figures) = try FigureFile(path: path).read()
    try store(figures, of: source)
    return (source, figures)
  }

  private func store(_ figures: Figures, of source: any FigureSource) throws {
    try portal.database.write { connection in
      try FigureTables.replace(with: figures, on: connection)
      var state = RefreshState()
      state.source = source.name
      state.day = figures.day
      state.received = figures.received
      state.fetched = portal.now
      try state.save(on: connection)
    }
  }

  private func change(_ body: (inout RefreshState) -> Void) throws {
    try portal.database.write { connection in
      var state = try RefreshState.find(on: connection)
      body(&state)
      try state.save(on: connection)
    }
  }

  private func fetch() throws -> (any FigureSource, Figures) {
    let chosen = try portal.settings.text("source")
    guard let source = FigureSources.named(chosen) else {
      return try FigureFile(path: chosen).read()
    }
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "polyclinic-covid-stats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    let (mirror, proxy) = (
      try portal.settings.text("mirror"), try portal.settings.text("proxy")
    )
    let files = source.addresses.indices.map { directory.appending(path: "\($0)").path }
    defer {
      for file in files { unlink(file) }
      rmdir(directory.path)
    }
    for (file, address) in zip(files, source.addresses) {
      try Download(address: Self.mirrored(address, mirror), proxy: proxy).run(to: file)
    }
    return (source, try source.read(files))
  }

  /// The same path and query at the mirror, where there is one.
  private static func mirrored(_ address: String, _ mirror: String) -> String {
    guard !mirror.isEmpty, let start = address.range(of: "://"),
      let path = address[start.upperBound...].firstIndex(of: "/")
    else { return address }
    return (mirror.hasSuffix("/") ? String(mirror.dropLast()) : mirror) + address[path...]
  }
}

/// A refresh came to nothing, for this reason.
struct RefreshFailed: Error {
  let reason: RefreshFailure

  init(_ reason: RefreshFailure) { self.reason = reason }
}
