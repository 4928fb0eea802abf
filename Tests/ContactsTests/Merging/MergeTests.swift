import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Likely duplicates and their merge.
@Suite struct MergeTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(ContactsModule())
    anna = try portal.register()
  }

  private func add(_ name: String, _ type: String, _ value: String) throws -> String {
    try anna.add(name, ["method_type": type, "method_value": value])
  }

  /// Returns the ids of the pairs that the page offers to compare, or to merge at once.
  private func pairs() -> [String] {
    anna.get("/contacts/merge").body.split(separator: "=\"/contacts/merge/").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  private func contact(_ id: Int64) throws -> Contact? {
    let keys = try portal.keys(of: anna)
    return try portal.read { try Contact.records.find(ID(id), in: $0.with(keys)) }
  }

  private func merge(_ fields: [String: String] = [:]) throws -> TestPage {
    let page = "/contacts/merge/1-2"
    let hidden = anna.get(page).hidden(of: page)
    return anna.post(page, pairs: hidden + fields.map { ($0.key, $0.value) })
  }

  @Test func `contacts with the same name, number or address are offered as duplicates`() throws {
    _ = try add("Vera Green", "phone", "+375 29 111-22-33")
    _ = try add("véra GREEN", "phone", "112")
    _ = try add("Grandmother", "phone", "8 029 1112233")
    _ = try add("Boris", "email", "B@example.org")
    _ = try add("Dr. Brown", "email", "b@Example.org")
    _ = try add("Fire", "phone", "112")
    #expect(Set(pairs()) == ["1-2", "1-3", "4-5"])
    #expect(anna.get("/contacts").hasLink(to: "/contacts/merge"))
  }

  @Test func `a number that both contacts have is listed once beside the others`() throws {
    _ = try add("Vera", "phone", "+375 29 111-22-33")
    _ = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "+375 (29) 111 22 33"),
        ("method_type", "email"), ("method_value", "v@example.org"),
      ])
    let page = anna.get("/contacts/merge/1-2")
    let ways = page.main.all("li").map(\.text)
    #expect(ways == ["+375 29 111-22-33", "v@example.org"])
  }

  @Test(arguments: [
    ("+375 29 133 32 50", "133-32-50", ["+375 29 133 32 50"]),
    ("133-32-50", "+375 29 133 32 50", ["+375 29 133 32 50"]),
    ("8 029 133 32 50", "+375 29 133-32-50", ["8 029 133 32 50"]),
    ("+375 33 133 32 50", "+375 29 133-32-50", ["+375 33 133 32 50", "+375 29 133-32-50"]),
    ("1250", "3250", ["1250", "3250"]),
  ])
  func `numbers that differ by their codes only are one, in the fuller spelling`(
    _ one: String, _ other: String, _ merged: [String]
  ) throws {
    _ = try add("Vera", "phone", one)
    _ = try add("Vera", "phone", other)
    _ = try merge()
    #expect(try contact(1)?.methods.map(\.value) == merged)
  }

  @Test func `contacts that do not differ are merged in the list, and the merge is undone`() throws
  {
    _ = try add("Vera", "phone", "+375 29 133 32 50")
    _ = try add("Vera", "email", "v@example.org")
    let list = "/contacts/merge"
    #expect(!anna.get(list).hasLink(to: "/contacts/merge/1-2"))
    let merged = anna.press("/contacts/merge/1-2", on: list)
    #expect(merged.location == list + "?deleted=2" && anna.names() == ["Vera"])
    _ = anna.press("/account/deleted/restore", on: merged.location)
    #expect(anna.names() == ["Vera", "Vera"])
  }

  @Test func `contacts that differ are compared before they are merged`() throws {
    for place in ["School", "Clinic"] { _ = try anna.add("Vera", ["workplace": place]) }
    let list = anna.get("/contacts/merge")
    #expect(list.hasLink(to: "/contacts/merge/1-2") && !list.hasForm(for: "/contacts/merge/1-2"))
  }

  @Test func `contacts of one name are one group, told apart by telephone and e-mail`() throws {
    for number in ["111", "222", "333"] { _ = try add("Katya", "phone", "+375 29 \(number) 00 00") }
    _ = try add("Katya", "email", "katya@example.org")
    let page = anna.get("/contacts/merge")
    #expect(page.sections.count == 1 && page.rows.count == 4)
    #expect(page.hasRow("+375 29 222 00 00") && page.hasRow("katya@example.org"))
    #expect(pairs().count == 3)
  }

  @Test func `a kept group is offered again only with a new contact of its name`() throws {
    for number in ["111", "222", "333"] { _ = try add("Katya", "phone", number) }
    let kept = anna.press("/contacts/merge", on: "/contacts/merge")
    #expect(kept.status == 303)
    let page = anna.get("/contacts/merge")
    #expect(page.hasNotice(.success) && page.hasSection("No duplicates"))
    _ = try add("Katya", "phone", "444")
    #expect(pairs().count == 3)
  }

  @Test(arguments: ["1", "1 x", "1 99", ""])
  func `a group that is not the person's own cannot be kept`(_ keep: String) throws {
    _ = try anna.add("Katya")
    _ = try anna.add("Katya")
    let answer = anna.press("/contacts/merge", on: "/contacts/merge", ["keep": keep])
    #expect(answer.status >= 400)
    #expect(pairs().count == 1)
  }

  @Test func `a merge of equal details says that there is nothing to choose`() throws {
    _ = try add("Katya", "phone", "111")
    _ = try add("Katya", "phone", "222")
    let page = anna.get("/contacts/merge/1-2")
    #expect(page.contains("nothing to choose") && !page.hasField("name"))
  }

  @Test func `without similar contacts no duplicates are offered`() throws {
    #expect(anna.get("/contacts/merge").hasSection("No duplicates"))
    _ = try anna.add("Vera")
    _ = try anna.add("Boris")
    #expect(!anna.get("/contacts").contains("/contacts/merge"))
  }

  @Test func `a merge takes the chosen values and the ways of both contacts`() throws {
    _ = try anna.add(
      "Vera",
      ["workplace": "School", "notes": "first", "method_type": "phone", "method_value": "1112233"])
    _ = try anna.add(
      "Vera Green",
      [
        "workplace": "Clinic", "notes": "second", "address": "Town", "method_type": "phone",
        "method_value": "111-22-33",
      ])
    let page = anna.get("/contacts/merge/2-1")
    for shown in ["School", "Clinic", "first", "second", "Town", "1112233"] {
      #expect(page.contains(shown))
    }
    let answer = try merge(["name": "other", "workplace": "one", "notes": "both"])
    #expect(answer.status == 303 && answer.location == "/contacts/merge?deleted=2")
    let merged = try #require(try contact(1))
    #expect(merged.name == "Vera Green" && merged.workplace == "School")
    #expect(merged.notes == "first\n\nsecond" && merged.address == "Town")
    #expect(merged.methods.map(\.value) == ["1112233"])
    #expect(anna.names() == ["Vera Green"] && anna.get("/contacts/2").status == 404)
  }

  @Test func `undo restores both contacts unchanged, with their cards`() throws {
    let cards = [
      ["UID:a", "FN:Vera", "TEL;TYPE=home:1112233", "TITLE:Dr."],
      ["UID:b", "FN:Vera", "EMAIL:v@example.org", "NICKNAME:Vee"],
    ]
    try portal.take(cards.map { vCard($0) }.joined(), of: anna)
    let before = [try contact(1), try contact(2)]
    let file = anna.get("/contacts/export.vcf").body
    _ = try merge()
    let merged = anna.get("/contacts/1.vcf").body
    #expect(merged.contains("TITLE:Dr.") && merged.contains("NICKNAME:Vee"))
    #expect(merged.contains("UID:a") && merged.contains("EMAIL:v@example.org"))
    #expect(anna.get("/contacts/merge?deleted=2").hasNotice(.success, "was merged into"))
    let undone = anna.press("/account/deleted/restore", on: "/contacts/merge?deleted=2")
    #expect(undone.status == 303 && undone.location == "/contacts/2")
    #expect([try contact(1), try contact(2)] == before)
    #expect(anna.get("/contacts/export.vcf").body == file)
    #expect(try portal.count("SELECT count(*) FROM contacts_merges") == 0)
    #expect(try portal.problems() == [])
  }

  @Test func `importing a card again keeps the values merged into its contact`() throws {
    let card = ["UID:a", "FN:Vera", "TEL:1112233", "NOTE:first"]
    let other = ["UID:b", "FN:Vera", "TEL:4445566", "NOTE:second", "ORG:Clinic", "TITLE:Dr."]
    try portal.take([card, other].map { vCard($0) }.joined(), of: anna)
    _ = try merge(["notes": "both"])
    try portal.take(vCard(card), of: anna)
    let same = try #require(try contact(1))
    #expect(same.notes == "first\n\nsecond")
    try portal.take(vCard(card.dropLast() + ["TEL:7778899"]), of: anna)
    let changed = try #require(try contact(1))
    #expect(changed.methods.map(\.value) == ["1112233", "7778899", "4445566"])
    #expect(changed.workplace == "Clinic" && changed.notes == "first\n\nsecond")
    let file = anna.get("/contacts/1.vcf").body
    #expect(file.contains("TITLE:Dr.") && file.contains("UID:a"))
    try portal.take(vCard(["UID:a", "FN:Vera", "NOTE:third"]), of: anna)
    let last = try #require(try contact(1))
    #expect(last.methods.map(\.value) == ["4445566"] && last.notes == "third")
    #expect(try portal.problems() == [])
  }

  @Test func `changes since a merge are kept when the merge is undone`() throws {
    _ = try add("Vera", "phone", "1112233")
    _ = try add("Vera", "email", "v@example.org")
    _ = try merge()
    let edited = try anna.submit("/contacts/1/edit", pairs: [("name", "Vera Green")])
    #expect(edited.status == 303)
    _ = anna.press("/account/deleted/restore", on: "/contacts/merge?deleted=2")
    #expect(try contact(1)?.name == "Vera Green" && contact(2)?.name == "Vera")
  }

  @Test func `successive merges can be undone from the last to the first`() throws {
    for value in ["1", "2", "3"] { _ = try add("Vera", "other", value) }
    _ = try merge()
    let hidden = anna.get("/contacts/merge/1-3").hidden(of: "/contacts/merge/1-3")
    _ = anna.post("/contacts/merge/1-3", pairs: hidden)
    #expect(try contact(1)?.methods.map(\.value) == ["1", "2", "3"])
    for gone in [3, 2] {
      _ = anna.press("/account/deleted/restore", on: "/contacts/merge?deleted=\(gone)")
    }
    let values = try (1...3).map { try contact($0)?.methods.map(\.value) }
    #expect(values == [["1"], ["2"], ["3"]])
  }

  @Test func `two contacts declared distinct are not offered again`() throws {
    for _ in 0..<2 { _ = try anna.add("Vera") }
    #expect(pairs() == ["1-2"])
    #expect(try merge(["distinct": "yes"]).location == "/contacts/merge")
    #expect(pairs().isEmpty && anna.names() == ["Vera", "Vera"])
    #expect(!anna.get("/contacts").contains("/contacts/merge"))
    _ = try anna.add("Vera")
    #expect(Set(pairs()) == ["1-3", "2-3"])
  }

  @Test func `a merge with a contact changed meanwhile is refused with 409`() throws {
    for _ in 0..<2 { _ = try anna.add("Vera") }
    let hidden = anna.get("/contacts/merge/1-2").hidden(of: "/contacts/merge/1-2")
    _ = try anna.submit("/contacts/2/edit", ["name": "Vera", "notes": "changed"])
    let answer = anna.post("/contacts/merge/1-2", pairs: hidden)
    #expect(answer.status == 409 && answer.hasNotice(.warning, "changed"))
    #expect(anna.names() == ["Vera", "Vera"])
  }

  @Test func `notes that are too long together are refused with 422`() throws {
    for letter in ["a", "b"] {
      _ = try anna.add("Vera", ["notes": String(repeating: letter, count: 2_600)])
    }
    let answer = try merge(["notes": "both"])
    #expect(answer.status == 422 && answer.contains("role=\"alert\""))
    #expect(anna.names() == ["Vera", "Vera"])
  }

  @Test(arguments: ["1-1", "1-9", "1", "x-2", "1-2-3", "1-3"])
  func `a pair that is not two of one's own contacts is answered with 404`(_ pair: String) throws {
    for _ in 0..<2 { _ = try anna.add("Vera") }
    let boris = try portal.register()
    _ = try boris.add("Vera")
    #expect(anna.get("/contacts/merge/\(pair)").status == 404)
    #expect(boris.get("/contacts/merge/1-2").status == 404)
  }

  @Test func `purging a merged contact deletes the record of the merge`() throws {
    for _ in 0..<2 { _ = try anna.add("Vera") }
    _ = try merge()
    let keys = try portal.keys(of: anna)
    try portal.write { try Contact.trash.purge(2, $0.with(keys)) }
    #expect(try portal.count("SELECT count(*) FROM contacts_merges") == 0)
    #expect(try portal.count("SELECT count(*) FROM contacts") == 1)
  }

  @Test func `forty contacts with the same name are offered as 39 pairs`() throws {
    try portal.fill(anna, names: Array(repeating: "Vera", count: 40))
    #expect(pairs().count == 39)
  }

  /// Stores contacts, each with its telephone numbers, without the form.
  private func fill(_ numbers: [[String]]) throws {
    let keys = try portal.keys(of: anna)
    let contacts = numbers.enumerated().map { place, numbers in
      var contact = Contact(named: "c\(place)")
      contact.methods = numbers.map { CommunicationMethod(type: .phone, value: $0) }
      return contact
    }
    try portal.write {
      try Contact.records.insert(contentsOf: contacts, in: $0.with(keys))
    }
  }

  private func finding() throws -> MergeMemory.Finding {
    let keys = try portal.keys(of: anna)
    return try portal.read { try MergeMemory.find(in: $0.with(keys)).finding }
  }

  @Test(arguments: [(8, 7), (9, 0)])
  func `a number shared by up to eight contacts makes them duplicates, but not one shared by nine`(
    _ count: Int, _ found: Int
  ) throws {
    try fill(Array(repeating: ["1112233"], count: count))
    #expect(pairs().count == found)
  }

  @Test func `contacts that share fifty numbers are offered as at most a thousand pairs`() throws {
    // Eight contacts share each number, in changing groups: 105,000 pairs.
    try fill(
      (0..<600).map { contact in
        (0..<50).map { "\(1_000_000 + $0 * 10_000 + contact * ($0 * 2 + 1) % 600 % 75)" }
      })
    let keys = try portal.keys(of: anna)
    let likely = try portal.read {
      try LikelyDuplicates(in: $0.with(keys), limit: DuplicatesPage.mostCounted)
    }
    #expect(likely.pairs.count == DuplicatesPage.mostCounted && likely.isCutOff)
    #expect(Set(likely.pairs.map(\.pair)).count == DuplicatesPage.mostCounted)
    let page = anna.get("/contacts/merge")
    #expect(page.status == 200 && (1...DuplicatesPage.mostShown).contains(pairs().count))
  }

  @Test func `an import into a large address book leads to one search for duplicates`() throws {
    try portal.fill(anna, names: scatteredNames(301))
    #expect(!anna.get("/contacts").hasLink(to: "/contacts/merge"))
    try portal.take(vCard(["FN:Vera", "TEL:1"]) + vCard(["FN:Vera", "TEL:2"]), of: anna)
    #expect(try finding() == .outdated)
    #expect(anna.get("/contacts").hasLink(to: "/contacts/merge"))
    #expect(try finding() == .some)
    _ = anna.get("/contacts/merge")
    #expect(try finding() == .some)
  }

  @Test func `duplicates found before a change of the address book are not stored`() throws {
    try portal.fill(anna, names: scatteredNames(301))
    let keys = try portal.keys(of: anna)
    try portal.write { try MergeMemory.outdate(in: $0.with(keys)) }
    let look = try portal.read {
      try MergeMemory.offer(of: 301, in: $0.with(keys))
    }
    #expect(!look.hasLikely && look.isNews)
    for _ in 0..<2 { _ = try anna.add("Vera") }
    try portal.write { try look.remember(in: $0.with(keys)) }
    #expect(try finding() == .outdated)
    #expect(anna.get("/contacts").hasLink(to: "/contacts/merge"))
  }
}
