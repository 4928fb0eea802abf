import Foundation
import PolyclinicCore

/// A geographic position (WGS 84, the datum of GeoNames and `geo:` links).
public struct Coordinates: Sendable, Hashable {
  /// The latitude in degrees north, -90 to 90.
  public let latitude: Double
  /// The longitude in degrees east, -180 to 180.
  public let longitude: Double

  /// Creates a position; nil if a coordinate is out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The mean radius of the earth in kilometres (IUGG, R1; Moritz 2000, Geodetic Reference System
  /// 1980).
  public static let earthRadius = 6_371.0088

  /// Returns the great-circle distance in kilometres, by the haversine formula (Sinnott 1984,
  /// Virtues of the Haversine).
  ///
  /// The error is at most half a percent, because the earth is not a sphere.
  public func distance(to other: Coordinates) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    func haversine(_ angle: Double) -> Double { pow(sin(angle / 2), 2) }
    let north = haversine(radians(other.latitude - latitude))
    let east = haversine(radians(other.longitude - longitude))
    let h = north + cos(radians(latitude)) * cos(radians(other.latitude)) * east
    return 2 * Self.earthRadius * asin(min(1, h.squareRoot()))
  }

  /// Returns both coordinates in decimal degrees with six digits, a tenth of a metre:
  /// `53.902300,27.561800`.
  public func written(separator: String) -> String {
    [latitude, longitude].map(Self.written).joined(separator: separator)
  }

  private static func written(_ degrees: Double) -> String {
    let millionths = Int((abs(degrees) * 1_000_000).rounded())
    let fraction = String(millionths % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
    let sign = degrees < 0 && millionths > 0 ? "-" : ""
    return "\(sign)\(millionths / 1_000_000).\(zeros)\(fraction)"
  }
}
