import PolyclinicCore

private let administrator = Access.role(.administrator)

/// The addresses of special hours, and of the appointments that fall outside the hours.
enum HoursRoutes {
  static var all: [Route] { special + outside + own }

  private static var special: [Route] {
    [
      .form(
        "admin/doctors/{id}/exceptions/new", SpecialHoursDraft.doctorForm,
        title: "admin.exceptions.new", cancel: "admin/doctors/{id}", access: administrator,
        start: SpecialHoursPages.ofDoctor.blank, save: SpecialHoursPages.ofDoctor.create),
      .form(
        "admin/clinics/{id}/exceptions/new", SpecialHoursDraft.clinicForm,
        title: "admin.closed-days.new", cancel: "admin/clinics/{id}", access: administrator,
        start: SpecialHoursPages.ofClinic.blank, save: SpecialHoursPages.ofClinic.create),
      .get("admin/exceptions/{id}", access: administrator, SpecialHoursPages.ofDoctor.show),
      BookingsOutsideHoursPages.ofDaysOff(at: .administration).cancelling(
        at: "admin/exceptions/{id}/cancel", page: "admin/exceptions/{id}", access: administrator),
      BookingsOutsideHoursPages.ofDaysOff(at: .administration).rescheduling(
        at: "admin/exceptions/{id}/move", page: "admin/exceptions/{id}", access: administrator),
      .confirm(
        "admin/exceptions/{id}/delete", title: "admin.exception.delete.title",
        question: SpecialHoursPages.ofDoctor.deleteQuestion, yes: "delete.yes",
        cancel: "admin/exceptions/{id}", access: administrator,
        save: SpecialHoursPages.ofDoctor.delete),
    ]
  }

  /// For appointments outside the working hours, after the hours or the clinic's time zone have
  /// changed.
  private static var outside: [Route] {
    let (doctor, clinic) = (BookingsOutsideHoursPages.ofDoctor, BookingsOutsideHoursPages.ofClinic)
    return [
      .get("admin/doctors/{id}/outside", access: administrator, doctor.show),
      doctor.cancelling(
        at: "admin/doctors/{id}/outside/cancel", page: "admin/doctors/{id}/outside",
        access: administrator),
      doctor.rescheduling(
        at: "admin/doctors/{id}/outside/move", page: "admin/doctors/{id}/outside",
        access: administrator),
      .get("admin/clinics/{id}/outside", access: administrator, clinic.show),
      clinic.cancelling(
        at: "admin/clinics/{id}/outside/cancel", page: "admin/clinics/{id}/outside",
        access: administrator),
      clinic.rescheduling(
        at: "admin/clinics/{id}/outside/move", page: "admin/clinics/{id}/outside",
        access: administrator),
    ]
  }

  /// The pages on which doctors enter their own days off.
  private static var own: [Route] {
    let (pages, bookings) = (
      SpecialHoursPages.own, BookingsOutsideHoursPages.ofDaysOff(at: .own)
    )
    let outside = BookingsOutsideHoursPages.own
    let routes: [Route] = [
      .get("hours", access: .role(.doctor), OwnHoursPage.show),
      .form(
        "hours/new", SpecialHoursDraft.doctorForm, title: "admin.exceptions.new", cancel: "hours",
        access: .role(.doctor), start: pages.blank, save: pages.create),
      .get("hours/outside", access: .role(.doctor), outside.show),
      outside.cancelling(
        at: "hours/outside/cancel", page: "hours/outside", access: .role(.doctor)),
      outside.rescheduling(
        at: "hours/outside/move", page: "hours/outside", access: .role(.doctor)),
      .get("hours/{id}", access: .role(.doctor), pages.show),
      bookings.cancelling(
        at: "hours/{id}/cancel", page: "hours/{id}", access: .role(.doctor)),
      bookings.rescheduling(
        at: "hours/{id}/move", page: "hours/{id}", access: .role(.doctor)),
      .confirm(
        "hours/{id}/delete", title: "admin.exception.delete.title",
        question: pages.deleteQuestion, yes: "delete.yes", cancel: "hours/{id}",
        access: .role(.doctor), save: pages.delete),
    ]
    return routes.map { $0.marking("day") }
  }
}
