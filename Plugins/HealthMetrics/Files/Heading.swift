import PolyclinicCore
import PolyclinicFormats

/// The name of a column in a file of measurements, as far as its meaning is known.
struct Heading: Sendable {
  /// The meaning of a column.
  enum Column: String, CaseIterable, Sendable {
    /// A date with its time.
    case moment
    /// A date, with or without its time.
    case date
    /// The time of a date in another column.
    case time
    /// AM or PM of a clock in another column.
    case half
    /// The zone in which times are written.
    case zone
    /// The offset of the local clock, while the times are in UTC, as Samsung Health writes it.
    case offset
    case value, unit, systolic, diastolic
    /// Both values of a reading, such as 120/80.
    case pressure
    case pulse, arm, note
    /// The person who was measured.
    case person
  }

  /// The meaning; nil for an unknown name, and for a unit in which the portal keeps no values.
  let column: Column?
  /// The place of the name among those of the column, of which the first is the best.
  let rank: Int
  /// The unit in the name; nil if there is none.
  let unit: Unit?

  /// A unit in the name of a column, or behind a number.
  enum Unit: Sendable {
    case kilograms, pounds, pressure, beats, utc
    /// A unit in which the portal keeps no values, such as stones.
    case foreign

    init?(_ text: String) {
      guard let unit = Self.words[Heading.key(text)] else { return nil }
      self = unit
    }

    func isOf(_ column: Column) -> Bool {
      switch column {
      case .value: self == .kilograms || self == .pounds
      case .systolic, .diastolic, .pressure: self == .pressure
      case .pulse: self == .beats
      case .moment, .date, .time: self == .utc
      case .half, .zone, .offset, .unit, .arm, .note, .person: true
      }
    }
  }

  /// Reads a name, without regard to case, accents and punctuation.
  init(_ name: String) {
    // Lines above the names may be longer than any name.
    let name = name.utf8.count <= Self.limit ? name : ""
    var (plain, bracket) = ("", "")
    var isInBracket = false
    for character in folded(name) {
      switch character {
      case "(", "[": isInBracket = true
      case ")", "]": isInBracket = false
      default: if isInBracket { bracket.append(character) } else { plain.append(character) }
      }
    }
    // Samsung Health puts the kind of data before the name.
    if plain.hasPrefix("com.samsung."), let last = plain.split(separator: ".").last {
      plain = String(last)
    }
    let key = Self.key(plain)
    var found = Self.words[key]
    var unit = bracket.contains("%") ? .foreign : Unit(bracket)
    if found == nil {
      for (word, suffix) in Unit.words where key.count > word.count && key.hasSuffix(word) {
        guard let shorter = Self.words[String(key.dropLast(word.count))] else { continue }
        (found, unit) = (shorter, suffix)
      }
    }
    let isStrange = found.map { found in unit.map { !$0.isOf(found.column) } ?? false } ?? true
    column = isStrange ? nil : found?.column
    rank = found?.rank ?? 0
    self.unit = unit
  }

  /// The longest name in bytes.
  private static let limit = 200

