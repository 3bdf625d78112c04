import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

/// Time that passes only where somebody waits, and chance that always takes the longest pause.
final class FakeTimes: Sendable {
  private let state = Mutex<(now: TimeSpan, pauses: [TimeSpan])>((.zero, []))

  var times: TransferTimes {
    TransferTimes(
      now: { self.state.withLock { $0.now } }, jitter: { $0 },
      skip: { pause in
        self.state.withLock { state in
          state.now += pause
          if pause > .zero { state.pauses.append(pause) }
        }
      })
  }

  var pauses: [TimeSpan] { state.withLock { $0.pauses } }
}

@Suite("Parallel downloads") struct ParallelDownloadsTests {
  typealias Request = ScriptedServer.Request
  typealias Step = ScriptedServer.Step

  let folder: TemporaryFolder
  let clock = FakeTimes()
  static let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private var target: String { folder.path + "/file" }
  private var partial: String { folder.path + "/file.partial" }
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func downloads(_ change: (inout DownloadPolicy) -> Void = { _ in }) -> ParallelDownloads {
    var policy = DownloadPolicy()
    policy.limits.connect = .seconds(5)
    policy.settlesFiles = false
    change(&policy)
    return ParallelDownloads(policy: policy, userAgent: "mpaas-tests/1", times: clock.times)
  }

  private func job(_ urls: [String], size: Int? = body.count) -> DownloadJob {
    DownloadJob(urls, to: target, partial: partial, size: size.map(UInt64.init)) {
      (try? Data(contentsOf: URL(filePath: $0))) == Data(Self.body)
    }
  }

  private func run(
    _ urls: [String], _ change: (inout DownloadPolicy) -> Void = { _ in }
  ) async -> Result<HTTPResponse, HTTPError> {
    await downloads(change).run([job(urls)])[0]
  }

  private func expectWhole(_ result: Result<HTTPResponse, HTTPError>, _ place: SourceLocation = #_sourceLocation) {
    #expect(throws: Never.self, sourceLocation: place) { try result.get() }
    #expect((try? Data(contentsOf: URL(filePath: target))) == Data(Self.body), sourceLocation: place)
    #expect(names == ["file"], sourceLocation: place)
  }

  @Test("two hundred files arrive whole, over sixteen connections that stay open")
  func many() async throws {
    let server = try ScriptedServer { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return [ScriptedServer.answer("200 OK", body: Array(Self.body.prefix(number * 100)))]
    }
    let jobs = (0..<200).map { number in
      DownloadJob(
        [server.url + "/\(number)"], to: folder.path + "/\(number)", partial: folder.path + "/\(number).partial",
        size: UInt64(number * 100))
    }
    let finished = Mutex(Set<Int>())
    let results = await downloads().run(jobs) { event in
      if case .finished(let job, nil) = event { finished.withLock { _ = $0.insert(job) } }
    }
    for (number, result) in results.enumerated() {
      #expect(try result.get().size == UInt64(number * 100))
      #expect(try Data(contentsOf: URL(filePath: jobs[number].target)) == Data(Self.body.prefix(number * 100)))
    }
    #expect(finished.withLock(\.count) == 200)
    #expect(names.count == 200)
    #expect(server.connections <= 16)
    #expect(server.requests.count == 200)
  }

