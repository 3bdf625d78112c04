import Foundation
import MPaaSAppServices
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Sends feedback as a device does, with the app's key.
  fileprivate func feedback(
    _ text: String = "the cart is empty", id: String = UUID().uuidString.lowercased(),
    secret: String = String(repeating: "s", count: 32), _ change: (inout FeedbackReport) -> Void = { _ in }
  ) async throws -> TestAnswer {
    var report = FeedbackReport(
      id: id, secret: secret, category: "problem", text: text, device: "d1", version: "1.2", created: 5)
    report.user = "u1"
    change(&report)
    return try await send(
      "POST", ServerPaths.feedback, ["Authorization": "Bearer \(run.ready.appKey)"],
      body: Array(try JSONEncoder().encode(report)))
  }

  fileprivate func entries(_ query: String = "") async throws -> [FeedbackEntry] {
    let answer = try await send("GET", ServerPaths.feedback + query)
    return try JSONDecoder().decode(FeedbackPage.self, from: Data(answer.body)).feedback
  }

  @discardableResult
  fileprivate func answer(_ number: Int64, _ json: String, _ headers: [String: String] = [:]) async throws -> TestAnswer
  {
    try await send("POST", "\(ServerPaths.feedback)/\(number)/messages", headers, body: Array(json.utf8))
  }

  fileprivate func replies(_ secret: String, after: Int64 = 0) async throws -> FeedbackReplies {
    let answer = try await send(
      "GET", "\(ServerPaths.feedbackReplies)?after=\(after)",
      ["Authorization": "Bearer \(run.ready.appKey)", FeedbackReplies.secretField: secret])
    return try JSONDecoder().decode(FeedbackReplies.self, from: Data(answer.body))
  }
}

/// A picture of 128 KiB, and the position that it was taken at.
private func picture(_ seed: UInt64) -> [UInt8] {
  func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
  }
  var random = SeededRandom(seed: seed)
  let coded = (0..<1 << 17).map { _ in UInt8.random(in: 0..<0xff, using: &random) }
  return [0xff, 0xd8] + segment(0xfe, Array("N31.2304".utf8)) + segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    + segment(0xda, [1, 1, 0, 0, 63, 0]) + coded + [0xff, 0xd9]
}

@Suite("Feedback") struct FeedbackTests {
  @Test(
    "comes with its pictures and logs exactly once, whatever answers are lost and however often the app begins anew")
  func exactlyOnce() async throws {
    let server = try await TestServer()
    for seed in 0..<UInt64(SeededRandom.rounds(or: 2)) {
      let folder = try TemporaryFolder()
      let random = Mutex(SeededRandom(seed: seed))
      let live = HTTPClient.live(userAgent: "test")
      var losing = live
      losing.exchange = { call throws(HTTPError) in
        let reply = try live.exchange(call)
        let isLost = random.withLock { Int.random(in: 0..<3, using: &$0) == 0 }
        if isLost { throw HTTPError(.timedOut, url: call.url, reason: "lost") }
        return reply
      }
      let collected = Mutex(0)
      var configuration = FeedbackConfiguration(
        server: AppServer(server.run.ready.url, appKey: server.run.ready.appKey, client: losing),
        folder: folder.path + "/feedback", device: "d\(seed)")
      configuration.collectLogs = { collected.withLock { $0 += 1 } }
      var form = FeedbackForm(userID: "u\(seed)")
      form.text = "the cart is empty"
      form.pictures = [try FeedbackImage(picture(seed)), try FeedbackImage(picture(seed + 100))]
      form.givesLogs = true
      let clock = Time(1_790_000_000)
      configuration.now = { clock.now }
      let times = TransferTimes(now: { .zero }, jitter: { _ in .zero }, skip: { _ in clock.now += 1 })
      try FeedbackService(configuration, times: times).submit(form)
      for _ in 0..<100 {
        let service = try FeedbackService(configuration, times: times)
        if (try? await service.deliver { DeviceState() }) == true { break }
      }
      let entries = try await server.entries("?user=u\(seed)")
      #expect(entries.count == 1, "seed \(seed)")
      let entry = try #require(entries.first)
      #expect(entry.pictures.allSatisfy { $0.upload != nil }, "seed \(seed)")
      let stored = try await server.send("GET", "/uploads/\(entry.pictures[1].upload ?? "")")
      #expect(stored.body == form.pictures[1].bytes)
      #expect(!stored.text.contains("N31.2304"))
      let tasks = try await server.tasks("?user=u\(seed)&device=d\(seed)")
      #expect(tasks.map(\.id) == [entry.task])
      #expect(collected.withLock { $0 } > 0)
    }
    let uploads = try await server.services.store.read { database in
      try database.row("SELECT count(*) FROM uploads") { $0.integer(0) }
    }
    #expect(uploads == Int64(2 * SeededRandom.rounds(or: 2)))
    await server.end()
  }

