import PolyclinicCore
import PolyclinicSystem

/// The names in a new module's source. All are derived from its id and its record.
struct ModuleNames: Equatable {
  /// The module's id, such as `lab-results`.
  let id: String
  /// The target, such as `LabResults`.
  let target: String
  /// The type of the record, such as `LabResult`.
  let record: String

  /// The most characters of an id or a record.
  private static let limit = 40

  /// Throws ``Misuse`` if a name cannot be used. `taken` are the ids that are in use.
  init(id: String, record: String? = nil, taken: Set<String> = []) throws {
    guard id.utf8.count <= Self.limit, ModuleID.isValid(id) else {
      throw Misuse(
        "\"\(id.prefix(Self.limit))\" is no module id: use lower-case letters and digits in words "
          + "joined by hyphens, such as \"lab-results\", with at most \(Self.limit) characters.")
    }
    guard !taken.contains(id) else {
      throw Misuse("The id \"\(id)\" is in use. Choose another one.")
    }
    let words = id.split(separator: "-").map(String.init)
    self.id = id
    target = Self.joined(words)
    self.record = record ?? Self.record(of: words)
    guard !Self.reserved.contains(target) else {
      throw Misuse(
        "The id \"\(id)\" would name the target \(target), which Swift or the portal uses.")
    }
    guard Self.isTypeName(self.record), !Self.reserved.contains(self.record) else {
      throw Misuse(
        "\"\(self.record.prefix(Self.limit))\" cannot name a record: choose a Swift type name that "
          + "the portal does not use, such as \"LabResult\".")
    }
    guard self.record != target else {
      throw Misuse(
        "The record cannot be called \(target), as its target is. Choose another name with "
          + "--record.")
    }
  }

  /// The title in words, such as `Lab results`.
  var title: String {
    let words = id.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns the text of a template, in which the names of the sample are replaced by these.
  func filled(_ template: String, names package: PackageNames? = nil, isCode: Bool = true) -> String
  {
    template.replacing(/"..\/polyclinic"|"polyclinic"|allergies_|id_allergy|[Aa]llergies|Allergy/) {
      switch $0.output {
      case "\"../polyclinic\"": package.map { Self.literal($0.path) } ?? String($0.output)
      case "\"polyclinic\"": package.map { Self.literal($0.name) } ?? String($0.output)
      case "allergies_": String(id.map { $0 == "-" ? "_" : $0 }) + "_"
      case "id_allergy": "id_" + Self.column(record)
      case "Allergies": isCode ? target : title
      case "Allergy": record
      default: id
      }
    }
  }

  /// The path and the name by which another package depends on the portal.
  struct PackageNames {
    let path: String
    let name: String
  }

  private static func joined(_ words: [String]) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Returns the singular of the last word, such as `LabResult` for `lab-results`. A word that is no
  /// plural becomes the name of an entry, such as `DiaryEntry`.
  private static func record(of words: [String]) -> String {
    let last = words.last ?? ""
    let singular: String =
      if last.hasSuffix("ies"), last.utf8.count > 4 {
        last.dropLast(3) + "y"
      } else if ["ses", "xes", "ches", "shes"].contains(where: last.hasSuffix) {
        String(last.dropLast(2))
      } else if last.hasSuffix("s"), !last.hasSuffix("ss"), last.utf8.count > 2 {
        String(last.dropLast())
      } else {
        last + "Entry"
      }
    let name = joined(words.dropLast() + [singular])
    return reserved.contains(name) ? name + "Entry" : name
  }

  private static func isTypeName(_ name: String) -> Bool {
    name.utf8.count <= limit && name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil
  }

  /// Returns the name of a column, such as `lab_result` for `LabResult`.
  private static func column(_ type: String) -> String {
    type.replacing(/(.)([A-Z])/) { "\($0.1)_\($0.2)" }.lowercased()
  }

  private static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// The names that a module's source needs for other types and modules.
  private static let reserved: Set<String> = [
    "Access", "Any", "Array", "Bool", "CYaml", "Card", "Catalog", "Command", "Connection",
    "Context", "Core", "Data", "Date", "Dispatch", "Distributed", "Double", "Fields", "Form",
    "Foundation", "Glibc", "ID", "Instant", "Int", "Job", "Keys", "Language", "Link", "Logging",
    "Migration", "Module", "ModuleContract", "ModuleID", "Notice", "Observation",
    "PackageResources", "Page", "Path", "Person", "PersonalData", "Portal", "Protocol", "Record",
    "RecordKind", "Records", "Request", "Resealable", "Resource", "Response", "Role", "Route",
    "Row", "Sealed", "Self", "Set", "Setting", "String", "Suite", "Swift", "Synchronization",
    "Test", "TestPortal", "Testing", "Tests", "Text", "Type", "Visitor", "Yams", "Zone",
  ]
}
