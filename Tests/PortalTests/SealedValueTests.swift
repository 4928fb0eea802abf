import PolyclinicTesting
import Testing

/// Sealed, signed and secret texts: each opens only where it was made for.
@Suite struct SealedValueTests {
  @Test func `a text opens only in the places that it was made for`() throws {
    let values = try SealedValues()
    for place in values.places {
      let opened = try SealedValues.Kind.allCases.filter { kind in
        try values.texts[kind].map(place.opens) ?? false
      }
      #expect(Set(opened) == place.kinds, "\(place.name)")
    }
  }

  @Test func `each sealed field of a page is among the texts that are tried`() throws {
    let values = try SealedValues()
    let visitors = [
      values.patient, values.anna, values.filled.doctor, values.filled.receptionist,
      try values.portal.administrator(), values.portal.visitor(),
    ]
    var names: Set<String> = []
    for route in values.portal.routes where route.methods.contains(.get) {
      // The pages of records are those of their lists, with numbers.
      let path = route.path.replacing(/\{[^}]*\}/, with: "1")
      for visitor in visitors {
        let hidden = /<input type="hidden" name="([^"]+)" value="[A-Za-z0-9_-]{24,}"/
        names.formUnion(visitor.get(path).body.matches(of: hidden).map { String($0.1) })
      }
    }
    #expect(names == ["csrf", "once", "pending"])
  }
}
