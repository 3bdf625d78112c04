import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

private func envelope(_ text: String) throws(ServerError) -> (SentryEnvelope, [UInt8]) {
  let bytes = Array(text.utf8)
  do {
    return (try bytes.withUnsafeBytes { try SentryEnvelope($0) }, bytes)
  } catch let error as ServerError {
    throw error
  } catch {
    throw ServerError(.eventMalformed)
  }
}

private let whole =
  #"{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC","dsn":"https://e12d836b15bb49d7bbf99e64295d995b:@sentry.io/42"}"#
  + "\n" + #"{"type":"attachment","length":10,"content_type":"text/plain","filename":"hello.txt"}"#
  + "\n\u{feff}Hello\r\n\n" + #"{"type":"event","length":41,"content_type":"application/json"}"# + "\n"
  + #"{"message":"hello world","level":"error"}"# + "\n"

@Suite("A Sentry envelope") struct SentryEnvelopeTests {
  @Test("has its headers, and its items with their exact bytes")
  func items() throws {
    let (read, bytes) = try envelope(whole)
    #expect(read.eventID == "9ec79c33ec9942ab8353589fcb2e04dc")
    #expect(read.key == "e12d836b15bb49d7bbf99e64295d995b")
    #expect(read.items.map(\.type) == ["attachment", "event"])
    #expect(read.items[0].payload.count == 10)
    #expect(read.items[0].filename == "hello.txt")
    #expect(
      String(decoding: bytes[read.items[1].payload], as: UTF8.self) == #"{"message":"hello world","level":"error"}"#)
  }

  @Test("may leave lengths away, end without a line end, be without items, and end with several line ends")
  func lenient() throws {
    let (implicit, bytes) = try envelope("{}\n{\"type\":\"session\"}\n{\"started\":1}\n{\"type\":\"x\"}\nabc")
    #expect(implicit.items.map { String(decoding: bytes[$0.payload], as: UTF8.self) } == ["{\"started\":1}", "abc"])
    #expect(try envelope("{}").0.items.isEmpty)
    #expect(try envelope("{\"event_id\":\"no id\"}\n\n\n").0.eventID == nil)
    #expect(try envelope("{}\n{\"type\":\"empty\",\"length\":0}\n").0.items[0].payload.isEmpty)
  }

  @Test(
    "is refused where its parts do not fit together",
    arguments: [
      ("", "envelope-header"), ("[]", "envelope-header"), ("{}\n{\"length\":1}\na", "envelope-item"),
      ("{}\n{\"type\":\"event\",\"length\":-1}\na", "envelope-item"), ("{}\nno header\n", "envelope-item"),
      ("{}\n{\"type\":\"event\",\"length\":9}\n1234", "envelope-cut"),
      ("{}\n{\"type\":\"event\",\"length\":9223372036854775807}\n1234", "envelope-cut"),
      ("{}\n{\"type\":\"event\",\"length\":2}\n1234", "envelope-item"),
    ])
  func refused(text: String, code: String) {
    let error = #expect(throws: ServerError.self) { _ = try envelope(text) }
    #expect(error?.code.id.name == code)
  }

  @Test("has at most a thousand items")
  func tooMany() {
    let text = "{}\n" + String(repeating: "{\"type\":\"x\",\"length\":0}\n\n", count: 1001)
    let error = #expect(throws: ServerError.self) { _ = try envelope(text) }
    #expect(error?.code.id.name == "envelope-items")
  }

  @Test("damaged, is read or refused, and no payload lies outside")
  func damaged() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = Array(whole.utf8)
      for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        default: bytes.insert(contentsOf: bytes.prefix(place).suffix(12), at: place)
        }
      }
      guard let read = try? bytes.withUnsafeBytes({ try SentryEnvelope($0) }) else { continue }
      #expect(read.items.allSatisfy { $0.payload.lowerBound >= 0 && $0.payload.upperBound <= bytes.count })
    }
  }

  @Test("says whose it is by the header of SDKs, by Authorization, or by its address")
  func authentication() {
    let sdk = "Sentry sentry_version=7, sentry_client=sentry.cocoa/8.0, sentry_key=abc123"
    #expect(SentryAuthentication.key(header: sdk, authorization: nil, query: nil) == "abc123")
    #expect(SentryAuthentication.key(header: nil, authorization: "sentry sentry_key=k,x=y", query: nil) == "k")
    #expect(SentryAuthentication.key(header: nil, authorization: "Bearer t", query: "a=b&sentry_key=q") == "q")
    #expect(SentryAuthentication.key(header: "Sentry sentry_key=", authorization: nil, query: "sentry_key") == nil)
    #expect(SentryEnvelope.key(ofDSN: "http://key@127.0.0.1:80/1") == "key")
    #expect(SentryEnvelope.key(ofDSN: "http://127.0.0.1/1") == nil)
  }
}