  /// One server that misbehaves a few times: how often it is asked, and how long the pauses are.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let requests: Int
    var pauses: [TimeSpan] = []
    let steps: @Sendable (Request) -> [Step]
    var testDescription: String { name }
  }

  static let passing: [Fault] = [
    Fault(name: "it cuts after 100,000 bytes", requests: 3, pauses: [.milliseconds(500), .seconds(1)]) { request in
      let start = request.start ?? 0
      guard start < 200_000, case .send(let bytes) = ScriptedServer.file(body, to: request) else {
        return [ScriptedServer.file(body, to: request)]
      }
      let head = bytes.count - (body.count - start)
      return [.send(Array(bytes.prefix(head + 100_000))), .close]
    },
    Fault(name: "it closes connections that are idle", requests: 2, pauses: [.milliseconds(500)]) { request in
      request.number == 0 ? [.close] : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "it announces no length and ends early", requests: 2, pauses: [.milliseconds(500)]) { request in
      guard request.number == 0 else { return [ScriptedServer.file(body, to: request)] }
      return [.send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + body.prefix(1000)), .close]
    },
    Fault(name: "503 with Retry-After", requests: 2, pauses: [.seconds(7)]) { request in
      request.number == 0
        ? [ScriptedServer.answer("503 Busy", ["Retry-After: 7"])] : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "429 with Retry-After, twice", requests: 3, pauses: [.seconds(3), .seconds(3)]) { request in
      request.number < 2
        ? [ScriptedServer.answer("429 Too Many Requests", ["Retry-After: 3"])]
        : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "500, then 502", requests: 3, pauses: [.milliseconds(500), .seconds(1)]) { request in
      request.number < 2
        ? [ScriptedServer.answer("50\(request.number * 2) Bad")] : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "it ignores ranges", requests: 2, pauses: [.milliseconds(500)]) { request in
      if request.number > 0 { return [ScriptedServer.answer("200 OK", body: body)] }
      return [ScriptedServer.answer("200 OK", body: Array(body.prefix(5000)), length: body.count), .close]
    },
    Fault(name: "it has a new version when it is asked to go on", requests: 2, pauses: [.milliseconds(500)]) {
      request in
      if request.number > 0 { return [ScriptedServer.file(body, to: request, tag: "\"v2\"")] }
      let old = [UInt8](repeating: 1, count: 5000)
      return [ScriptedServer.answer("200 OK", ["ETag: \"v1\""], body: old, length: body.count), .close]
    },
    Fault(name: "416 where it is asked to go on", requests: 3, pauses: [.milliseconds(500)]) { request in
      if request.start != nil { return [ScriptedServer.answer("416 Range Not Satisfiable")] }
      let cut = ScriptedServer.answer("200 OK", body: Array(body.prefix(5000)), length: body.count)
      return request.number == 0 ? [cut, .close] : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "it sends another range than it was asked for", requests: 3, pauses: [.milliseconds(500)]) { request in
      if request.start != nil {
        let range = "Content-Range: bytes 0-\(body.count - 1)/\(body.count)"
        return [ScriptedServer.answer("206 Partial Content", [range], body: body)]
      }
      let cut = ScriptedServer.answer("200 OK", body: Array(body.prefix(5000)), length: body.count)
      return request.number == 0 ? [cut, .close] : [ScriptedServer.file(body, to: request)]
    },
    Fault(name: "the rest does not belong to the beginning", requests: 3, pauses: [.milliseconds(500)]) { request in
      if let start = request.start {
        let range = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"
        let rest = [UInt8](repeating: 0, count: body.count - start)
        return [ScriptedServer.answer("206 Partial Content", [range], body: rest)]
      }
      let cut = ScriptedServer.answer("200 OK", body: Array(body.prefix(5000)), length: body.count)
      return request.number == 0 ? [cut, .close] : [ScriptedServer.file(body, to: request)]
    },
  ]

  @Test("what passes ends well, after as many requests and pauses as it takes", arguments: passing)
  func passes(_ fault: Fault) async throws {
    let server = try ScriptedServer(answer: fault.steps)
    expectWhole(await run([server.url + "/a"]))
    #expect(server.requests.count == fault.requests)
    #expect(clock.pauses == fault.pauses)
  }

  /// The lasting fault: the error, how often the server is asked, and whether another one makes it good.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let code: HTTPError.Code
    let requests: Int
    var size: Int? = body.count
    let steps: @Sendable (Request) -> [Step]
    var testDescription: String { name }
  }

  static let refusals: [Refusal] = [
    Refusal(name: "404", code: .status(404), requests: 1) { _ in [ScriptedServer.answer("404 Not Found")] },
    Refusal(name: "401", code: .status(401), requests: 1) { _ in [ScriptedServer.answer("401 Who")] },
    Refusal(name: "500 for ever", code: .status(500), requests: 6) { _ in [ScriptedServer.answer("500 Broken")] },
    Refusal(name: "it hangs up for ever", code: .unreachable, requests: 6) { _ in [.close] },
    Refusal(name: "503 until tomorrow", code: .status(503), requests: 1) { _ in
      [ScriptedServer.answer("503 Busy", ["Retry-After: 86400"])]
    },
    Refusal(name: "a circle of redirects", code: .tooManyRedirects, requests: 9) { _ in
      [ScriptedServer.answer("302 Found", ["Location: /again"])]
    },
    Refusal(name: "it announces too little", code: .notAccepted, requests: 1) { _ in
      [ScriptedServer.answer("200 OK", body: Array(body.prefix(1000)))]
    },
    Refusal(name: "it announces too much", code: .notAccepted, requests: 1) { _ in
      [ScriptedServer.answer("200 OK", body: body + [0])]
    },
    Refusal(name: "it sends more than it should, unannounced", code: .notAccepted, requests: 1) { _ in
      [.send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + body + body), .close]
    },
    Refusal(name: "it sends other bytes", code: .notAccepted, requests: 1) { _ in
      [ScriptedServer.answer("200 OK", body: [UInt8](repeating: 0, count: body.count))]
    },
    Refusal(name: "204", code: .status(204), requests: 1) { _ in [.send(Array("HTTP/1.1 204 Nothing\r\n\r\n".utf8))] },
    Refusal(name: "it never says where a range begins", code: .other, requests: 2) { request in
      if request.number == 0 { return [ScriptedServer.answer("206 Partial Content", body: body)] }
      return [ScriptedServer.answer("206 Partial Content", body: body)]
    },
  ]

  @Test("what stays wrong is told as what it is, after few requests, and leaves nothing", arguments: refusals)
  func refuses(_ refusal: Refusal) async throws {
    let server = try ScriptedServer(answer: refusal.steps)
    let result = await downloads().run([job([server.url + "/a"], size: refusal.size)])[0]
    #expect(result.failure?.code == refusal.code)
    #expect(server.requests.count == refusal.requests)
    #expect(names == [])
  }

  @Test("another mirror makes good what one server does", arguments: refusals)
  func mirrors(_ refusal: Refusal) async throws {
    let bad = try ScriptedServer(answer: refusal.steps)
    let good = try ScriptedServer { [ScriptedServer.file(Self.body, to: $0)] }
    expectWhole(await run([bad.url + "/a", good.url + "/a"]))
    #expect(good.requests.count == 1)
    #expect(clock.pauses == [])
  }

  @Test("a mirror that failed is asked last by the files that follow")
  func order() async throws {
    let good = try ScriptedServer { [ScriptedServer.file(Self.body, to: $0)] }
    let bad = try ScriptedServer { _ in [ScriptedServer.answer("500 Broken")] }
    let jobs = (0..<6).map { number in
      DownloadJob([bad.url + "/a", good.url + "/a"], to: folder.path + "/\(number)", size: UInt64(Self.body.count))
    }
    let results = await downloads { $0.parallel = 1 }.run(jobs)
    #expect(results.allSatisfy { $0.failure == nil })
    // Those that had begun before it failed.
    #expect(bad.requests.count <= 3)
    #expect(good.requests.count == 6)
  }

  @Test("a server that stands still is left, and the other one goes on from there")
  func stall() async throws {
    let bad = try ScriptedServer { _ in
      [
        ScriptedServer.answer("200 OK", body: Array(Self.body.prefix(100_000)), length: Self.body.count),
        .stall(seconds: 20),
      ]
    }
    let good = try ScriptedServer { [ScriptedServer.file(Self.body, to: $0)] }
    expectWhole(await run([bad.url + "/a", good.url + "/a"]) { $0.limits.stall = .seconds(1) })
    #expect(good.requests.first?.start == 100_000)
  }

  @Test("a later run goes on from what an earlier one left, and asks for the same version")
  func laterRun() async throws {
    try Data(Self.body.prefix(70_000)).write(to: URL(filePath: partial))
    let server = try ScriptedServer { [ScriptedServer.file(Self.body, to: $0)] }
    try "\(server.url)/a\n\"v1\"\n".write(toFile: partial + ".source", atomically: false, encoding: .utf8)
    expectWhole(await run([server.url + "/a"]))
    #expect(server.requests.first?.start == 70_000)
    #expect(server.requests.first?.head.contains("If-Range: \"v1\"\r\n") == true)
    // The whole file with its last byte, but without its name: nothing is asked for.
    try FileManager.default.moveItem(atPath: target, toPath: partial)
    expectWhole(await run([server.url + "/a"]))
    #expect(server.requests.count == 1)
  }

  @Test("what is whole but wrong from an earlier run is fetched anew", arguments: [300_000, 299_999, 300_001])
  func wrongPartial(_ size: Int) async throws {
    try Data(count: size).write(to: URL(filePath: partial))
    let server = try ScriptedServer { [ScriptedServer.file(Self.body, to: $0)] }
    expectWhole(await run([server.url + "/a"]))
    #expect(server.requests.count <= 2)
  }

  @Test("a cancelled task ends at once, keeps what came, and a later run goes on")
  func cancellation() async throws {
    let server = try ScriptedServer { request in
      request.number == 0
        ? [
          ScriptedServer.answer("200 OK", body: Array(Self.body.prefix(200_000)), length: Self.body.count),
          .stall(seconds: 1800),
        ] : [ScriptedServer.file(Self.body, to: request)]
    }
    // Neither side gives up before the task is cancelled, however slow the machine is.
    let downloads = downloads { $0.limits.stall = .seconds(1800) }
    let (job, partial) = (job([server.url + "/a"]), partial)
    let task = Task { await downloads.run([job])[0] }
    // Tests that wait for programs may hold all threads of the pool for minutes before the task begins.
    let deadline = ContinuousClock.now + .seconds(900)
    while FileStatus(partial)?.size != 200_000, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value.failure?.code == .cancelled)
    // 100 ms on an idle machine.
    #expect(ContinuousClock.now - start < .seconds(600))
    #expect(FileStatus(partial)?.size == 200_000)
    expectWhole(await run([server.url + "/a"]))
    #expect(server.requests.last?.start == 200_000)
  }

  @Test("a file of which the tag is known is not sent again")
  func knownTag() async throws {
    try Data([1, 2]).write(to: URL(filePath: target))
    let server = try ScriptedServer { request in
      request.head.contains("If-None-Match: \"v1\"")
        ? [.send(Array("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".utf8))]
        : [ScriptedServer.answer("200 OK", ["ETag: \"v1\""], body: [3])]
    }
    let same = await downloads().run([DownloadJob([server.url + "/a"], to: target, knownTag: "\"v1\"")])[0]
    #expect(try same.get().status == 304)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data([1, 2]))
    let new = await downloads().run([DownloadJob([server.url + "/a"], to: target, knownTag: "\"v0\"")])[0]
    #expect(try new.get().headers["etag"] == "\"v1\"")
    #expect(try Data(contentsOf: URL(filePath: target)) == Data([3]))
    #expect(names == ["file"])
  }
}
