import Foundation
import PolyclinicCore

/// The countries of ISO 3166-1 and their names.
public enum Countries {
  /// All 249 officially assigned alpha-2 codes (ISO 3166-1), in alphabetical order.
  public static let all: [String] =
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS \
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE \
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM \
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC \
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA \
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO \
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split(separator: " ").map(String.init)

  /// Returns a country's name in a language (Unicode CLDR); nil unless `code` is a known code in
  /// capitals.
  public static func name(_ code: String, in language: Language) -> String? {
    names(in: language).byCode[code]
  }

  /// Returns the code and name of every country, sorted by name.
  public static func sorted(in language: Language) -> [(code: String, name: String)] {
    names(in: language).sorted
  }

  private struct Names: Sendable {
    let byCode: [String: String]
    let sorted: [(code: String, name: String)]

    init(_ language: Language) {
      let locale = Locale(identifier: language.code)
      let named = Countries.all.map { code in
        (code: code, name: locale.localizedString(forRegionCode: code) ?? code)
      }
      byCode = Dictionary(uniqueKeysWithValues: named.map { ($0.code, $0.name) })
      sorted =
        named.map { (country: $0, order: SearchText($0.name)) }
        .sorted { $0.order < $1.order }
        .map(\.country)
    }
  }

  private static let english = Names(.english)
  private static let russian = Names(.russian)
  private static let hebrew = Names(.hebrew)

  private static func names(in language: Language) -> Names {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }
}
