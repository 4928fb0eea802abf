import Dispatch
import PolyclinicCore
import PolyclinicSystem
import Synchronization
import Testing

@testable import PolyclinicCryptography

@Suite struct AESCipherTests {
  let key = SymmetricKey.random()
  let binding = Array("notes.sealed".utf8)
  let cipher: AESCipher

  init() throws { cipher = try AESCipher(key) }

  @Test(arguments: [0, 1, 15, 16, 17, 1_000, 8_192, 200_000])
  func `a sealed message has a version, a nonce and a tag, and opens`(count: Int) throws {
    let plain: [UInt8] = .random(count)
    let sealed = try cipher.seal(plain, binding: binding)
    #expect(sealed.first == 1 && sealed.count == 1 + 12 + count + 16)
    #expect(try cipher.open(sealed, binding: binding) == plain)
  }

  @Test func `a message that another implementation sealed opens`() throws {
    let key = try #require(SymmetricKey([UInt8](0..<32)))
    let sealed = [UInt8](
      hex: """
        016465666768696a6b6c6d6e6f0062ae030b9d33f04d0b308682515b352819cf32cffb194f183dbdf4
        """)
    #expect(try AESCipher(key).open(sealed, binding: binding) == Array("Hypertension".utf8))
  }

  @Test func `a message with a changed or lost byte fails, and the next one opens`() throws {
    let plain = Array("Hypertension".utf8)
    let sealed = try cipher.seal(plain, binding: binding)
    for damaged in sealed.damaged {
      #expect(throws: UnsealingError.self) { try cipher.open(damaged, binding: binding) }
      #expect(try cipher.open(sealed, binding: binding) == plain)
    }
  }

  @Test func `a message does not open with another binding or another key`() throws {
    let sealed = try cipher.seal([1, 2, 3], binding: binding)
    #expect(throws: UnsealingError.self) { try cipher.open(sealed, binding: binding + [0]) }
    let other = try AESCipher(.random())
    #expect(throws: UnsealingError.self) { try other.open(sealed, binding: binding) }
  }

  @Test func `1,000 messages have different nonces`() throws {
    let nonces = try (0..<1_000).map { _ in
      Array(try cipher.seal([], binding: binding)[1..<1 + AESContext.nonceLength])
    }
    #expect(Set(nonces).count == nonces.count)
  }

  @Test func `threads that share a cipher do not mix their messages`() throws {
    let failed = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for round in 0..<500 {
        let plain = [UInt8](repeating: UInt8(number), count: round)
        let sealed = try? cipher.seal(plain, binding: binding)
        let opened = sealed.flatMap { try? cipher.open($0, binding: binding) }
        if opened != plain { failed.add(1, ordering: .relaxed) }
      }
    }
    #expect(failed.load(ordering: .relaxed) == 0)
  }
}
