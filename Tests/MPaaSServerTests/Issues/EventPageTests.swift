import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// The text of a page without its markup.
private func plain(_ page: String) -> String {
  var text = ""
  var isTag = false
  for character in page.unicodeScalars {
    if character == "<" { isTag = true }
    if !isTag { text.unicodeScalars.append(character) }
    if character == ">" { isTag = false }
  }
  for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
    text = text.replacing(all: name, with: character)
  }
  return text
}

/// All texts and numbers of a value, and the names on the way.
private func leaves(_ value: JSONValue) -> [String] {
  switch value {
  case .object(let object): object.flatMap { leaves($0.value) }
  case .array(let elements): elements.flatMap(leaves)
  case .string(let text): text.split(whereSeparator: \.isNewline).map(String.init)
  case .unsigned(let number): [String(number)]
  case .negative(let number): [String(number)]
  case .number(let number): [String(number)]
  case .bool(let flag): [flag ? "true" : "false"]
  case .null: []
  }
}

/// An envelope with the key of another server than the one that it was made for.
private func replaced(_ envelope: [UInt8], _ key: String) -> [UInt8] {
  let old = Array("0123456789abcdef0123456789abcdef".utf8)
  var bytes = envelope
  for place in bytes.indices.dropLast(old.count - 1) where bytes[place...].starts(with: old) {
    bytes.replaceSubrange(place..<place + old.count, with: key.utf8)
  }
  return bytes
}

/// The events of an envelope.
private func events(of envelope: [UInt8]) throws -> [JSONValue] {
  try envelope.withUnsafeBytes { bytes in
    try SentryEnvelope(bytes).items.filter { $0.type == "event" }.map {
      try JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[$0.payload]))
    }
  }
}

extension TestServer {
  /// The pages of an event, with all parts.
  func eventPages(_ number: Int = 1) async throws -> [String] {
    var pages: [String] = []
    while pages.count < 40 {
      let page = try await send("GET", "/crashes/\(number)?part=\(pages.count + 1)")
      #expect(page.status == 200)
      #expect(page.body.count <= 40_000, "\(page.body.count)")
      pages.append(page.text)
      guard page.text.contains("part=\(pages.count + 1)") else { break }
    }
    return pages
  }
}

/// An event as it is stored.
private func scrubbed(_ event: JSONValue) throws -> JSONValue {
  let text = Scrubber(ScrubbingRules()).text(event.line)
  return try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
}

@Suite("The page of an event") struct EventPageTests {
  @Test("has every leaf of the events of several SDKs", .fixtures)
  func whole() async throws {
    let folder = try Fixture.path("console")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    var count = 0
    for file in files where file.hasSuffix(".envelope") || file.hasPrefix("events/") {
      let bytes = [UInt8](try Fixture.data("console/\(file)"))
      let isEnvelope = file.hasSuffix(".envelope")
      let server = try await TestServer()
      let key = server.run.ready.appKey
      // The envelopes name the key of the server that they were made for.
      let body = isEnvelope ? replaced(bytes, key) : bytes
      let wanted = isEnvelope ? try events(of: body) : [try body.withUnsafeBytes { try JSONValue(reading: $0) }]
      let answer = try await server.send(
        "POST", isEnvelope ? "/api/1/envelope/" : "/api/1/store/",
        ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_key=\(key)"], body: body)
      #expect(answer.status == 200, "\(file): \(answer.text)")
      #expect(try await server.issues().count == wanted.count, "\(file)")
      for event in wanted {
        count += 1
        let pages = try await server.eventPages()
        if bytes.count < 8000 { #expect(pages.count == 1, "\(file)") }
        let text = pages.map(plain).joined()
        for leaf in leaves(try scrubbed(event)) where leaf.contains(where: { !$0.isWhitespace }) {
          #expect(text.contains(leaf), "\(file): \(leaf)")
        }
      }
      await server.end()
    }
    #expect(count > 15)
  }

  @Test("tells a handled exception and a message from one that nothing handled", .fixtures)
  func kinds() async throws {
    for (file, word) in [
      ("python/exception-handled-1", "An exception that the program handled"),
      ("python/exception-unhandled", "that nothing handled"), ("python/message-warning", "A message"),
      ("native/run3-1-event+session", "that nothing handled"),
    ] {
      let event = try #require(try events(of: [UInt8](try Fixture.data("console/envelopes/\(file).envelope"))).first)
      let server = try await TestServer()
      #expect(try await server.envelope(event.line).status == 200)
      let page = try await server.send("GET", "/crashes/1")
      #expect(page.text.contains(word), "\(file)")
      await server.end()
    }
  }

  @Test("of an event that came beside a minidump is a link away", .fixtures)
  func beside() async throws {
    let folder = try Fixture.path("crash/minidump")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".dmp") }
    let dump = [UInt8](try Fixture.data("crash/minidump/\(try #require(names.sorted().first))"))
    let event = #"{"platform":"native","release":"shop@1.0","tags":{"cart":"full"},"extra":{"key":"leaf value"}}"#
    let head =
      "{}\n{\"type\":\"event\",\"length\":\(event.utf8.count)}\n\(event)\n"
      + "{\"type\":\"attachment\",\"attachment_type\":\"event.minidump\",\"length\":\(dump.count)}\n"
    let server = try await TestServer()
    #expect(try await server.send("POST", "/api/1/envelope/", body: Array(head.utf8) + dump).status == 200)
    #expect(try await server.send("GET", "/crashes/1").text.contains("/crashes/1/event"))
    let page = try await server.send("GET", "/crashes/1/event")
    #expect(page.status == 200)
    #expect(page.text.contains("leaf value"))
    #expect(try await server.issues("cart:full release:shop@1.0").count == 1)
    #expect(try await server.send("GET", "/crashes/2/event").status == 404)
    await server.end()
  }

