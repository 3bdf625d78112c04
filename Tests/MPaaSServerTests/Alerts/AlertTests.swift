import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Looks at the rules once, and sends what is due.
  fileprivate func look() async throws {
    try await AlertWatch(services).look()
    try await sendDue()
  }

  /// Sends what is due, and waits for what the server itself is sending.
  fileprivate func sendDue() async throws {
    let sender = AlertSender(services, mail: nil)
    let now = services.now()
    repeat {
      while await sender.sendDue() {}
      try await Task.sleep(for: .milliseconds(2))
    } while try await services.store.read { database in
      // Pauses after the first failures are shorter than the time that an attempt is given.
      try database.row(
        "SELECT 1 FROM alert_deliveries WHERE state = 'waiting' AND next > ? LIMIT 1", [.real(now + 100)]
      ) { _ in true } == true
    }
  }

  fileprivate func alert(_ when: String, to url: String, name: String = "rule") async throws -> TestAnswer {
    try await ask("POST", ConsolePaths.alerts, #"{"name":"\#(name)","when":\#(when),"to":[{"webhook":"\#(url)"}]}"#)
  }

  fileprivate func crash(_ type: String, user: String = "u") async throws {
    let event = """
      {"platform":"python","user":{"id":"\(user)"},"exception":{"values":[{"type":"\(type)","value":"x"}]}}
      """
    // Without an id of its own the same event would be one.
    let id = UUID().uuidString.replacing("-", with: "").lowercased()
    #expect(try await envelope(event, id: id).status == 200)
  }
}

@Suite("Alerts") struct AlertTests {
  private func server(at time: Time = Time(1_700_000_000)) async throws -> TestServer {
    try await TestServer(time: time, isTidied: false) { $0.allowsPrivateWebhooks = true }
  }

  private func kinds(_ double: WebhookDouble) -> [String] { double.calls.compactMap { $0.json["kind"] as? String } }

  @Test("a new issue is told once, and once when it is resolved")
  func new() async throws {
    let time = Time(1_700_000_000)
    let (server, double) = (try await server(at: time), try WebhookDouble())
    try await server.crash("Old")
    time.now += 1
    #expect(try await server.alert(#"{"new":{}}"#, to: double.url).status == 201)
    try await server.look()
    #expect(double.calls.isEmpty)
    for _ in 0..<3 {
      try await server.crash("A")
      try await server.look()
    }
    #expect(kinds(double) == ["entered"])
    let subject = try #require((double.calls[0].json["subjects"] as? [[String: Any]])?.first)
    #expect(subject["title"] as? String == "A: x")
    let id = try #require(subject["id"] as? String)
    #expect(subject["url"] as? String == "\(server.run.ready.url)/issues/\(id)")
    #expect(try await server.ask("PATCH", "/api/v1/issues/\(id)", #"{"state":"resolved"}"#).status == 200)
    try await server.look()
    try await server.look()
    #expect(kinds(double) == ["entered", "left"])
    await server.end()
  }

  @Test("an issue that came back is told once")
  func regressed() async throws {
    let (server, double) = (try await server(), try WebhookDouble())
    #expect(try await server.alert(#"{"regressed":{}}"#, to: double.url).status == 201)
    try await server.crash("A")
    try await server.look()
    let issue = try #require(try await server.list("/api/v1/issues", "issues").first?["id"] as? String)
    #expect(try await server.ask("PATCH", "/api/v1/issues/\(issue)", #"{"state":"resolved"}"#).status == 200)
    try await server.look()
    #expect(double.calls.isEmpty)
    for _ in 0..<2 {
      try await server.crash("A")
      try await server.look()
    }
    #expect(kinds(double) == ["entered"])
    await server.end()
  }

