import PolyclinicCore

/// A folder's contribution to the module: its words, its tables, its addresses, and the personal data
/// that it stores. The module is the sum of its features.
struct Feature {
  /// The words of its pages.
  var words = Catalog()
  /// The statements that create its tables.
  var schema: [SQL] = []
  /// Its addresses, below `/appointments`.
  var routes: [Route] = []
  /// The personal data that it stores, as the privacy page lists it, with export and erasure.
  var personalData: PersonalData?
}
