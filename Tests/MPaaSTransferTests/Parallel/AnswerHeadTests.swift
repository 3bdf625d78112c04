import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("The head of an answer") struct AnswerHeadTests {
  private func head(_ lines: String...) -> AnswerHead {
    var head = AnswerHead()
    for line in lines { head.take(line + "\r\n") }
    return head
  }

  @Test("keeps all values of a name that comes more than once, and forgets them with the next head")
  func repeated() {
    var cookies = head("HTTP/1.1 200 OK", "Set-Cookie: a=1", "set-cookie: b=2", "X: 1")
    #expect(cookies.repeated == ["set-cookie": ["a=1", "b=2"]])
    #expect(cookies.fields == ["set-cookie": "b=2", "x": "1"])
    cookies.take("HTTP/1.1 200 OK\r\n")
    #expect(cookies.repeated.isEmpty)
  }

  @Test("only what is exactly a range counts as one, with a first byte that is not behind the last")
  func ranges() {
    let good = head("HTTP/1.1 206 Partial Content", "Content-Range: bytes 5-9/10").range
    #expect(good?.start == 5)
    #expect(good?.whole == 10)
    let unknown = head("content-range: bytes 5-9/*").range
    #expect(unknown?.start == 5)
    #expect(unknown?.whole == nil)
    for text in ["bytes 9-5/10", "bytes 5-10/10", "bytes */10", "5-9/10", "bytes 5-9", "bytes -5-9/10", "bytes 5-9/1x"]
    {
      #expect(head("Content-Range: " + text).range == nil, "\(text)")
    }
  }

  @Test("the last answer's fields count, a weak tag marks no version, and what is compressed has no length")
  func fields() {
    let redirected = head("HTTP/1.1 302 Found", "ETag: \"a\"", "HTTP/1.1 200 OK", "Content-Length: 7")
    #expect(redirected.validator == nil)
    #expect(redirected.length == 7)
    #expect(head("Content-Length: 7", "Content-Encoding: gzip").length == nil)
    #expect(head("Content-Length: -7").length == nil)
  }

  @Test("a date of change marks a version where the answer is at least a second younger")
  func dates() {
    let changed = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(head("ETag: W/\"a\"", changed, "Date: Sun, 06 Nov 1994 08:49:38 GMT").validator?.hasPrefix("Sun") == true)
    #expect(head(changed, "Date: Sun, 06 Nov 1994 08:49:37 GMT").validator == nil)
    #expect(head(changed, "Date: Sun, 06 Nov 1994 08:49:36 GMT").validator == nil)
    #expect(head(changed).validator == nil)
  }

  @Test("a head is whole with its empty line; that of an informational answer ends nothing")
  func whole() {
    #expect(!head().isWhole)
    #expect(!head("HTTP/1.1 200 OK", "Content-Length: 7").isWhole)
    #expect(head("HTTP/1.1 200 OK", "Content-Length: 7", "").isWhole)
    #expect(head("HTTP/2 204 ", "").isWhole)
    #expect(!head("HTTP/1.1 100 Continue", "").isWhole)
    #expect(!head("HTTP/1.1 104 Upload Resumption Supported", "Location: /1", "", "HTTP/1.1 201 Created").isWhole)
    #expect(head("HTTP/1.1 103 Early Hints", "", "HTTP/1.1 201 Created", "").isWhole)
  }

  @Test("whatever a server sends, the head stays small and nothing breaks")
  func fuzz() throws {
    var random = SeededRandom(seed: 3)
    let pieces = [
      "HTTP/1.1 200", "Content-Range:", "content-length: ", "bytes ", "1", "-", "/", "*", "18446744073709551615", ":",
      "\u{0}", "é", " ",
    ]
    let folder = try TemporaryFolder()
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var head = AnswerHead()
      for _ in 0..<Int.random(in: 0..<200, using: &random) {
        let count = Int.random(in: 0..<12, using: &random)
        head.take((0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined())
      }
      #expect(head.fields.count <= 100)
      if let range = head.range, let whole = range.whole { #expect(range.start < whole) }
      _ = (head.length, head.validator)
      let text = (0..<8).compactMap { _ in (pieces + ["\n", "\r"]).randomElement(using: &random) }.joined()
      try text.write(toFile: folder.path + "/a.source", atomically: false, encoding: .utf8)
      if let validator = PartialSource(beside: folder.path + "/a")?.validator {
        #expect(!validator.contains { $0.isNewline })
      }
    }
  }
}
