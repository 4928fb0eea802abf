import PolyclinicCore
import PolyclinicDocuments

/// A doctor's photo: a small square that the decoder has drawn from a sent picture.
///
/// It is sealed with the portal's keys for the same reason as ``DoctorName``.
struct DoctorPhoto: Sendable {
  /// The address of the picture. A new photo has a new number, so browsers may keep each for long.
  static let address: Address<ID<DoctorPhoto>> = "/appointments/doctors/photos/{id}"

  let picture: Picture

  /// A table of its own, because an erasure deletes the photo while the doctor's row stays.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_doctor_photos (
      id_photo \(.identity),
      doctor \(.integer) NOT NULL UNIQUE
        REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      person \(.person),
      sealed_photo \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX appointments_doctor_photos_person ON appointments_doctor_photos (person)",
  ]

  private static let column: StaticString = "appointments_doctor_photos.sealed_photo"

  /// Returns the photo of a doctor; nil if there is none. Accepts any person's keys, because all of
  /// them give access to the portal's keys.
  static func find(of doctor: ID<Doctor>, by keys: Keys, in work: Work) throws -> DoctorPhoto? {
    try find("doctor = \(doctor)", by: keys, in: work)
  }

  private static func find(
    _ condition: SQL, by keys: Keys, in work: Work
  ) throws -> DoctorPhoto? {
    try work.row(
      "SELECT doctor, sealed_photo FROM appointments_doctor_photos WHERE \(condition)"
    ) { row in
      let doctor: ID<Doctor> = row.id(0)
      let bytes = try keys.portal.open(row.sealed(1), as: column, row: doctor.rawValue)
      return DoctorPhoto(picture: try Picture(bytes))
    }
  }

  /// Stores this photo in place of an earlier one. A doctor whose account was erased has none.
  func store(of doctor: ID<Doctor>, by keys: Keys, in work: Work) throws {
    try Self.remove(of: doctor, in: work)
    let sealed = try keys.portal.seal(picture.bytes, as: Self.column, row: doctor.rawValue)
    try work.run(
      """
      INSERT INTO appointments_doctor_photos (doctor, person, sealed_photo)
      SELECT id_doctor, person, \(sealed) FROM appointments_doctors
      WHERE id_doctor = \(doctor) AND person IS NOT NULL
      """)
  }

  static func remove(of doctor: ID<Doctor>, in work: Work) throws {
    try work.run("DELETE FROM appointments_doctor_photos WHERE doctor = \(doctor)")
  }

  /// Answers with the picture.
  @Sendable
  static func answer(_ context: Context) throws -> Response {
    let id = try address.value(in: context)
    guard let photo = try find("id_photo = \(id)", by: context.portal.keys, in: context) else {
      throw Refusal.notFound
    }
    return Response(200, .bytes(photo.picture.bytes, type: photo.picture.type))
      .adding(.init("Cache-Control", "private, max-age=604800, immutable"))
  }
}
