import PolyclinicCore
import PolyclinicDocuments

/// The form in which a doctor or an administrator sends the doctor's photo, and the button that
/// removes it.
protocol DoctorPhotoForm: RoutedForm
where Value == ID<Doctor>, Draft == DoctorPhotoDraft {
  /// The address of the button that removes the photo.
  static var removal: Address<ID<Doctor>> { get }
  /// The doctor whose photo it is.
  var doctor: Doctor { get }
  var context: Context { get }
}

/// A photo before it is stored.
struct DoctorPhotoDraft: Sendable {
  var file = ""
  /// The decoded picture of the file.
  var photo: DoctorPhoto?

  /// Lists the image types, because iPhones convert HEIC to JPEG only if `image/*` is not accepted.
  static let form = Form(
    DoctorPhotoDraft(),
    .file(
      \.file, "photo", accept: "image/png,image/jpeg,image/webp", limit: 10 << 20,
      hint: "field.photo.hint"))
}

extension DoctorPhotoForm {
  static var title: Text { "doctor.photo" }
  static var form: Form<DoctorPhotoDraft> { DoctorPhotoDraft.form }
  static var preparesOnce: Bool { true }

  /// The routes of the form and of the button.
  static var routes: [Route] {
    [
      route,
      .post(removal.pattern, access: access, save: remove).saying("doctor.photo.removed")
        .leadingBack(to: cancel),
    ]
  }

  /// The present photo; nil without one.
  var about: HTML? {
    doctor.name.photo.map { photo in
      """
      <div class="title"><div class="with-initial">\(HTML.avatar(of: "", photo: photo))\
      <p>\(context.text("doctor.photo.present"))</p></div></div>
      """
    }
  }

  func prepare(_ draft: inout DoctorPhotoDraft, in context: Context) throws {
    draft.photo = DoctorPhoto(picture: try context.portrait(in: "photo", limit: 10 << 20))
  }

  func save(_ draft: DoctorPhotoDraft, in context: Context) throws -> Redirect {
    try draft.photo?.store(of: doctor.id, by: context.portal.keys, in: context)
    return Redirect(to: Self.cancel.filled(with: context.request.parameters))
  }

  private static func remove(_ context: Context) throws -> Path {
    try DoctorPhoto.remove(of: Self(context).doctor.id, in: context)
    return cancel.filled(with: context.request.parameters)
  }

  /// Returns the links that change the photo, and the button that removes it.
  static func buttons(for doctor: Doctor, _ context: Context) -> [HTML] {
    let change = context.button(
      doctor.name.photo == nil ? "doctor.photo.add" : "doctor.photo.change", to: path(doctor.id),
      style: .secondary)
    guard doctor.name.photo != nil else { return [change] }
    return [
      change,
      context.button(
        "doctor.photo.remove", posts: removal.path(doctor.id), style: [.plain, .danger]),
    ]
  }
}

/// The form in which doctors send their own photo.
struct OwnPhotoForm: DoctorPhotoForm {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}/photo"
  static let removal: Address<ID<Doctor>> = "/appointments/doctors/{id}/photo/remove"
  static let access = Access.role(.doctor)
  static let cancel = DoctorPage.address.pattern

  let doctor: Doctor
  let context: Context

  /// Throws ``Refusal/notFound`` if the doctor in the path is not the visitor.
  init(_ context: Context) throws {
    self.context = context
    doctor = try Doctor.own(in: context)
  }
}
