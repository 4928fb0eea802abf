import PolyclinicSystem
import Testing

@testable import PolyclinicCryptography

/// AES-256-GCM against published vectors, and against messages that it must refuse.
@Suite struct AESContextTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    var key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    var nonce = "cafebabefacedbaddecaf888"
    var plain = ""
    var binding = ""
    let sealed: String

    var testDescription: String { name }

    func context() throws -> AESContext {
      try AESContext(#require(SymmetricKey([UInt8](hex: key))))
    }
  }

  /// "The Galois/Counter Mode of Operation" (McGrew and Viega), appendix B, test cases 13 to 16.
  static let vectors = [
    Vector(
      name: "case 13", key: String(repeating: "0", count: 64),
      nonce: String(repeating: "0", count: 24), sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
    Vector(
      name: "case 14", key: String(repeating: "0", count: 64),
      nonce: String(repeating: "0", count: 24), plain: String(repeating: "0", count: 32),
      sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    Vector(
      name: "case 15",
      plain: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
        b16aedf5aa0de657ba637b391aafd255
        """,
      sealed: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
        c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c
        """),
    Vector(
      name: "case 16",
      plain: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
        b16aedf5aa0de657ba637b39
        """,
      binding: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      sealed: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
        c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b
        """),
  ]

  @Test(arguments: vectors)
  func `a message is sealed and opened as published`(vector: Vector) throws {
    var context = try vector.context()
    let (plain, binding) = ([UInt8](hex: vector.plain), [UInt8](hex: vector.binding))
    let nonce = [UInt8](hex: vector.nonce)
    let sealed = try context.seal(
      plain, nonce: AESContext.Nonce(nonce), binding: binding, behind: [7, 8])
    #expect(sealed.hexadecimalText == "0708" + vector.nonce + vector.sealed)
    #expect(context.open(sealed.dropFirst(2), binding: binding) == plain)
    let known = [UInt8](hex: vector.sealed)
    #expect(
      context.open(known[...], nonce: AESContext.Nonce(nonce), binding: binding) == plain)
  }

  @Test(arguments: vectors)
  func `no damaged or shortened message opens, and the next right one does`(
    vector: Vector
  ) throws {
    var context = try vector.context()
    let (sealed, binding) = (
      [UInt8](hex: vector.nonce + vector.sealed), [UInt8](hex: vector.binding)
    )
    for damaged in sealed.damaged {
      #expect(context.open(damaged[...], binding: binding) == nil)
    }
    for damaged in (binding + [0]).damaged where damaged != binding {
      #expect(context.open(sealed[...], binding: damaged) == nil)
    }
    #expect(context.open(sealed[...], binding: binding) == [UInt8](hex: vector.plain))
  }

  /// Wycheproof tries each of these on AES-GCM (`aes_gcm_test.json`).
  @Test func `a tag that is changed, empty, shortened or of another message is refused`() throws {
    var context = try Self.vectors[3].context()
    let vector = Self.vectors[3]
    let sealed = [UInt8](hex: vector.nonce + vector.sealed)
    let (text, tag) = (sealed.dropLast(16), sealed.suffix(16))
    let other = Array([UInt8](hex: Self.vectors[2].sealed).suffix(16))
    let inverted = tag.map { ~$0 }
    let wrong: [[UInt8]] =
      [[], .init(repeating: 0, count: 16), .init(repeating: 0xff, count: 16), other, inverted]
      + [4, 8, 12, 13, 14, 15].map { Array(tag.prefix($0)) }
      + (0..<128).map { bit in
        var changed = Array(tag)
        changed[bit / 8] ^= 1 << (bit % 8)
        return changed
      }
    for tag in wrong {
      let opened = context.open((text + tag)[...], binding: [UInt8](hex: vector.binding))
      #expect(opened == nil, "\(tag)")
    }
  }

  @Test func `chunks have nonces by their number and place`() {
    #expect(
      AESContext.Nonce(ofChunk: 258, isLast: false).bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0])
    #expect(
      AESContext.Nonce(ofChunk: 0, isLast: true).bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  }
}
