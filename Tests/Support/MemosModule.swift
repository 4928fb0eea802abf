import PolyclinicCore

/// A line of text: a record that is stored in one row.
package struct Memo: Resealable {
  package var line = ""
  package var unknown = Sealed.UnknownFields()

  package init(line: String = "") { self.line = line }

  package static let form = Form(Memo(), .text(\.line, "line", required: true, limit: 100))
  package static let records = Records(
    "memos", id: "id_memo", form: form,
    index: form.excerpt(in: "memos_index", \.line, by: \.line), title: \.line,
    alongside: { memo, id, work in
      try work.run("UPDATE memos SET length = \(memo.line.count) WHERE id_memo = \(id)")
    })
}

/// A module of memos whose declarations a test can replace.
package struct MemosModule: Module {
  package let id: ModuleID = "memos"
  package let personalData: PersonalData
  package let rebuildableIndexes: [RebuildableIndex]
  package let trash: Trash?
  package let recoveries = [Memo.records.recovery("memos")]

  package init(
    personalData: PersonalData = PersonalData(
      impersonal: ["memos.length": "a sample of a plain column"], export: Memo.records.export),
    rebuildableIndexes: [RebuildableIndex] = [Memo.records.rebuildableIndex],
    trash: Trash? = Memo.records.trash(leadingTo: "")
  ) {
    self.personalData = personalData
    self.rebuildableIndexes = rebuildableIndexes
    self.trash = trash
  }

  package var title: Text { "title" }
  package var catalog: Catalog { .titled("Memos", #""field.line": "Line""#) }
  package var migrations: [Migration] {
    [
      Migration("0001-memos", Memo.records.schema),
      Migration("0002-length", "ALTER TABLE memos ADD COLUMN length \(.integer)"),
    ]
  }
  package var routes: [Route] {
    [.create("new", Memo.records, title: "title", list: "/")]
  }
}