  @Test("a storm of events is one message, and one more when its time is over")
  func storm() async throws {
    let time = Time(1_700_000_000)
    let (server, double) = (try await server(at: time), try WebhookDouble())
    #expect(try await server.alert(#"{"count":{"over":50,"minutes":5}}"#, to: double.url).status == 201)
    #expect(try await server.alert(#"{"users":{"over":3,"minutes":5}}"#, to: double.url, name: "u").status == 201)
    for number in 0..<120 {
      try await server.crash("A", user: "u\(number % 5)")
      if number % 40 == 0 { try await server.look() }
      time.now += 1
    }
    try await server.look()
    #expect(kinds(double) == ["entered", "entered"])
    time.now += 200
    try await server.look()
    #expect(double.calls.count == 2)
    time.now += 400
    try await server.look()
    #expect(kinds(double) == ["entered", "entered", "left", "left"])
    await server.end()
  }

  @Test("too many crashes of sessions are told once, and once when it is better")
  func crashFree() async throws {
    let time = Time(1_795_437_000)
    let (server, double) = (try await server(at: time), try WebhookDouble())
    let when = #"{"crash_free_below":{"share":0.99,"hours":24,"least":10}}"#
    #expect(try await server.alert(when, to: double.url).status == 201)
    func sessions(_ from: Int, _ count: Int, _ status: String) async throws {
      let started = Date(timeIntervalSince1970: time.now).ISO8601Format(.iso8601(timeZone: .gmt))
      for number in from..<from + count {
        let id = "00000000-0000-4000-8000-" + String(format: "%012x", number)
        let item = """
          {"sid":"\(id)","did":"u\(number)","status":"\(status)","started":"\(started)","attrs":{"release":"shop@1.0"}}
          """
        #expect(try await server.sendItems([("session", item)]).status == 200)
      }
    }
    try await sessions(0, 5, "crashed")
    try await server.look()
    #expect(double.calls.isEmpty)
    try await sessions(100, 5, "exited")
    for _ in 0..<3 { try await server.look() }
    #expect(kinds(double) == ["entered"])
    time.now += 3600
    try await sessions(1000, 600, "exited")
    try await server.look()
    #expect(kinds(double) == ["entered", "left"])
    await server.end()
  }

  @Test("a quota that is nearly used up is told once, and once when it begins anew")
  func quota() async throws {
    // The beginning of an hour.
    let time = Time(1_795_435_200)
    let (server, double) = (try await server(at: time), try WebhookDouble())
    #expect(try await server.ask("PUT", ConsolePaths.quotas, #"{"hour":{"events":10}}"#).status == 200)
    #expect(try await server.alert(#"{"quota":{"over":0.5}}"#, to: double.url).status == 201)
    for _ in 0..<5 { try await server.crash("A") }
    try await server.look()
    #expect(double.calls.isEmpty)
    try await server.crash("B")
    for _ in 0..<3 { try await server.look() }
    #expect(kinds(double) == ["entered"])
    #expect(double.calls.first.map { String(decoding: $0.body, as: UTF8.self) }?.contains("60%") == true)
    time.now += 3600
    try await server.look()
    #expect(kinds(double) == ["entered", "left"])
    await server.end()
  }

  @Test("a receiver that fails is asked again after pauses that double, with the same id, and one that refuses is not")
  func retried() async throws {
    let time = Time(1_700_000_000)
    let server = try await server(at: time)
    let double = try WebhookDouble { $0 < 2 ? ("503 Busy", "later") : ("200 OK", "{}") }
    let id = try #require(try await server.alert(#"{"new":{}}"#, to: double.url).json["id"] as? String)
    try await server.crash("A")
    try await server.look()
    for pause in [4.0, 1, 9, 1] {
      time.now += pause
      try await server.look()
    }
    #expect(double.calls.count == 3)
    #expect(Set(double.calls.map { $0.headers["webhook-id"] }).count == 1)
    let deliveries = try await server.ask("GET", "\(ConsolePaths.alerts)/\(id)/deliveries").json["deliveries"]
    let delivery = try #require((deliveries as? [[String: Any]])?.first)
    #expect(delivery["state"] as? String == "sent" && delivery["attempts"] as? Int == 3)
    #expect((delivery["target"] as? String)?.hasPrefix("127.0.0.1") == true)
    let refusing = try WebhookDouble { _ in ("410 Gone", "") }
    #expect(try await server.alert(#"{"new":{}}"#, to: refusing.url, name: "b").status == 201)
    time.now += 1
    try await server.crash("B")
    for _ in 0..<3 {
      try await server.look()
      time.now += 100
    }
    #expect(refusing.calls.count == 1)
    await server.end()
  }