  @Test("messages with a stack attached are one issue by their words, wherever they were sent from")
  func messages() async throws {
    let server = try await TestServer()
    func message(_ text: String, _ function: String) -> String {
      """
      {"platform":"native","message":{"message":"\(text)"},"level":"warning","threads":{"values":[{"id":1,"current":true,
      "stacktrace":{"frames":[{"function":"\(function)","instruction_addr":"0x1000","in_app":true}]}}]}}
      """
    }
    for (text, function) in [("slow", "a"), ("slow", "b"), ("empty", "a")] {
      #expect(try await server.envelope(message(text, function)).status == 200)
    }
    let issues = try await server.issues(sort: "count")
    #expect(issues.map { $0["title"] as? String } == ["slow", "empty"])
    #expect(issues.map { $0["count"] as? Int } == [2, 1])
    await server.end()
  }

  @Test("cuts long texts and tags beyond a hundred, shows NUL, and replaces what is no UTF-8")
  func hostile() async throws {
    let server = try await TestServer()
    let long = String(repeating: "x", count: 100_000)
    let tags = (0..<3000).map { "\"t\(10_000 + $0)\":\"v\"" }.joined(separator: ",")
    let event =
      #"{"platform":"python","message":"a\u0000b","extra":{"long":"\#(long)"},"tags":{\#(tags)},"user":{"id":"bad@"}}"#
    let bytes = Array(event.utf8).map { $0 == UInt8(ascii: "@") ? 0xff : $0 }
    let answer = try await server.send(
      "POST", "/api/1/store/?sentry_key=\(server.run.ready.appKey)", ["Authorization": ""], body: bytes)
    #expect(answer.status == 200)
    let text = try await server.eventPages().map(plain).joined()
    #expect(text.contains("a\u{2400}b"))
    #expect(text.contains("bad\u{fffd}"))
    #expect(!text.contains(String(repeating: "x", count: 5000)))
    #expect(text.contains("100000 characters"))
    #expect(text.contains("t10099") && !text.contains("t10100"))
    #expect(try await server.issues("has:t10099").count == 1)
    #expect(try await server.issues("has:t10100").isEmpty)
    #expect(try await server.issues().first?["title"] as? String == "a\u{2400}b")
    await server.end()
  }

