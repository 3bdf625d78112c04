import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("age") struct AgeTests {
  static let sizes = [0, 1, 47, 48, 65_535, 65_536, 65_537, 1 << 20]

  static func bytes(_ count: Int) -> Data {
    var pattern = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    while pattern.count < count { pattern.append(pattern) }
    return pattern.prefix(count)
  }

  @Test("what is encrypted is decrypted, of any size, armoured or not", arguments: sizes, [false, true])
  func roundTrip(size: Int, armored: Bool) throws {
    let identity = AgeIdentity.generate()
    let recipient = try #require(identity.recipient)
    let plaintext = Self.bytes(size)
    let file = try plaintext.withUnsafeBytes { try Age.encrypt($0, to: [recipient], armored: armored) }
    let read = try file.withUnsafeBytes { try Age.decrypt($0, with: [.generate(), identity], limit: size) }
    #expect(Data(read) == plaintext)
  }

  @Test("keys survive their text form, and a changed letter is found")
  func keys() throws {
    let identity = AgeIdentity.generate()
    let text = try #require(identity.text), public_ = try #require(identity.recipient?.text)
    #expect(try AgeIdentity(text).recipient?.text == public_)
    #expect(try AgeRecipient(public_).text == public_)
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "Q" ? "P" : "Q")
      #expect(throws: TrustError.self) { try AgeIdentity(changed) }
    }
    #expect(throws: TrustError.self) { try AgeIdentity(text.lowercased()) }
    #expect(throws: TrustError.self) { try AgeRecipient(public_.uppercased()) }
  }
}
