import Foundation
import MPaaSProtocol
import MPaaSTerminal
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

private let hostile = "<script>alert(\"1\")</script>&'\u{202e}"

@Suite("The pages") struct PageTests {
  private let frame = PageFrame(catalogue: Catalogue(language: .english))

  @Test("escape whatever comes from outside")
  func escaped() {
    let group = CrashGroupEntry(
      id: 1, app: "a", group: hostile, kind: "crash", exception: hostile, title: hostile, function: hostile,
      module: hostile, place: hostile, process: hostile, count: 1, first: 1, last: 1, newest: 1)
    let crash = CrashEntry(
      id: 1, event: "e", group: hostile, format: hostile, received: 1, captured: 1, title: hostile, process: hostile,
      version: hostile, system: hostile, device: hostile, user: hostile, level: hostile, environment: hostile, size: 1,
      stored: 1)
    let upload = UploadEntry(
      id: hostile, name: hostile, kind: hostile, state: "whole", offset: 1, user: hostile, device: hostile, updated: 1)
    var task = CollectionTask(
      id: hostile, app: hostile, user: hostile, device: hostile, from: 0, to: 1, created: 0, expires: 1)
    task.reason = hostile
    let form = OperatorPages.TaskForm(user: hostile, device: hostile, problem: hostile)
    let crashes = CrashPages(frame: frame)
    let operators = OperatorPages(frame: frame)
    for page in [
      crashes.groups([group], hasMore: true), crashes.group(group, [crash]), operators.uploads([upload]),
      operators.tasks([task], form, mayAsk: true), operators.statistics(["refused.\(hostile)": 1], waiting: 0, []),
    ] {
      #expect(!page.contains("<script"))
      #expect(!page.contains("\u{202e}"))
      #expect(!page.contains("\"1\")"))
      #expect(page.contains("&lt;script&gt;"))
    }
  }

  @Test("have every word in both languages")
  func words() {
    let chinese = PageFrame(catalogue: Catalogue(language: .simplifiedChinese))
    for frame in [frame, chinese] {
      let operators = OperatorPages(frame: frame)
      let task = CollectionTask(id: "1", app: "a", user: "u", from: 0, to: 1, created: 0, expires: 1)
      for page in [
        CrashPages(frame: frame).groups([], hasMore: false), operators.uploads([]),
        operators.tasks([task], .init(), mayAsk: true),
        operators.tasks([], .init(), mayAsk: false), operators.statistics([:], waiting: 0, []),
        AccountPages(frame: frame).login(problem: "x", issuer: .init(name: "<b>", isAway: true)),
        AccountPages(frame: frame).login(issuer: .init(isAway: false)), AccountPages(frame: frame).entered("ann"),
      ] {
        #expect(!page.contains("page.") && !page.contains("<b>"), "\(page)")
      }
    }
    #expect(AccountPages(frame: chinese).login(issuer: nil).contains("lang=\"zh-Hans\""))
  }

  @Test("are shown to whose cookie has a token, without scripts, in the browser's language")
  func shown() async throws {
    let server = try await TestServer()
    let away = try await server.send("GET", "/", ["Authorization": ""])
    #expect(away.status == 303)
    #expect(away.headers["location"] == "/login")
    let wrong = try await server.send("POST", "/login", ["Authorization": ""], body: Array("token=mpt_no".utf8))
    #expect(wrong.status == 403)
    #expect(wrong.headers["set-cookie"] == nil)
    let entered = try await server.send(
      "POST", "/login", ["Authorization": ""], body: Array("token=\(server.token)".utf8))
    let cookie = try #require(entered.headers["set-cookie"])
    #expect(entered.status == 303)
    #expect(cookie.contains("HttpOnly"))
    #expect(cookie.contains("SameSite=Strict"))
    let headers = [
      "Authorization": "", "Cookie": String(cookie.prefix { $0 != ";" }), "Accept-Language": "zh-CN, en;q=0.5",
    ]
    for path in ["/", "/files", "/tasks", "/statistics"] {
      let page = try await server.send("GET", path, headers)
      #expect(page.status == 200)
      #expect(page.text.contains("lang=\"zh-Hans\""))
      #expect(!page.text.contains("<script"))
      #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    }
    await server.end()
  }

  @Test("show a crash with its symbols, and its group by the function then", .fixtures)
  func symbolicated() async throws {
    let symbols = try Fixture.path("crash/crashprobe/release-arm64/dSYMs")
    let server = try await TestServer { $0.symbols = [symbols] }
    let report = String(decoding: try Fixture.data("crash/crashprobe/release-arm64/Call abort().json"), as: UTF8.self)
    #expect(try await server.envelope(report).status == 200)
    let page = try await server.send("GET", "/crashes/1")
    #expect(page.status == 200)
    #expect(page.text.contains("CRLCrashAbort.m"))
    #expect(!page.text.contains("<script"))
    #expect(try await server.send("GET", "/").text.contains("CRLCrashAbort"))
    #expect(try await server.send("GET", "/crashes/2").status == 404)
    await server.end()
  }

  @Test("ask for logs by a form, never for a page of another site")
  func form() async throws {
    let server = try await TestServer()
    let headers = ["Authorization": "", "Cookie": "mpaas_token=\(server.token)"]
    let fields = "user=a%26b&device=&from=2026-01-01T00%3A00&to=2026-01-02T00%3A00&network=wifi&types=behavior+crash"
    #expect(try await server.send("POST", "/tasks", headers, body: Array(fields.utf8)).status == 303)
    let task = try #require(try await server.tasks().first)
    #expect(task.user == "a&b")
    #expect(task.network == .wifi)
    #expect(task.types == ["behavior", "crash"])
    #expect(task.to - task.from == 86_400)
    #expect(try await server.send("POST", "/tasks", headers, body: Array("user=&from=x".utf8)).status == 400)
    let foreign = headers.merging(["Origin": "http://evil.example"]) { $1 }
    #expect(try await server.send("POST", "/tasks", foreign, body: Array(fields.utf8)).status == 403)
    #expect(try await server.send("POST", "/tasks/\(task.id)/cancel", headers, body: []).status == 303)
    #expect(try await server.tasks().map(\.state) == [.cancelled])
    await server.end()
  }

  @Test("metrics are as Prometheus reads them")
  func metrics() {
    let text = StatisticsRoutes.metrics(["accepted.crash": 3, "refused.a\"b\n": 1], waiting: 2)
    #expect(text.contains("\nmpaas_accepted_total{kind=\"crash\"} 3\n"))
    #expect(text.contains("{code=\"ab\"} 1\n"))
    #expect(text.hasSuffix("mpaas_store_waiting 2\n"))
  }

  @Test("the language is the best that the browser asks for")
  func language() {
    #expect(AcceptLanguage.best(of: "fr, zh-CN;q=0.8, en;q=0.9") == .english)
    #expect(AcceptLanguage.best(of: "zh-TW, zh-Hans;q=0.1") == .simplifiedChinese)
    #expect(AcceptLanguage.best(of: "fr") == nil)
    #expect(AcceptLanguage.best(of: "") == nil)
    #expect(AcceptLanguage.best(of: "en;q=0, zh;q=x") == nil)
  }
}
