import PolyclinicCore
import PolyclinicTesting
import Testing

/// A module that serves its records as pages and as files.
private struct FilesModule: Module {
  let id: ModuleID = "files"
  var title: Text { "title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }
  var routes: [Route] {
    [
      .get("{id}", access: .everyone) { .text("page \($0.request.parameters["id"] ?? "")") },
      .get("{id}.ics", access: .everyone) { .text("file \($0.request.parameters["id"] ?? "")") },
      .get("all.ics", access: .everyone) { _ in .text("all") },
      .get("{id}.ics/raw", access: .everyone) { .text("raw \($0.request.parameters["id"] ?? "")") },
    ]
  }
}

@Suite struct SuffixRouteTests {
  @Test func `a path parameter does not include the suffix of its route`() throws {
    let visitor = try TestPortal(FilesModule()).visitor()
    for (path, body) in [
      ("/files/7", "page 7"), ("/files/7.ics", "file 7"), ("/files/all.ics", "all"),
      ("/files/7.ics/raw", "raw 7"), ("/files/7.ics.ics", "file 7.ics"),
      ("/files/.ics", "page .ics"), ("/files/7.ical", "page 7.ical"),
    ] {
      #expect(visitor.get(path).body == body, "\(path)")
    }
    #expect(visitor.get("/files/%37.ics").status == 404)
  }
}