  @Test("shows what would be markup as text, on every page and in JSON", .fixtures)
  func markup() async throws {
    let lines = String(decoding: try Fixture.data("console/search/xss.tsv"), as: UTF8.self).split(separator: "\n")
    var values: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      values[parts[0]] = parts[1].replacing(all: "\\u202e", with: "\u{202e}")
    }
    func value(_ name: String) -> String { values[name] ?? "missing" }
    let event: [String: Any] = [
      "platform": "python", "transaction": value("culprit/transaction"), "culprit": value("culprit/transaction"),
      "tags": [value("tag key"): value("tag value")], "user": ["id": value("user.id")], "release": value("release"),
      "request": ["url": value("request.url")],
      "breadcrumbs": [
        "values": [
          ["message": value("breadcrumb.message"), "data": ["url": value("breadcrumb.data.url")]] as [String: Any]
        ]
      ],
      "exception": [
        "values": [
          [
            "type": value("exception.type"), "value": value("exception.value"),
            "stacktrace": [
              "frames": [
                [
                  "filename": value("frame.filename"), "function": value("exception.value"), "lineno": 3,
                  "context_line": value("frame.context_line"),
                ] as [String: Any]
              ]
            ],
          ] as [String: Any]
        ]
      ],
    ]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
    func header(_ name: String) -> String {
      String(decoding: (try? JSONSerialization.data(withJSONObject: [value(name)])) ?? Data(), as: UTF8.self)
        .dropFirst().dropLast().description
    }
    let more = ["attachment filename", "attachment filename 2"].map {
      "{\"type\":\"attachment\",\"length\":1,\"filename\":\(header($0))}\nx\n"
    }.joined()
    let server = try await TestServer()
    #expect(try await server.envelope(text, more: more).status == 200)
    let issue = try #require(try await server.issues().first?["id"] as? String)
    let hostile = PercentEncoding.encode(value("exception.type"))
    for path in ["/", "/issues", "/issues?query=\(hostile)", "/issues/\(issue)", "/crashes/1"] {
      let page = try await server.send("GET", path)
      #expect(page.status == (path.contains("query") ? 400 : 200), "\(path)")
      #expect(page.body.count <= 40_000)
      for mark in [
        "<script", "<img", "<svg", "<iframe", "<b>bold", "onmouseover='window", "\u{202e}", "href=\"javascript",
      ] {
        #expect(!page.text.contains(mark), "\(path): \(mark)")
      }
      #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    }
    let page = plain(try await server.send("GET", "/crashes/1").text)
    for (name, value) in values where name != "frame.filename" { #expect(page.contains(value), "\(name)") }
    let json = try await server.send("GET", "/api/v1/issues/\(issue)")
    #expect(json.headers["content-type"] == "application/json")
    #expect((json.json["title"] as? String)?.contains(value("exception.type")) == true)
    await server.end()
  }

  @Test("of any event that is changed at any place is an answer of the server, never its end", .fixtures)
  func fuzz() async throws {
    let server = try await TestServer()
    var random = SeededRandom(seed: 27)
    let seeds = try ["dotnet_divide_zero", "js_error_with_context", "elixir_error"].map {
      [UInt8](try Fixture.data("console/events/\($0).json"))
    }
    let pieces = ["null", "[]", "{}", "1e999", "\"\\ud800\"", "\"\\u0000\"", "[[[[]]]]", "-1", "true", "\""].map {
      Array($0.utf8)
    }
    for _ in 0..<150 {
      var event = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<event.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: event[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          // Another value in the place of a string.
          guard let start = event[place...].firstIndex(of: UInt8(ascii: "\"")),
            let end = event[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
          else { continue }
          event.replaceSubrange(start...end, with: pieces[Int.random(in: 0..<pieces.count, using: &random)])
        default: event.removeSubrange(place..<min(place + 5, event.count))
        }
      }
      let answer = try await server.send(
        "POST", "/api/1/store/?sentry_key=\(server.run.ready.appKey)", ["Authorization": ""], body: event)
      #expect([200, 400].contains(answer.status), "\(answer.text)")
    }
    let crashes = try await server.list("/api/v1/crashes?limit=1000", "crashes")
    for crash in crashes.prefix(40) {
      #expect(try await server.send("GET", "/crashes/\(crash["id"] as? Int ?? 0)").status == 200)
    }
    for issue in try await server.issues().prefix(20) {
      #expect(try await server.send("GET", "/issues/\(issue["id"] as? String ?? "")").status == 200)
    }
    await server.end()
  }
}

@Suite("The pages of issues") struct IssuePageTests {
  @Test("have every word in both languages, and are changed by forms of this server's pages alone")
  func forms() async throws {
    let server = try await TestServer()
    for name in ["A", "B"] { try await server.send(error: name, release: "shop@1.0", user: "u") }
    let ids = try await server.issues(sort: "first_seen").compactMap { $0["id"] as? String }
    let headers = ["Authorization": "", "Cookie": "mpaas_token=\(server.token)"]
    func post(_ path: String, _ body: String, _ more: [String: String] = [:]) async throws -> Int {
      try await server.send("POST", path, headers.merging(more) { $1 }, body: Array(body.utf8)).status
    }
    let foreign = ["Origin": "http://evil.example"]
    for action in ["\(ids[0])/state", "\(ids[0])/delete", "bulk"] {
      #expect(try await post("/issues/\(action)", "state=resolved&sure=1&id=\(ids[0])&action=resolved", foreign) == 403)
    }
    #expect(
      try await post("/issues/\(ids[0])/state", "state=ignored&until_count=3&until_time=2030-01-01T00%3A00") == 303)
    #expect(try await post("/issues/\(ids[0])/assignee", "assignee=me") == 303)
    #expect(try await post("/issues/\(ids[0])/comments", "text=one%0Atwo") == 303)
    #expect(try await post("/issues/\(ids[0])/state", "state=gone") == 400)
    #expect(try await post("/issues/\(ids[0])/state", "state=ignored&until_count=x") == 400)
    for language in ["en", "zh-CN"] {
      let asked = headers.merging(["Accept-Language": language]) { $1 }
      for path in [
        "/issues", "/issues?query=", "/issues?query=is%3Anonsense", "/issues/\(ids[0])", "/issues/\(ids[1])",
        "/crashes/1",
      ] {
        let page = try await server.send("GET", path, asked)
        #expect(page.status == (path.contains("nonsense") ? 400 : 200), "\(path)")
        #expect(!page.text.contains("page."), "\(path)")
        #expect(!page.text.contains("text.search"), "\(path)")
        #expect(!page.text.contains("<script"))
        #expect(page.body.count <= 40_000)
        #expect(page.text.contains("lang=\"\(language == "en" ? "en" : "zh-Hans")\""))
      }
    }
    let page = try await server.send("GET", "/issues/\(ids[0])", headers).text
    #expect(page.contains("one<br>two"))
    #expect(page.contains("until 3 more events"))
    #expect(try await post("/issues/bulk", "id=\(ids[0])&id=\(ids[1])&action=merge") == 303)
    #expect(try await server.issues().count == 1)
    #expect(try await post("/issues/\(ids[0])/split", "split=\(ids[1])") == 303)
    #expect(try await server.issues().count == 2)
    #expect(try await post("/issues/bulk", "id=\(ids[0])&id=\(ids[1])&action=resolved") == 303)
    #expect(try await server.issues("is:resolved").count == 2)
    #expect(try await post("/issues/\(ids[0])/delete", "") == 404)
    #expect(try await post("/issues/\(ids[0])/delete", "sure=1") == 303)
    #expect(try await server.issues().count == 1)
    await server.end()
  }