  /// Returns the letters and digits of a text, folded.
  static func key(_ text: String) -> String {
    String(
      folded(text).unicodeScalars.filter {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
  }

  private static let words: [String: (column: Column, rank: Int)] = {
    var words: [String: (column: Column, rank: Int)] = [:]
    for (column, names) in names {
      for (rank, name) in names.split(separator: ",").enumerated() {
        words[key(String(name))] = (column, rank)
      }
    }
    return words
  }()

  /// The names of each column, the best first: those of the portal's own files, then of devices and
  /// programs in English, Russian, Hebrew, German, Swedish, Norwegian, Danish, French, Spanish,
  /// Italian, Dutch and Polish.
  private static let names: [(Column, String)] = [
    (
      .moment,
      """
      measured at, timestamp unix ms, unix timestamp, timestamp, formatted timestamp, date time, date and time, start time,
      measured on, taken at, recorded at, дата и время, дата время, תאריך ושעה, תאריך וזמן, datum uhrzeit, datum zeit,
      datum und uhrzeit, zeitpunkt, zeitstempel, datum och tid, dato og tid, date et heure, fecha y hora, data e ora,
      datum en tijd, data i godzina
      """
    ),
    (
      .date,
      """
      date, measurement date, day, дата, дата измерения, תאריך, תאריך המדידה, תאריך מדידה, datum, messdatum, mätdatum,
      dato, date de mesure, fecha, data
      """
    ),
    (
      .time,
      """
      time, measurement time, time of day, clock, время, время измерения, שעה, שעת המדידה, זמן, uhrzeit, zeit, messzeit,
      tid, klockslag, klokkeslett, heure, hora, ora, tijd, godzina
      """
    ),
    (
      .zone,
      "time zone, zone, tz, utc offset, часовой пояс, אזור זמן, zeitzone, tidszon, fuseau horaire"
    ),
    (.offset, "time offset"),
    (
      .value,
      """
      value, weight, body weight, вес, масса тела, вес тела, масса, משקל, משקל גוף, gewicht, körpergewicht, vikt,
      kroppsvikt, vekt, vægt, poids, peso, waga
      """
    ),
    (
      .unit,
      """
      unit, units, weight unit, единица, единицы, единица измерения, יחידה, יחידות, יחידת מידה, einheit, enhet, unité,
      unidad, unità, eenheid, jednostka
      """
    ),
    (
      .systolic,
      """
      systolic, sys, systole, systolic pressure, systolic blood pressure, systolic bp, sbp, upper, upper value, сад,
      систолическое, систолическое давление, систолическое ад, верхнее, верхнее давление, סיסטולי, לחץ סיסטולי,
      לחץ דם סיסטולי, ערך עליון, systolisch, systolischer blutdruck, blutdruck systolisch, systoliskt, systoliskt blodtryck,
      systolisk, systolique, pression systolique, sistólica, presión sistólica, sistolica, pressione sistolica, bovendruk,
      skurczowe, ciśnienie skurczowe
      """
    ),
    (
      .diastolic,
      """
      diastolic, dia, diastole, diastolic pressure, diastolic blood pressure, diastolic bp, dbp, lower, lower value, дад,
      диастолическое, диастолическое давление, диастолическое ад, нижнее, нижнее давление, דיאסטולי, לחץ דיאסטולי,
      לחץ דם דיאסטולי, ערך תחתון, diastolisch, diastolischer blutdruck, blutdruck diastolisch, diastoliskt,
      diastoliskt blodtryck, diastolisk, diastolique, pression diastolique, diastólica, presión diastólica, diastolica,
      pressione diastolica, onderdruk, rozkurczowe, ciśnienie rozkurczowe
      """
    ),
    (
      .pressure,
      """
      blood pressure, bp, sys dia, systolic diastolic, reading, ад, давление, артериальное давление, לחץ דם, blutdruck,
      blodtryck, blodtrykk, tension, tension artérielle, pression artérielle, presión arterial, tensión arterial,
      pressione arteriosa, bloeddruk, ciśnienie
      """
    ),
    (
      .pulse,
      """
      pulse, pul, pulse rate, heart rate, hr, bpm, pr, beats per minute, пульс, чсс, частота пульса, דופק, קצב לב, puls,
      herzfrequenz, hjärtfrekvens, pouls, fréquence cardiaque, pulso, frecuencia cardíaca, frequenza cardiaca, polso,
      hartslag, tętno
      """
    ),
    (.arm, "arm, measured arm, рука, זרוע, יד, messarm, bras, brazo, braccio, ramię"),
    (
      .note,
      """
      note, notes, comment, comments, remark, remarks, memo, log, примечание, примечания, заметка, заметки, комментарий,
      комментарии, הערה, הערות, notiz, notizen, bemerkung, bemerkungen, kommentar, kommentare, anteckning, anteckningar,
      remarque, commentaire, nota, notas, comentario, commento, opmerking, notatka, uwagi
      """
    ),
    (
      .person,
      """
      user, user name, user id, person, name, first name, full name, profile, patient, member, пользователь, имя, фио,
      пациент, человек, профиль, משתמש, שם, מטופל, פרופיל, benutzer, nutzer, anwender, användare, bruger, bruker, utilisateur,
      usuario, utente, gebruiker, użytkownik
      """
    ),
  ]
}

extension Heading.Unit {
  fileprivate static let words: [String: Heading.Unit] = {
    let names: [(Heading.Unit, String)] = [
      (
        .kilograms,
        "kg, kgs, kilo, kilogram, kilograms, kilogramm, кг, килограмм, килограммы, ק״ג, קג, קילוגרם"
      ),
      (.pounds, "lb, lbs, lb_av, pound, pounds, фунт, фунты, ליברה, ליברות"),
      (.pressure, "mmhg, mm hg, мм рт ст, мм рт столба, ממ כספית, ממכ"),
      (
        .beats,
        "bpm, beats min, beats per minute, min, 1 min, per minute, уд мин, ударов мин, уд в мин, פעימות בדקה, פעימות לדקה, schläge min, slag min, spm"
      ),
      (.utc, "utc, gmt"),
      (.foreign, "st, stone, stones, kpa, кпа, g, г, oz, jin"),
    ]
    var words: [String: Heading.Unit] = [:]
    for (unit, names) in names {
      for name in names.split(separator: ",") { words[Heading.key(String(name))] = unit }
    }
    return words
  }()
}
