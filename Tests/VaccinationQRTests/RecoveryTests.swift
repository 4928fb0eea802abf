import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import VaccinationQR

/// Recovery of certificates and vaccinations from another state of a person's data.
@Suite struct RecoveryTests {
  private let portal: TestPortal
  private let then: Keys
  private let now: Keys
  private let present: TestVisitor

  /// Registers two people who represent one person at two times.
  init() throws {
    portal = try TestPortal(VaccinationQRModule())
    let former = try portal.register()
    present = try portal.register()
    for text in ["HC1:ONE", "HC1:TWO"] {
      let answer = try former.upload(
        "/vaccination-qr/new", "image", picture(of: text), ["label": ""])
      try #require(answer.status == 303)
    }
    then = try portal.keys(of: former)
    now = try portal.keys(of: present)
  }

  private func recover() throws -> Recovery.Count? {
    try portal.write { connection in
      try VaccinationQRModule().recoveries.first { $0.name == "certificates" }?.run(
        connection.with(then),
        connection.with(now), .store)
    }
  }

  private func ids(on connection: Work) throws -> [ID<Certificate>] {
    var ids: [ID<Certificate>] = []
    try Certificate.records.forEach(in: connection.with(now)) { id, _ in ids.append(id) }
    return ids
  }

  @Test func `certificates that differ only in their images keep them when recovered`() throws {
    #expect(try recover()?.returning == 2)
    let ids = try portal.read(ids)
    let shown = ids.map { present.get("/vaccination-qr/\($0)").body }
    #expect(shown.count == 2 && shown.allSatisfy { $0.contains("<div class=\"qr\"><svg") })
    #expect(try portal.problems() == [])
    #expect(try recover()?.returning == 0)
  }

  @Test func `certificates in another order are not recovered again`() throws {
    _ = try recover()
    try portal.write { connection in
      for id in try ids(on: connection) {
        var certificate = try #require(
          try Certificate.records.find(id, in: connection.with(now)))
        certificate.place = 100 - (certificate.place ?? 0)
        try Certificate.records.replace(id, with: certificate, in: connection.with(now))
      }
    }
    #expect(try recover()?.same == 2)
  }
}
