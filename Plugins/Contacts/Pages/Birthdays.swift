import PolyclinicCore

/// An upcoming birthday of a contact.
struct Birthday: Sendable {
  let contact: ID<Contact>
  let name: SearchText
  let date: CalendarDate
  /// The age that the contact reaches on that day; nil if the year of birth is unknown or still to
  /// come.
  let age: Int?

  /// Creates the contact's next birthday. Returns nil if the entry has no day of birth.
  init?(of entry: Contact.Entry, onOrAfter today: CalendarDate) {
    guard let day = entry.birthday?.monthDay ?? entry.yearlessBirthday,
      let date = day.next(onOrAfter: today)
    else { return nil }
    contact = entry.id
    name = entry.name
    self.date = date
    age = entry.birthday.flatMap { Self.age(of: $0, on: date) }
  }

  /// Returns the age in years on a birthday; nil if it is less than one.
  static func age(of born: CalendarDate, on date: CalendarDate) -> Int? {
    date.year > born.year ? date.year - born.year : nil
  }
}

extension Birthday {
  /// The number of days that the card looks ahead.
  private static let daysAhead = 30
  /// The most birthdays that the card lists, because it is only a part of a page.
  private static let mostShown = 10

  /// Returns the card of the birthdays in the next 30 days; nil if there are none.
  static func card(_ context: Context) throws -> HTML? {
    let today = context.today
    // A set lookup for each contact is quicker than computing each contact's next birthday.
    let days = Self.days(from: today)
    var near: [Birthday] = []
    try Contact.index.forEach(in: context) { entry in
      guard let day = entry.birthday?.monthDay ?? entry.yearlessBirthday, days.contains(day),
        let birthday = Birthday(of: entry, onOrAfter: today)
      else { return }
      near.append(birthday)
    }
    if near.isEmpty { return nil }
    near.sort { ($0.date, $0.name, $0.contact) < ($1.date, $1.name, $1.contact) }
    let rest = near.count - Self.mostShown
    let more: HTML? =
      rest > 0 ? "<p class=\"muted\">\(context.text("birthdays.more", count: rest))</p>" : nil
    return "<ul>\(each: near.prefix(Self.mostShown), { line($0, today, context) })</ul>\(more)"
  }

  /// Returns the days of birth with a birthday within the next ``daysAhead`` days.
  static func days(from today: CalendarDate) -> Set<CalendarDate.MonthDay> {
    var days: Set<CalendarDate.MonthDay> = []
    for date in (0...daysAhead).map(today.adding) {
      days.insert(date.monthDay)
      let leapDay = CalendarDate.MonthDay(month: 2, day: 29)
      if leapDay.date(in: date.year) == date { days.insert(leapDay) }
    }
    return days
  }

  private static func line(_ birthday: Birthday, _ today: CalendarDate, _ context: Context) -> HTML
  {
    let day =
      switch birthday.date.daysSince1970 - today.daysSince1970 {
      case 0: context.text("birthdays.today")
      case 1: context.text("birthdays.tomorrow")
      default: context.formats.monthDay(birthday.date.monthDay)
      }
    let age: HTML? = birthday.age.map { ", \(context.text("birthday.turns", count: $0))" }
    return """
      <li><a href="\(ContactPage.path(birthday.contact))"><bdi>\(birthday.name.string)</bdi></a>\
      <span class="secondary-text"> · \(day)\(age)</span></li>
      """
  }
}
