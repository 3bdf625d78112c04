import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSTrustTools

@Suite("BLAKE2b") struct BLAKE2bTests {
  static func hex(_ message: [UInt8], _ size: Int = 64) -> String {
    Data(message.withUnsafeBytes { BLAKE2b.digest($0, size: size) }).hexadecimal
  }

  @Test("of \"abc\" is what RFC 7693, appendix A, says")
  func abc() {
    let expected =
      "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc95"
      + "18d38aa8dbf1925ab92386edd4009923"
    #expect(Self.hex(Array("abc".utf8)) == expected)
  }

  @Test("of every length around a block is what Python's library says", .tool("python3"))
  func lengths() throws {
    let script = """
      import hashlib
      for n in [0, 1, 63, 64, 127, 128, 129, 255, 256, 257, 1000]:
        m = bytes((i * 7 + 3) % 256 for i in range(n))
        print(n, hashlib.blake2b(m).hexdigest(), hashlib.blake2b(m, digest_size=32).hexdigest())
      """
    let output = try Command.run("python3", ["-c", script]).output
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 11)
    for line in lines {
      let message = (0..<(Int(line[0]) ?? 0)).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
      #expect(Self.hex(message) == line[1], "\(line[0]) bytes")
      #expect(Self.hex(message, 32) == line[2], "\(line[0]) bytes")
    }
  }
}