  @Test("user feedback of Sentry's envelopes stands with feedback, once, and is no crash", .fixtures)
  func feedback() async throws {
    let server = try await TestServer()
    let envelope = [UInt8](try Fixture.data("console/envelopes/native/run7-1-feedback.envelope"))
    let body = replaced(envelope, server.run.ready.appKey)
    for _ in 0..<2 {
      #expect(try await server.send("POST", "/api/1/envelope/", ["Authorization": ""], body: body).status == 200)
    }
    let older =
      #"{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","email":"a@example.com","name":"A","comments":"<b>It broke"}"#
    let report = "{}\n{\"type\":\"user_report\",\"length\":\(older.utf8.count)}\n\(older)\n"
    #expect(try await server.send("POST", "/api/1/envelope/", body: Array(report.utf8)).status == 200)
    let pieces = try await server.list("/api/v1/feedback", "feedback")
    #expect(pieces.map { $0["text"] as? String } == ["<b>It broke", "some-message"])
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    let page = plain(try await server.send("GET", "/feedback/1").text)
    for leaf in ["some-message", "some-email", "some-name", "expected-tag", "őá…–🤮🚀¿ 한글 테스트", "test-example-release"] {
      #expect(page.contains(leaf), "\(leaf)")
    }
    await server.end()
  }
}