  @Test("is answered by an operator, and only the device that sent it gets the reply")
  func replies() async throws {
    let server = try await TestServer()
    let (own, other) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
    #expect(try await server.feedback(id: "feedback-1", secret: own).status == 201)
    #expect(try await server.feedback(id: "feedback-1", secret: own).status == 200)
    let taken = try await server.feedback(id: "feedback-1", secret: other)
    #expect(taken.status == 409)
    #expect(taken.json["code"] as? String == "feedback-id-taken")
    let number = try #require(try await server.entries().first).number
    for _ in 0..<2 { try await server.answer(number, #"{"id":"r1","text":"fixed in 1.3"}"#) }
    try await server.answer(number, #"{"state":"closed"}"#)
    let told = try await server.replies(own)
    #expect(told.messages.map(\.text) == ["fixed in 1.3", nil])
    #expect(told.messages.map(\.state) == [.answered, .closed])
    #expect(told.messages.allSatisfy { $0.feedback == "feedback-1" && $0.author == nil })
    #expect(try await server.replies(own, after: told.next).messages.isEmpty)
    #expect(try await server.replies(other).messages.isEmpty)
    let entry = try #require(try await server.entries("?state=closed").first)
    #expect(entry.messages.map(\.author) == ["start", "start"])
    #expect(try await server.answer(number, "{}").status == 400)
    #expect(try await server.answer(number + 1, #"{"text":"x"}"#).status == 404)
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    #expect(try await server.answer(number, #"{"text":"x"}"#, key).status == 403)
    #expect(try await server.send("GET", ServerPaths.feedback, key).status == 403)
    let reader = try await server.services.access.issue("reader", [.read], lifetime: 100).token
    #expect(try await server.answer(number, #"{"text":"x"}"#, ["Authorization": "Bearer \(reader)"]).status == 403)
    await server.end()
  }

  @Test("with a field that cannot be so is refused by the field's name")
  func refused() async throws {
    let server = try await TestServer()
    let changes: [(String, @Sendable (inout FeedbackReport) -> Void)] = [
      ("id", { $0.id = "../etc" }), ("secret", { $0.secret = "short" }), ("text", { $0.text = "" }),
      ("text", { $0.text = String(repeating: "x", count: 20_001) }), ("category", { $0.category = "" }),
      ("facts", { $0.facts = ["": "x"] }), ("logs", { $0.logs = FeedbackLogs(from: 5, to: 1) }),
      (
        "pictures",
        {
          $0.pictures = [
            FeedbackPicture(name: "a", type: "image/heic", size: 1, sha256: String(repeating: "0", count: 64))
          ]
        }
      ),
    ]
    for (field, change) in changes {
      let answer = try await server.feedback { change(&$0) }
      #expect(answer.status == 400)
      #expect((answer.json["message"] as? String)?.contains(field) == true, "\(field): \(answer.text)")
    }
    let large = try await server.feedback { $0.facts = ["x": String(repeating: "x", count: 300_000)] }
    #expect(large.status == 413)
    #expect(try await server.entries().isEmpty)
    await server.end()
  }

  @Test("is listed by filters and page by page, and exported whole, with no cell that a spreadsheet would run")
  func lists() async throws {
    let server = try await TestServer()
    for index in 0..<5 {
      #expect(
        try await server.feedback(index == 3 ? "=1+1 says \"hi\"" : "Text \(index)") {
          $0.category = index < 2 ? "problem" : "idea"
          $0.user = index == 4 ? nil : "u1"
        }.status == 201)
    }
    #expect(try await server.entries("?category=idea").count == 3)
    #expect(try await server.entries("?category=idea&user=u1").count == 2)
    #expect(try await server.entries("?text=tExT%20").map(\.text) == ["Text 4", "Text 2", "Text 1", "Text 0"])
    let first = try await server.entries("?limit=2")
    let second = try await server.entries("?limit=9&before=\(first.last?.number ?? 0)")
    #expect((first + second).map(\.text) == ["Text 4", "=1+1 says \"hi\"", "Text 2", "Text 1", "Text 0"])
    let csv = try await server.send("GET", ServerPaths.feedbackExport + "?category=idea")
    #expect(csv.text.contains("\"'=1+1 says \"\"hi\"\"\""))
    #expect(csv.text.contains("\u{feff}number,received,state"))
    for formula in ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "\0=1", "＝1", "－1"] {
      var entry = try #require(first.last)
      entry.contact = formula
      #expect(FeedbackExport.csv.line(entry).contains("\"'\(formula)\""), "\(formula.debugDescription)")
    }
    let lines = try await server.send("GET", ServerPaths.feedbackExport + "?format=jsonl")
    #expect(lines.text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("{") && $0.hasSuffix("}") } == 5)
    #expect(try await server.send("GET", ServerPaths.feedbackExport + "?format=x").status == 400)
    await server.end()
  }

  @Test("of one app is nothing to a token of another")
  func apps() async throws {
    let server = try await TestServer()
    #expect(try await server.feedback().status == 201)
    let number = try #require(try await server.entries().first).number
    let token = try await server.services.access.issue("other", [.read, .operate], app: "other", lifetime: 100).token
    let headers = ["Authorization": "Bearer \(token)"]
    #expect(try await server.send("GET", "\(ServerPaths.feedback)/\(number)", headers).status == 404)
    #expect(try await server.answer(number, #"{"text":"x"}"#, headers).status == 404)
    #expect(try await server.send("GET", ServerPaths.feedback, headers).text.contains("[]"))
    await server.end()
  }
}

@Suite("The pages of feedback") struct FeedbackPageTests {
  private static let hostile = "<script>alert(\"1\")</script>&'\u{202e}"

