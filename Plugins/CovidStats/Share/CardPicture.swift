import Foundation
import PolyclinicCore
import Synchronization

/// The PNG of a share card, drawn by librsvg's program in a child process.
///
/// The picture is stored until the figures change, so that visitors cause at most one drawing for
/// each country and language.
struct CardPicture {
  let country: String
  let language: Language

  static let schema: SQL =
    """
    CREATE TABLE covid_stats_cards (
      country TEXT NOT NULL REFERENCES covid_stats_countries (country) ON DELETE CASCADE,
      language TEXT NOT NULL, png \(.bytes) NOT NULL, PRIMARY KEY (country, language)
    ) \(.strict)
    """

  private static let program = "/usr/bin/rsvg-convert"
  private static let secondLimit = 10
  private static let byteLimit = 4 << 20
  /// Held while this process draws a picture.
  private static let turn = Mutex<Void>(())

  static var isProgramMissing: Bool { !FileManager.default.isExecutableFile(atPath: program) }

  /// The reason for which pictures cannot be drawn, or nil.
  static var problem: String? {
    isProgramMissing
      ? "no cards are drawn as PNG: install librsvg2-bin and fonts-dejavu-core" : nil
  }

  /// Returns the stored picture; nil if none was drawn since the last refresh.
  func find(in work: Work) throws -> [UInt8]? {
    try work.row(
      """
      SELECT png FROM covid_stats_cards WHERE country = \(country) AND language = \(language.code)
      """
    ) { $0.bytes(0) }
  }

  /// Draws the card. Throws ``Refusal/tooMany(retryAfter:)`` while another one is being drawn, and
  /// ``DrawingFailure``.
  func draw(_ svg: HTML) throws -> [UInt8] {
    let drawn = try Self.turn.withLockIfAvailable { _ in
      try ChildProgram(
        ["/usr/bin/timeout", "\(Self.secondLimit)", Self.program, "--format", "png"]
      ).run(input: svg.bytes, outputLimit: Self.byteLimit)
    }
    guard let (status, png) = drawn else { throw Refusal.tooMany(retryAfter: .seconds(1)) }
    guard status == 0, !png.isEmpty else { throw DrawingFailure(status: status) }
    return png
  }

  func save(_ png: [UInt8], in work: Work) throws {
    try work.run(
      """
      INSERT INTO covid_stats_cards (country, language, png)
      VALUES (\(country), \(language.code), \(png))
      ON CONFLICT (country, language) DO UPDATE SET png = excluded.png
      """)
  }
}

/// The drawing program ended with this exit status.
struct DrawingFailure: Error {
  let status: Int32
}
