/// A place on the earth (WGS 84, as GeoNames and `geo:` links have it).
struct Coordinates: Sendable, Hashable {
  /// Degrees north, -90 to 90.
  let latitude: Double
  /// Degrees east, -180 to 180.
  let longitude: Double

  /// Nil when there is no such place on the earth.
  init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
