import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("What uploads are made of") struct PartsOfUploadsTests {
  @Test("Hexadecimal as others write it")
  func texts() {
    var random = SeededRandom(seed: 4)
    for size in 0..<100 {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
    }
    #expect([UInt8](hexadecimal: "abc") == nil)
    #expect([UInt8](hexadecimal: "zz") == nil)
  }

  @Test("references are resolved against the address that answered")
  func references() {
    let base = "https://a.example:8443/files/up?x=1"
    #expect(WebAddress.resolve("/b/1", on: base) == "https://a.example:8443/b/1")
    #expect(WebAddress.resolve("1", on: base) == "https://a.example:8443/files/1")
    #expect(WebAddress.resolve("//c.example/1", on: base) == "https://c.example/1")
    #expect(WebAddress.resolve("http://d/1?q=http://e", on: base) == "http://d/1?q=http://e")
    #expect(WebAddress.resolve("?id=2", on: base) == "https://a.example:8443/files/up?id=2")
    #expect(WebAddress.resolve("1", on: "http://a") == "http://a/1")
  }

  @Test("a file's digest from what passes by, whatever the order")
  func digests() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(bytes).write(to: URL(filePath: path))
    let whole = try FileDigest.of(path).hexadecimal
    let digest = FileDigest()
    func pass(_ range: Range<Int>) {
      bytes.withUnsafeBytes { digest.take(UnsafeRawBufferPointer(rebasing: $0[range]), at: UInt64(range.lowerBound)) }
    }
    pass(0..<1000)
    pass(500..<2000)
    pass(5000..<6000)
    #expect(digest.position == 2000)
    try digest.advance(path, to: 600_000)
    #expect(digest.hexadecimal == whole)
  }

  @Test("a body of pieces is given in order, and again after it is rewound")
  func bodies() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(filePath: path))
    var passed: [UInt8] = []
    let pieces: [HTTPCall.Piece] = [
      .bytes(Bytes([1, 2, 3])), .file(path: path, offset: 100, size: 200), .bytes(.empty), .bytes(Bytes([4])),
    ]
    let body = try CallBody(pieces, passing: { passed += $0 })
    #expect(body.size == 204)
    func all() -> [UInt8] {
      var got: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 7)
      while true {
        let count = buffer.withUnsafeMutableBytes { body.give(into: $0) }
        if count == 0 { return got }
        got += buffer[..<count]
      }
    }
    let wanted = [1, 2, 3] + Array(bytes[100..<300]) + [4]
    #expect(all() == wanted)
    #expect(body.rewind(to: 150))
    #expect(all() == Array(wanted[150...]))
    #expect(passed == Array(bytes[100..<300]))
    #expect(!body.rewind(to: 205))
  }

  @Test("the rate is held over a time, with a tenth of a second at once")
  func rates() {
    let limiter = RateLimiter(1000, now: { .zero })
    #expect(limiter.pause(for: 100) == .zero)
    #expect(limiter.pause(for: 1000) == .zero)
    #expect(limiter.pause(for: 500) == .seconds(1))
    #expect(limiter.pause(for: 1) == .milliseconds(1500))
    #expect(RateLimiter(nil, now: { .zero }).pause(for: 1 << 40) == .zero)
  }

  @Test("elements of a store's answers")
  func elements() {
    func upload(_ text: String) -> String? { HTTPReply(status: 200, body: Array(text.utf8)).element("UploadId") }
    #expect(upload("<A><UploadId>x/1</UploadId></A>") == "x/1")
    #expect(upload("<A><UploadId>x") == nil)
  }
}