  @Test("escape whatever comes from outside, and have every word in both languages")
  func escaped() {
    let hostile = Self.hostile
    var report = FeedbackReport(
      id: hostile, secret: "", category: hostile, text: "\(hostile)\n\(hostile)", device: hostile, version: hostile,
      facts: [hostile: hostile], created: 1)
    report.pictures = [FeedbackPicture(name: hostile, type: hostile, size: 1, sha256: hostile, upload: hostile)]
    (report.contact, report.user, report.mobile, report.locale) = (hostile, hostile, hostile, hostile)
    var entry = FeedbackEntry(number: 1, report, app: hostile, received: 1)
    entry.task = hostile
    entry.messages = [
      FeedbackMessage(number: 1, feedback: hostile, author: hostile, text: hostile, state: .closed, time: 1)
    ]
    let filter = FeedbackStore.Filter(category: hostile, user: hostile, text: hostile)
    for language in [Language.english, .simplifiedChinese] {
      let pages = FeedbackPages(frame: PageFrame(catalogue: Catalogue(language: language)))
      for page in [
        pages.list([entry], filter, [hostile], query: "text=x&", hasMore: true),
        pages.list([], FeedbackStore.Filter(), [], query: "", hasMore: false),
        pages.entry(entry, mayAnswer: true, draft: hostile, problem: hostile),
      ] {
        #expect(!page.contains("<script"))
        #expect(!page.contains("\u{202e}"))
        #expect(!page.contains("\"1\")"))
        #expect(!page.contains("page."), "\(page)")
      }
    }
  }

  @Test("list, filter, answer and close, in the browser's language, for whose token permits it")
  func answered() async throws {
    let server = try await TestServer()
    #expect(try await server.feedback("payment & cart").status == 201)
    let number = try #require(try await server.entries().first).number
    let chinese = ["Cookie": "mpaas_token=\(server.token)", "Authorization": "", "Accept-Language": "zh-CN"]
    let list = try await server.send("GET", "/feedback?state=open&text=payment+%26", chinese)
    #expect(list.text.contains("payment &amp; cart"))
    #expect(list.text.contains("用户反馈"))
    #expect(try await !server.send("GET", "/feedback?state=closed", chinese).text.contains("payment"))
    var form = chinese
    form["Sec-Fetch-Site"] = "same-origin"
    let sent = try await server.send(
      "POST", "/feedback/\(number)", form, body: Array("text=%E5%B7%B2%E4%BF%AE%E5%A4%8D&state=closed".utf8))
    #expect(sent.status == 303)
    let page = try await server.send("GET", "/feedback/\(number)", chinese)
    #expect(page.text.contains("已修复"))
    #expect(try await server.entries().map(\.state) == [.closed])
    let empty = try await server.send("POST", "/feedback/\(number)", form, body: Array("text=&state=answered".utf8))
    #expect(empty.status == 400)
    form["Sec-Fetch-Site"] = "cross-site"
    #expect(try await server.send("POST", "/feedback/\(number)", form, body: Array("text=x".utf8)).status == 403)
    let reader = try await server.services.access.issue("reader", [.read], lifetime: 100).token
    let reading = ["Cookie": "mpaas_token=\(reader)", "Authorization": "", "Sec-Fetch-Site": "same-origin"]
    #expect(try await !server.send("GET", "/feedback/\(number)", reading).text.contains("<textarea"))
    #expect(try await server.send("POST", "/feedback/\(number)", reading, body: Array("text=x".utf8)).status == 403)
    #expect(try await server.send("GET", "/feedback/export?format=csv&", reading).text.contains("payment"))
    #expect(try await server.send("GET", "/feedback/99", reading).status == 404)
    await server.end()
  }
}
