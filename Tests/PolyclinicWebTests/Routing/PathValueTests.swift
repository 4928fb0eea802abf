import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct PathValueTests {
  private func visitor() throws -> TestVisitor {
    let days: Route = .get("days/{day}/{time}", access: .everyone) { context in
      let (day, time): (CalendarDate, TimeOfDay) =
        (try context.value("day"), try context.value("time"))
      return .redirect(to: "days/\(day)/\(time)")
    }
    let numbers: Route = .get("numbers/{number}", access: .everyone) { context in
      let number: Int = try context.value("number")
      return .text("\(number + 1)")
    }
    return try TestPortal(SampleModule(routes: [days, numbers])).visitor()
  }

  @Test func `a value of the path is read by its type`() throws {
    let visitor = try visitor()
    #expect(visitor.get("/sample/numbers/41").body == "42")
    let answer = visitor.get("/sample/days/2026-05-04/09:05")
    #expect(answer.location == "/sample/days/2026-05-04/09:05")
    #expect(visitor.get(answer.location).location == answer.location)
  }

  @Test(arguments: [
    "numbers/x", "days/2026-02-30/09:05", "days/today/09:05", "days/2026-05-04/25:00",
  ])
  func `a path without a value of the type is not found`(_ path: String) throws {
    #expect(try visitor().get("/sample/\(path)").status == 404)
  }
}
