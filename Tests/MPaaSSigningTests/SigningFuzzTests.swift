import MPaaSSigning
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Requests and keys from outside") struct SigningFuzzTests {
  @Test("never stop the program, and never make two texts of one request")
  func requests() throws {
    let targets = ["/a?b=1&c=%e4%b8%ad", "https://h:1/p?x#y", "?", "", "/%zz?%=%&&=1&a+b", "a://", "/中?中=中"]
    var random = SeededRandom(seed: 26)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = Array((targets.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let byte = UInt8.random(in: 0...255, using: &random)
        bytes.insert(byte, at: Int.random(in: 0...bytes.count, using: &random))
      }
      let target = String(decoding: bytes, as: UTF8.self)
      let form = [RequestField("Content-Type", "application/x-www-form-urlencoded")]
      let request = SigningRequest(method: "POST", target: target, headers: form, body: bytes)
      let text = try BackEndForm().bytes(of: request)
      #expect(try BackEndForm().bytes(of: request) == text)
      _ = try? OperationForm().bytes(of: request)
    }
  }

  @Test("that are no keys are refused")
  func keys() throws {
    var random = SeededRandom(seed: 27)
    let begin = "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----\n"
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = Array(begin.utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(throws: SigningError.self) { try RequestKey(pem: String(decoding: bytes, as: UTF8.self)) }
    }
  }
}

@Suite("Requests as people keep them") struct SigningTextTests {
  @Test("are read from a message of HTTP and from a call of curl alike")
  func forms() throws {
    let message = """
      POST /test/testSign?c=3&a=1 HTTP/1.1\r
      Host: example.com\r
      Content-Type:  application/x-www-form-urlencoded \r
      \r
      b=2&d=4
      """
    let curl = """
      curl -sS -XPOST 'https://example.com/test/testSign?c=3&a=1' \\
        -H 'Host: example.com' --data b=2 -d "d=4"
      """
    for text in [message, curl] {
      let request = try SigningRequest(text: Array(text.utf8))
      let signed = String(decoding: try BackEndForm().bytes(of: request), as: UTF8.self)
      #expect(signed == "POST\n\n/test/testSign?a=1&b=2&c=3&d=4")
    }
    let json = #"curl https://h/a -H "Content-Type: application/json" --data-raw '{"x":1}'"#
    let request = try SigningRequest(text: Array(json.utf8))
    #expect(
      String(decoding: try BackEndForm().bytes(of: request), as: UTF8.self) == "POST\nrD70jKoI+j7V4CXaae3GRQ==\n/a")
  }

  @Test("are refused where a part is unknown, and never stop the program")
  func broken() {
    for text in [
      "", "GET", "G?T /", "GET / FTP", "GET /\nno header", "curl", "curl -d @file http://h", "curl 'a",
      "curl --mail x y",
    ] {
      #expect(throws: SigningError.self) { try SigningRequest(text: Array(text.utf8)) }
    }
    var random = SeededRandom(seed: 28)
    let parts = [
      "curl ", "-H ", "'", "\"", "\\", "a: b", "\n", "POST ", "/x?y=z ", "HTTP/1.1", "\r\n\r\n", "-d", "--url=",
      "\u{4e2d}",
    ]
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      _ = try? SigningRequest(text: Array(text.utf8))
    }
  }
}
