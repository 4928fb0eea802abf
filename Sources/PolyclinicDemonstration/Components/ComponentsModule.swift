import PolyclinicCharts
import PolyclinicCore

/// A page with every component of the core and those of modules that every page has the style of, to
/// look at and to test. Only a demonstration portal has it, and no link leads there.
package struct ComponentsModule: Module {
  package let id: ModuleID = "components"
  package var title: Text { "title" }
  package var catalog: Catalog {
    Catalog(
      en: [PackageResources.components_en_json], ru: [PackageResources.components_ru_json],
      he: [PackageResources.components_he_json])
  }
  package var assets: [Page.Asset] { [.components] }
  package var personalData: PersonalData { .none(impersonal: [:]) }

  package init() {}

  package var routes: [Route] {
    [
      .get("", access: .everyone, show), SampleForm.route, SampleQuestion.route,
    ]
  }

  private func show(_ context: Context) throws -> Response {
    let samples = ComponentSamples(context: context)
    return .page(
      Page(
        title, samples.html,
        actions: """
          \(actions:
            context.button("form.title", to: SampleForm.path),
            context.button("question.title", to: SampleQuestion.path, style: [.danger, .secondary]))
          """,
        assets: Chart.assets + [.copy, .components], width: .wide))
  }
}

extension Page.Asset {
  /// The style of the samples of tokens and icons.
  fileprivate static let components = Page.Asset("components.css", PackageResources.components_css)
}

/// A form with one field of each kind. Nothing is stored.
struct SampleForm: RoutedForm {
  static let address: Address<Void> = "/components/form"
  static let access = Access.everyone
  static let title: Text = "form.title"
  static let form = Form(
    Draft(),
    .text(\.name, "name", required: true, hint: "field.name.hint"),
    .email(\.email, "email"), .telephone(\.phone, "phone"),
    .date(\.birthday, "birthday"), .time(\.start, "start"), .dateTime(\.measured, "measured"),
    .integer(\.number, "number", in: 1...300), .choice(\.kind, "kind"),
    .lines(\.notes, "notes"), .check(\.agreed, "agreed"),
    .rows(\.ways, "way", limit: 5, of: Way.form))
  static let cancel: Path = "/components"

  struct Draft: Sendable {
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
  }

  enum Kind: String, CaseIterable, Sendable { case first, second }

  struct Way: Sendable {
    var kind = Kind.first
    var value = ""

    static let form = Form(
      Way(), .choice(\.kind, "kind"), .text(\.value, "value", required: true))
  }

  init(_ context: Context) {}

  func save(_ draft: Draft, in context: Context) -> Redirect { Redirect(to: Self.cancel) }
}

/// A question with Yes and No, which change nothing.
struct SampleQuestion: RoutedForm {
  static let address: Address<Void> = "/components/question"
  static let access = Access.everyone
  static let title: Text = "question.title"
  static let cancel: Path = "/components"
  static let isQuestion = true

  let about: HTML?

  init(_ context: Context) { about = "<p>\(context.text("question.text"))</p>" }

  func save(_ draft: Void, in context: Context) -> Redirect { Redirect(to: Self.cancel) }
}