  @Test("messages beyond those of an hour are told in one digest")
  func digest() async throws {
    let time = Time(1_700_000_000)
    let (server, double) = (try await server(at: time), try WebhookDouble())
    #expect(try await server.alert(#"{"new":{}}"#, to: double.url).status == 201)
    let most = Int(AlertStore.mostInHour)
    for number in 0..<most + 10 {
      time.now += 1
      try await server.crash("E\(number)")
      try await AlertWatch(server.services).look()
    }
    try await server.sendDue()
    #expect(double.calls.count == most)
    time.now += 3600
    try await server.look()
    #expect(double.calls.count == most + 1)
    let last = try #require(double.calls.last?.json)
    #expect(last["kind"] as? String == "digest" && last["messages"] as? Int == 10)
    await server.end()
  }

  @Test("a test goes to each receiver at once, signed with the secret that was told once")
  func test() async throws {
    let (server, double) = (try await server(), try WebhookDouble())
    let made = try await server.alert(#"{"new":{}}"#, to: double.url + "/hook")
    let id = try #require(made.json["id"] as? String)
    let secret = try #require((made.json["to"] as? [[String: Any]])?.first?["secret"] as? String)
    #expect(!(try await server.ask("GET", ConsolePaths.alerts).text.contains(secret)))
    #expect(try await server.ask("POST", "\(ConsolePaths.alerts)/\(id)/test", "{}").status == 202)
    try await server.look()
    let call = try #require(double.calls.first)
    #expect(call.path == "/hook" && call.json["kind"] as? String == "test")
    let expected = WebhookSignature.headers(
      id: call.headers["webhook-id"] ?? "", time: Int64(call.headers["webhook-timestamp"] ?? "") ?? 0, call.body,
      secret: secret)
    #expect(call.headers["webhook-signature"] == expected["webhook-signature"])
    await server.end()
  }

  @Test("rules that cannot be are refused with the field, and addresses of private networks with a code of their own")
  func refused() async throws {
    let server = try await TestServer(isTidied: false)
    let target = #"[{"webhook":"https://hooks.example.com/x"}]"#
    let wrong = [
      #"{"name":"","when":{"new":{}},"to":\#(target)}"#, #"{"name":"x","when":{},"to":\#(target)}"#,
      #"{"name":"x","when":{"new":{},"regressed":{}},"to":\#(target)}"#, #"{"name":"x","when":{"new":{}},"to":[]}"#,
      #"{"name":"x","when":{"count":{"over":1,"minutes":0}},"to":\#(target)}"#,
      #"{"name":"x","when":{"crash_free_below":{"share":2}},"to":\#(target)}"#,
      #"{"name":"x","when":{"quota":{"over":2}},"to":\#(target)}"#,
      #"{"name":"x","when":{"quota":{"over":0.5,"period":"year"}},"to":\#(target)}"#,
      #"{"name":"x","when":{"new":{}},"to":[{"mail":"a b@c"}]}"#,
      #"{"name":"x","when":{"new":{}},"to":[{"webhook":"https://a.example/","form":"fax"}]}"#,
      #"{"name":"x","when":{"new":{}},"to":[{"webhook":"https://a.example/","secret":"x","form":"json"}]}"#,
      #"{"when":{"new":{}},"to":\#(target)}"#,
    ]
    for body in wrong {
      let answer = try await server.ask("POST", ConsolePaths.alerts, body)
      #expect(answer.status == 400 && answer.json["code"] as? String == "alert-rule", "\(body): \(answer.text)")
    }
    for url in ["http://127.0.0.1/", "http://169.254.169.254/latest/", "ftp://a.example/"] {
      let answer = try await server.alert(#"{"new":{}}"#, to: url)
      #expect(answer.status == 400 && answer.json["code"] as? String == "webhook-address", "\(url)")
    }
    await server.end()
  }

  @Test("the address that is connected to is judged, and a rule from before an address was refused is not sent to it")
  func rebinding() async throws {
    let double = try WebhookDouble()
    let client = HTTPClient.live(userAgent: "test")
    // A name may lead to another address than when it was looked at: only the connection tells.
    var call = HTTPCall("POST", double.url.replacingOccurrences(of: "127.0.0.1", with: "localhost"), bytes: [1])
    call.admits = { InternetAddress(bytes: $0).isGlobal }
    let refused = call
    await #expect(throws: HTTPError.self) { try await client.answer(to: refused) }
    #expect(double.calls.isEmpty)
    call = HTTPCall("POST", double.url, bytes: [1])
    call.admits = { $0 == [127, 0, 0, 1] }
    #expect(try await client.answer(to: call).status == 200)
    let before = try await server()
    let id = try #require(try await before.alert(#"{"new":{}}"#, to: double.url).json["id"] as? String)
    await before.end()
    let again = try await TestServer(in: before.folder, isTidied: false)
    #expect(try await again.ask("POST", "\(ConsolePaths.alerts)/\(id)/test", "{}").status == 202)
    try await again.look()
    #expect(double.calls.count == 1)
    await again.end()
  }

  @Test("change, pause and end by their routes, and say so in the audit log")
  func changed() async throws {
    let (server, double) = (try await server(), try WebhookDouble())
    let id = try #require(try await server.alert(#"{"new":{}}"#, to: double.url).json["id"] as? String)
    let path = "\(ConsolePaths.alerts)/\(id)"
    let changed = try await server.ask("PATCH", path, #"{"enabled":false,"name":"other"}"#)
    #expect(changed.json["name"] as? String == "other")
    try await server.crash("A")
    try await server.look()
    #expect(double.calls.isEmpty)
    #expect(try await server.ask("DELETE", path).status == 204)
    #expect(try await server.ask("GET", path).status == 404)
    let entries = try await server.services.store.read { try AuditTrail.entries(after: 0, limit: 100, in: $0) }
    #expect(entries.map(\.action) == ["alert.created", "alert.changed", "alert.removed"])
    await server.end()
  }

  @Test("have pages that work without scripts, and tell what is wrong with a form")
  func pages() async throws {
    let (server, double) = (try await server(), try WebhookDouble())
    let form = "name=A%3Cb%3E&condition=count&over=10&minutes=5&target=\(double.url)"
    let made = try await server.ask("POST", "/alerts", form)
    #expect(made.status == 201 && made.text.contains("whsec_") && made.text.contains("A&lt;b&gt;"))
    #expect(!made.text.contains("<script"))
    let list = try await server.ask("GET", "/alerts")
    #expect(list.status == 200 && list.text.contains("more than 10 events in 5 min") && !list.text.contains("whsec_"))
    let bad = "name=x&condition=count&over=many&minutes=5&target=\(double.url)"
    let wrong = try await server.ask("POST", "/alerts", bad)
    #expect(wrong.status == 400 && wrong.text.contains("role=alert"))
    let id = try #require(try await server.list(ConsolePaths.alerts, "alerts").first?["id"] as? String)
    for action in ["test", "pause", "resume", "remove"] {
      #expect(try await server.ask("POST", "/alerts/\(id)/\(action)", "").status == 303, "\(action)")
    }
    #expect(try await server.ask("GET", "/alerts/\(id)").status == 404)
    await server.end()
  }
}
