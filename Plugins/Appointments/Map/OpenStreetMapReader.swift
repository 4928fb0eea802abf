import CXML
import PolyclinicCore

/// A reader of extracts in OpenStreetMap's XML (wiki.openstreetmap.org/wiki/OSM_XML), by libxml2's
/// streaming reader.
struct OpenStreetMapReader {
  private var nodes: [Int64: MapPoint] = [:]
  private var ways: [Int64: [Int64]] = [:]
  private var element = Element()

  /// The maximum numbers of nodes, and of references to nodes and ways.
  private static let nodeLimit = 2_000_000
  private static let referenceLimit = 4_000_000
  /// The elements stand in `osm`; their tags and references stand in them.
  private static let depthLimit: Int32 = 3

  /// A node, way or relation while it is read.
  private struct Element {
    var name = ""
    var id: Int64 = 0
    var line: Int32 = 0
    var point: MapPoint?
    var tags = MapTags()
    var references: [Int64] = []
    var members: [(way: Int64, isInner: Bool)] = []
  }

  /// The points of all rings so far. They are counted before the rings are put together, because a
  /// relation can name a way often.
  private var ringPoints = 0
  private static let ringPointLimit = 4 * MapFile.pointLimit
  private var references = 0

  /// The maximum number of attributes of one element. OpenStreetMap's own have ten at most.
  private static let attributeLimit = 200

  /// Reads a file. Refuses a document type and entities, and loads nothing that the file names.
  static func read(_ bytes: [UInt8], into file: inout MapFile) throws {
    try countAttributes(bytes)
    try bytes.withUnsafeBytes { buffer in
      let options = Int32(
        XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
      guard
        let xml = xmlReaderForMemory(
          buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), nil,
          "UTF-8", options)
      else { throw MapFileError("The file", "is empty.") }
      defer { xmlFreeTextReader(xml) }
      var reader = OpenStreetMapReader()
      try reader.read(XML(reader: xml), into: &file)
    }
  }

  /// Throws ``MapFileError`` for an element with too many attributes. libxml2 compares each with
  /// all others before it reports the element, which takes minutes for some hundred thousand.
  ///
  /// Counts each `=` with a quotation mark since the last `<`. XML has no `<` within an element's
  /// tag.
  private static func countAttributes(_ bytes: [UInt8]) throws {
    var (line, attributes, isAfterEqual) = (1, 0, false)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): (attributes, isAfterEqual) = (0, false)
      case UInt8(ascii: "="): isAfterEqual = true
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if isAfterEqual { attributes += 1 }
        isAfterEqual = false
      default: isAfterEqual = false
      }
      guard attributes <= attributeLimit else {
        throw MapFileError("Line \(line)", "has an element with too many attributes.")
      }
    }
  }

  private mutating func read(_ xml: XML, into file: inout MapFile) throws {
    var isFirst = true
    while try xml.advance() {
      guard xml.depth <= Self.depthLimit else { throw xml.fault("is nested too deeply.") }
      switch xml.kind {
      case .documentType: throw xml.fault("has a document type, which is not allowed in a map.")
      case .start:
        let name = xml.name
        if isFirst, name != "osm" { throw xml.fault("does not begin an extract of OpenStreetMap.") }
        isFirst = false
        let isEmpty = xml.isEmpty
        try start(name, xml)
        if isEmpty, xml.depth == 1 { try end(into: &file) }
      case .end: if xml.depth == 1 { try end(into: &file) }
      case .other: break
      }
    }
    if isFirst { throw MapFileError("The file", "is empty.") }
  }

  private mutating func start(_ name: String, _ xml: XML) throws {
    switch (name, element.name) {
    case ("node", _), ("way", _), ("relation", _):
      element = Element(name: name, line: xml.line)
      let attributes = try xml.attributes(["id", "lat", "lon"])
      guard let id = attributes["id"].flatMap(Int64.init) else {
        throw xml.fault("has no number as its id.")
      }
      element.id = id
      if name == "node" { element.point = try point(attributes, xml) }
    case ("tag", "node"), ("tag", "way"), ("tag", "relation"):
      let attributes = try xml.attributes(["k", "v"])
      if let key = attributes["k"], let value = attributes["v"] { element.tags[key] = value }
    case ("nd", "way"):
      try refer(xml)
      if let node = try xml.attributes(["ref"])["ref"].flatMap(Int64.init) {
        element.references.append(node)
      }
    case ("member", "relation"):
      try refer(xml)
      let attributes = try xml.attributes(["type", "ref", "role"])
      if attributes["type"] == "way", let way = attributes["ref"].flatMap(Int64.init) {
        element.members.append((way, attributes["role"] == "inner"))
      }
    default: break
    }
  }

  private mutating func refer(_ xml: XML) throws {
    references += 1
    guard references <= Self.referenceLimit else {
      throw xml.fault(
        "is beyond the limit of \(Self.referenceLimit) references: choose a smaller area.")
    }
  }

  private func point(_ attributes: [String: String], _ xml: XML) throws -> MapPoint {
    guard let latitude = attributes["lat"].flatMap(Double.init),
      let longitude = attributes["lon"].flatMap(Double.init),
      let point = MapPoint(latitude: latitude, longitude: longitude)
    else { throw xml.fault("has no latitude and longitude in degrees.") }
    guard nodes.count < Self.nodeLimit else {
      throw xml.fault("is beyond the limit of \(Self.nodeLimit) nodes: choose a smaller area.")
    }
    return point
  }

  /// Adds the element that ends here to the file.
  private mutating func end(into file: inout MapFile) throws {
    defer { element = Element() }
    let place = "Line \(element.line)"
    switch element.name {
    case "node":
      nodes[element.id] = element.point
      if let point = element.point, !element.tags.isEmpty {
        try file.add(element.tags, .point, [[point]], at: place)
      }
    case "way":
      ways[element.id] = element.references
      if !element.tags.isEmpty { try addWay(to: &file, at: place) }
    case "relation":
      guard ["multipolygon", "boundary"].contains(element.tags["type"]) else { return }
      guard element.tags.kind(of: .area) != nil else {
        return try file.add(element.tags, .area, [], at: place)
      }
      try count(ringsAt: place)
      try file.add(element.tags, .area, rings, at: place)
    default: break
    }
  }

  /// Counts the points of the relation's rings. Throws ``MapFileError`` beyond the limit.
  private mutating func count(ringsAt place: String) throws {
    ringPoints += element.members.reduce(0) { $0 + (ways[$1.way]?.count ?? 0) }
    guard ringPoints <= Self.ringPointLimit else {
      throw MapFileError(
        place, "is beyond the limit of \(Self.ringPointLimit) points: choose a smaller area.")
    }
  }

  private func addWay(to file: inout MapFile, at place: String) throws {
    let points = element.references.compactMap { nodes[$0] }
    let isClosed =
      element.references.count >= 4 && element.references.first == element.references.last
    if isClosed && element.tags.isArea {
      try file.add(
        element.tags, .area, [points.unwrapped ?? points].map { $0.ring(isOuter: true) }, at: place)
    } else {
      try file.add(element.tags, .line, [points], at: place)
    }
  }

  /// The rings of a relation. An extract cuts ways off at its border; an open ring is closed by a
  /// straight line.
  private var rings: [[MapPoint]] {
    [false, true].flatMap { isInner in
      let parts = element.members.filter { $0.isInner == isInner }.compactMap { ways[$0.way] }
      return RingAssembly.rings(of: parts).map { ring in
        let points = ring.compactMap { nodes[$0] }
        return (points.unwrapped ?? points).ring(isOuter: !isInner)
      }
    }
  }
}

