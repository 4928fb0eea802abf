import PolyclinicCharts
import PolyclinicCore

/// A page with every component of the core, to look at and to test. Only a demonstration portal has
/// it, and no link leads there.
package struct ComponentsModule: Module {
  package let id: ModuleID = "components"
  package var title: Text { "title" }
  package var catalog: Catalog {
    Catalog(
      en: [PackageResources.components_en_json], ru: [PackageResources.components_ru_json],
      he: [PackageResources.components_he_json])
  }
  package var personalData: PersonalData { .none(impersonal: [:]) }

  package init() {}

  package var routes: [Route] {
    [
      .get("", access: .everyone, show),
      .form(
        "form", SampleForm.form, title: "form.title", cancel: "", access: .everyone,
        start: { _ in SampleForm() }, save: { _, _ in "" }),
      .confirm(
        "question", title: "question.title",
        question: { "<p>\($0.text("question.text"))</p>" }, cancel: "", access: .everyone,
        save: { _ in "" }),
    ]
  }

  private func show(_ context: Context) throws -> Response {
    let samples = ComponentSamples(context: context)
    return .page(
      Page(
        title, samples.html,
        actions: """
          \(actions:
            context.button("form.title", to: "/components/form"),
            context.button("question.title", to: "/components/question", style: [.danger, .secondary]))
          """,
        assets: Chart.assets + [.copy], width: .wide))
  }
}

/// A form with one field of each kind. Nothing is stored.
struct SampleForm: Sendable {
  var name = ""
  var email = ""
  var phone = ""
  var birthday: CalendarDate?
  var start: TimeOfDay?
  var measured: ZonedTime?
  var number: Int?
  var kind = Kind.first
  var notes = ""
  var agreed = false
  var ways: [Way] = []

  enum Kind: String, CaseIterable, Sendable { case first, second }

  struct Way: Sendable {
    var kind = Kind.first
    var value = ""

    static let form = Form(
      Way(), .choice(\.kind, "kind"), .text(\.value, "value", required: true))
  }

  static let form = Form(
    SampleForm(),
    .text(\.name, "name", required: true, hint: "field.name.hint"),
    .email(\.email, "email"), .telephone(\.phone, "phone"),
    .date(\.birthday, "birthday"), .time(\.start, "start"), .dateTime(\.measured, "measured"),
    .integer(\.number, "number", in: 1...300), .choice(\.kind, "kind"),
    .lines(\.notes, "notes"), .check(\.agreed, "agreed"),
    .rows(\.ways, "way", limit: 5, of: Way.form))
}
