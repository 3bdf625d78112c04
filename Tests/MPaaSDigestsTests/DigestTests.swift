import Foundation
import MPaaSDigests
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A digest") struct DigestTests {
  /// The digests of `abc`: RFC 1321, A.5; FIPS 180-4's examples; GB/T 32905, A.1; the CRC catalogue.
  static let known: [(DigestAlgorithm, String)] = [
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (.sm3, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    (.crc32c, "364b3fb7"),
  ]

  @Test("is that of the standards, however the bytes are held", arguments: known)
  func standards(_ algorithm: DigestAlgorithm, _ expected: String) {
    let bytes = Array("abc".utf8)
    #expect(algorithm.digest(of: bytes).hexadecimal == expected)
    #expect(algorithm.digest(of: "abc".utf8).hexadecimal == expected)
    #expect(algorithm.digest(of: bytes.reversed().reversed() as [UInt8]).hexadecimal == expected)
    #expect(algorithm.digest(of: Data(bytes).dropFirst(0)).hexadecimal == expected)
    #expect(algorithm.digest(of: Bytes(bytes)).hexadecimal == expected)
    #expect(bytes.withUnsafeBytes { algorithm.digest(of: $0) }.hexadecimal == expected)
    // A collection without memory of its own.
    #expect(algorithm.digest(of: bytes.lazy.map { $0 }).hexadecimal == expected)
  }

  @Test("of no bytes is one too")
  func empty() {
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect([UInt8]().sha256.hexadecimal == nothing)
    #expect(Bytes.empty.sha256.hexadecimal == nothing)
  }

  @Test("of pieces is that of the whole, and can be asked before the end", arguments: DigestAlgorithm.allCases)
  func running(_ algorithm: DigestAlgorithm) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var digest = RunningDigest(algorithm)
    digest.update(bytes[..<10])
    let begin = digest
    digest.update(bytes[10...].lazy.map { $0 })
    #expect(digest.value == algorithm.digest(of: bytes))
    #expect(digest.count == 1000)
    #expect(begin.value == algorithm.digest(of: bytes[..<10]))
    #expect(begin.count == 10)
  }

  @Test("of a file is that of its bytes, with their number")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }
    try Bytes(bytes).write(to: path)
    let whole = try DigestAlgorithm.sha256.digest(ofFile: path)
    #expect(whole.value == bytes.sha256)
    #expect(whole.size == 700_001)
    let small = UnsafeMutableRawBufferPointer.allocate(byteCount: 999, alignment: 1)
    defer { small.deallocate() }
    #expect(try DigestAlgorithm.sha1.digest(of: OpenFile(path), through: small).value.count == 20)
    #expect(throws: FileError.self) { try DigestAlgorithm.sha256.digest(ofFile: path + ".none") }
  }
}