/// The position of libxml2's reader in a file.
private struct XML {
  let reader: xmlTextReaderPtr

  enum Kind { case start, end, documentType, other }

  var line: Int32 { xmlTextReaderGetParserLineNumber(reader) }
  var depth: Int32 { xmlTextReaderDepth(reader) }
  var isEmpty: Bool { xmlTextReaderIsEmptyElement(reader) == 1 }
  var name: String { Self.text(xmlTextReaderConstLocalName(reader)) ?? "" }

  var kind: Kind {
    switch xmlTextReaderNodeType(reader) {
    case Int32(XML_READER_TYPE_ELEMENT.rawValue): .start
    case Int32(XML_READER_TYPE_END_ELEMENT.rawValue): .end
    case Int32(XML_READER_TYPE_DOCUMENT_TYPE.rawValue),
      Int32(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
      .documentType
    default: .other
    }
  }

  func fault(_ reason: String) -> MapFileError { MapFileError("Line \(line)", reason) }

  /// Moves to the next node; false at the end of the file.
  func advance() throws -> Bool {
    let result = xmlTextReaderRead(reader)
    guard result >= 0 else { throw fault("is not well-formed XML in UTF-8.") }
    return result == 1
  }

  /// Returns those attributes of the current element that have one of these names.
  func attributes(_ names: Set<String>) throws -> [String: String] {
    var values: [String: String] = [:]
    while xmlTextReaderMoveToNextAttribute(reader) == 1 {
      let name = name
      guard names.contains(name) else { continue }
      guard let value = Self.text(xmlTextReaderConstValue(reader)) else {
        throw fault("has too many combining marks.")
      }
      values[name] = value
    }
    _ = xmlTextReaderMoveToElement(reader)
    return values
  }

  private static func text(_ start: UnsafePointer<xmlChar>?) -> String? {
    guard let start else { return "" }
    return IncomingText(UnsafeBufferPointer(start: start, count: Int(xmlStrlen(start)))).text
  }
}
