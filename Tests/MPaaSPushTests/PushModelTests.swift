import Foundation
import MPaaSLock
import MPaaSPush
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Notifications and their answers") struct PushModelTests {
  private func identifier(_ work: () throws -> Void) -> String? {
    do { try work() } catch let error as PushError { return error.diagnostic.id.name } catch {}
    return nil
  }

  @Test("a payload may be as large as APNs takes it, and no larger; only calls may be larger")
  func sizes() throws {
    func notification(_ bytes: Int, _ type: APNsPushType = .alert) -> APNsNotification {
      let text = String(repeating: "a", count: bytes - #"{"aps":{"alert":""}}"#.utf8.count)
      var notification = APNsNotification(payload: "{\"aps\":{\"alert\":\"\(text)\"}}", topic: "com.example.shop")
      notification.type = type
      return notification
    }
    #expect(identifier { try notification(4096).check() } == nil)
    #expect(identifier { try notification(4097).check() } == "push-payload-too-large")
    #expect(identifier { try notification(5120, .voip).check() } == nil)
    #expect(identifier { try notification(5121, .voip).check() } == "push-payload-too-large")
    var other = notification(100)
    other.payload = "[1]"
    #expect(identifier { try other.check() } == "push-payload-malformed")
    other.payload = "{\"aps\":"
    #expect(identifier { try other.check() } == "push-payload-malformed")
  }

  @Test("headers that APNs would refuse are refused before anything is sent")
  func headers() throws {
    func check(_ change: (inout APNsNotification) -> Void) -> String? {
      var notification = APNsNotification(payload: "{}", topic: "com.example.shop")
      change(&notification)
      return identifier { try notification.check() }
    }
    #expect(check { $0.collapseID = String(repeating: "c", count: 64) } == nil)
    #expect(check { $0.collapseID = String(repeating: "c", count: 65) } == "push-header")
    #expect(check { $0.collapseID = "一" } == "push-header")
    #expect(check { $0.topic = "a\r\nb" } == "push-header")
    #expect(check { $0.topic = "" } == "push-header")
    #expect(check { $0.priority = 7 } == "push-header")
    #expect(
      check {
        $0.type = .background; $0.priority = 10
      } == "push-header")
  }

  @Test("an alert with a body alone is a plain text, else an object; the app's members stand beside aps")
  func alerts() throws {
    var alert = APNsAlert()
    alert.body = "Hello!"
    #expect(alert.payload == #"{"aps":{"alert":"Hello!"}}"#)
    (alert.title, alert.badge, alert.custom) = ("Shop", 0, ["order": "42"])
    #expect(alert.payload == #"{"aps":{"alert":{"body":"Hello!","title":"Shop"},"badge":0},"order":"42"}"#)
    alert = APNsAlert()
    alert.isContentAvailable = true
    #expect(alert.payload == #"{"aps":{"content-available":1}}"#)
  }

  @Test("a token is read as apps and people write it")
  func tokens() throws {
    let digits = String(repeating: "0a1B", count: 16)
    let described = "<" + Array(repeating: "0a1B0a1B", count: 8).joined(separator: " ") + ">"
    #expect(try DeviceToken(described).text == digits.lowercased())
    for wrong in ["", "0a1", "xyz", digits + "0", String(repeating: "0a", count: 201)] {
      #expect(identifier { _ = try DeviceToken(wrong) } == "push-token-malformed", "\(wrong)")
    }
    #expect(TokenLines.tokens(in: "# all\r\n  aa\n\nbb\r\n") == ["aa", "bb"])
  }

  @Test("a token of a key is made once in forty minutes, and never twice in twenty")
  func providerTokens() throws {
    let key = try ProviderKey(pem: DoubleBench.newKey(), keyID: "ABCDEFGHIJ", teamID: "0123456789")
    let now = Lock(5_000_000.0)
    let tokens = ProviderTokens(key) { now.withLock { $0 } }
    let first = try tokens.token()
    now.withLock { $0 += 1199 }
    try tokens.renew()
    #expect(try tokens.token() == first)
    now.withLock { $0 += 1 }
    try tokens.renew()
    let second = try tokens.token()
    #expect(second != first)
    now.withLock { $0 += 2399 }
    #expect(try tokens.token() == second)
    now.withLock { $0 += 1 }
    let third = try tokens.token()
    #expect(third != second)
    let read = try #require(JSONWebToken(third))
    #expect(read.header["alg"] == "ES256" && read.header["kid"] == "ABCDEFGHIJ")
    #expect(read.claims["iss"] == "0123456789" && read.claims["iat"] == 5_003_600)
    #expect(read.signature.count == 64)
    for wrong in ["", "abcdefghij", "ABCDEFGHI", "ABCDEFGHI-"] {
      let pem = DoubleBench.newKey()
      #expect(identifier { _ = try ProviderKey(pem: pem, keyID: wrong, teamID: "0123456789") } == "push-key-name")
    }
    let error = identifier { _ = try ProviderKey(pem: "no key", keyID: "ABCDEFGHIJ", teamID: "0123456789") }
    #expect(error == "push-key-malformed")
  }

  @Test("a changed token is no longer signed, and no change of one makes the reader fall")
  func changedTokens() throws {
    let key = try ProviderKey(pem: DoubleBench.newKey(), keyID: "ABCDEFGHIJ", teamID: "0123456789")
    let open = try ProviderPublicKey(pem: key.publicPEM)
    let text = Array(try key.token(issuedAt: 1_700_000_000).utf8)
    #expect(JSONWebToken(String(decoding: text, as: UTF8.self)).map(open.verifies) == true)
    for place in text.indices {
      for bit in Flips.bits(of: place) {
        var changed = text
        changed[place] ^= 1 << bit
        let token = JSONWebToken(String(decoding: changed, as: UTF8.self))
        #expect(token.map(open.verifies) != true, "\(place) \(bit)")
      }
    }
  }

  @Test("answers end tokens as the facts of their time say")
  func endedTokens() throws {
    func answer(_ status: Int, _ body: String) -> PushVerdict {
      var answer = PushAnswer()
      (answer.status, answer.body) = (status, Array(body.utf8))
      return answer.apnsVerdict(now: 0)
    }
    let gone = PushFailure(status: 410, reason: "Unregistered", timestamp: 1000)
    #expect(answer(410, #"{"reason":"Unregistered","timestamp":1000}"#) == .final(.failed(gone)))
    #expect(gone.endsToken(registeredAt: 999) && !gone.endsToken(registeredAt: 1000))
    #expect(PushFailure(status: 400, reason: "BadDeviceToken").endsToken(registeredAt: 5))
    #expect(!PushFailure(status: 400, reason: "DeviceTokenNotForTopic").endsToken(registeredAt: 5))
    #expect(PushFailure(status: 404, reason: "UNREGISTERED").endsToken(registeredAt: 5))
    // Every reason of APNs has a status, by which the sender knows what to do.
    for reason in APNsReason.allCases {
      let failure = PushFailure(status: reason.status, reason: reason.rawValue)
      let verdict = answer(reason.status, "{\"reason\":\"\(reason.rawValue)\"}")
      switch reason {
      case .tooManyRequests, .internalServerError: #expect(verdict == .later(failure, retryAfter: nil))
      case .tooManyProviderTokenUpdates, .serviceUnavailable, .shutdown:
        #expect(verdict == .pause(failure, retryAfter: nil))
      case .expiredProviderToken: #expect(verdict == .renew(failure))
      case _ where reason.status == 403: #expect(verdict == .stop(failure))
      default: #expect(verdict == .final(.failed(failure)))
      }
    }
  }

  @Test("no body of an answer makes the reader fall, and a body that says nothing is told by its status")
  func strangeAnswers() {
    var random = SeededRandom(seed: 25)
    let body = Array(#"{"reason":"Unregistered","timestamp":1700000000000}"#.utf8)
    for round in 0..<SeededRandom.rounds(or: 2000) {
      var answer = PushAnswer()
      answer.status = [200, 400, 403, 410, 429, 503][round % 6]
      answer.body = body
      for _ in 0..<3 {
        answer.body[Int.random(in: body.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      answer.retryAfter = ["", "-1", "99999999999", "Sun, 06 Nov 1994 08:49:37 GMT"][round % 4]
      if case .pause(_, let seconds?) = answer.apnsVerdict(now: 0) { #expect((0...86_400).contains(seconds)) }
      _ = answer.fcmVerdict(now: 0)
    }
    var empty = PushAnswer()
    empty.status = 413
    #expect(empty.apnsVerdict(now: 0) == .final(.failed(PushFailure(status: 413, reason: "Status413"))))
  }

  @Test("a configuration that cannot be right is refused, and its member named")
  func configurations() {
    let wrong: [(JSONValue, String)] = [
      ([1], "array"), (["key_id": "A"], "public_key"), (["topics": ["a": "b"]], "topics"),
      (["unregistered": ["a": -1]], "unregistered"), (["latency_ms": "1"], "latency_ms"),
      (["every": ["NoReason": 1]], "NoReason"), (["answers": ["a": ["No"]]], "No"),
      (["goaway_drops": 1], "goaway_drops"),
    ]
    for (value, field) in wrong {
      let error = #expect(throws: PushError.self) { try DoubleBench.configuration(value) }
      #expect(error?.diagnostic.values["field"] == field)
    }
  }
}
