import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// Error pages for failures of the database.
@Suite struct RequestDatabaseTests {
  @Test(arguments: [DatabaseError.Kind.busy, .full, .readOnly, .missing, .corrupt])
  func `an outage of the database is answered with 503 and Retry-After`(_ kind: DatabaseError.Kind)
    throws
  {
    let anna = try TestPortal(FaultyModule(kind: kind)).register()
    let page = anna.get("/faulty")
    #expect(page.status == 503 && page.header("Retry-After") == "5")
    #expect(page.contains("class=\"reference\"") && !page.contains("detail of it"))
    #expect(anna.get("/faulty").header("Cache-Control") == "no-store")
  }

  @Test(arguments: [DatabaseError.Kind.unique, .foreignKey, .constraint, .other])
  func `any other database error is answered with 500 and no Retry-After`(
    _ kind: DatabaseError.Kind
  ) throws {
    let page = try TestPortal(FaultyModule(kind: kind)).register().get("/faulty")
    #expect(page.status == 500 && page.header("Retry-After") == nil)
    #expect(page.contains("class=\"reference\"") && !page.contains("detail of it"))
  }

  @Test func `a failing card shows "Not available", and the other cards are shown`() throws {
    let page = try TestPortal(FaultyModule(kind: .full), ContentModule()).register().get("/")
    #expect(page.status == 200 && page.contains("Not available"))
    #expect(page.contains("all is well") && !page.contains("detail of it"))
  }
}

/// A module whose page and card throw a database error.
private struct FaultyModule: Module {
  let kind: DatabaseError.Kind
  var id: ModuleID { "faulty" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Faulty") }
  var personalData: PersonalData { .none }
  var routes: [Route] { [.get("") { _ in throw fault }] }
  var cards: [Card] { [Card("title") { _ in throw fault }] }
  private var fault: DatabaseError { DatabaseError(kind, code: 7, detail: "detail of it") }
}

private struct ContentModule: Module {
  var id: ModuleID { "content" }
  var title: Text { "title" }
  var catalog: Catalog { .titled("Content") }
  var personalData: PersonalData { .none }
  var cards: [Card] { [Card("title") { _ in "<p>all is well</p>" }] }
}
