import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs
@testable import MPaaSServer

/// A device with logs of ten hours, and how it reaches a server.
private struct Device {
  let home: TemporaryFolder
  let name: String
  var server: LogServer
  /// The beginning of its logs.
  static let start = 1_769_817_600.0  // 2026-01-31T00:00:00Z

  init(_ name: String, at server: TestServer, fails: @escaping @Sendable () -> HTTPError? = { nil }) async throws {
    home = try TemporaryFolder()
    self.name = name
    // The key that an app in the field has.
    self.server = LogServer(server.run.ready.url, token: server.run.ready.appKey).losingAnswers(fails)
    for hour in 0..<10 {
      let folder = home.url.appending(path: "logs/diagnostic/2026-01-31")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let lines = (10..<60).map { "2026-01-31T0\(hour):\($0):00.000Z INFO Tag [7] message \(hour) \($0)\n" }
      try Data(lines.joined().utf8).write(to: folder.appending(path: "0\(hour).log"))
    }
  }

  func collector(standstill: TimeSpan = .seconds(60)) throws -> LogCollector {
    let identity = LogIdentity(app: "shop", device: name, user: "u1")
    return try LogCollector(
      as: identity, from: server, logs: [home.path + "/logs"], work: home.path + "/work", clock: .live,
      standstill: standstill)
  }

  func collect(_ network: DeviceState.Network = .wifi) async throws -> [CollectionOutcome] {
    try await collector().collect { DeviceState(network: network) }
  }

  var archives: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.path + "/work")) ?? []).filter { $0.hasSuffix(".zip") }
  }
}

extension LogServer {
  /// Some answers never arrive, though the server has done what was asked.
  fileprivate func losingAnswers(_ fails: @escaping @Sendable () -> HTTPError?) -> LogServer {
    var server = self
    let exchange = client.exchange
    server.client.exchange = { call throws(HTTPError) in
      let reply = try exchange(call)
      if let error = fails() { throw error }
      return reply
    }
    return server
  }
}

extension LogServer {
  /// A server of which only what is asked and told is where it was.
  fileprivate func withUploadsElsewhere(_ address: String) -> LogServer {
    var server = LogServer(address, token: token)
    let (exchange, real) = (server.client.exchange, url)
    server.client.exchange = { call throws(HTTPError) in
      var call = call
      call.url = real + String(call.url.dropFirst(address.count))
      return try exchange(call)
    }
    return server
  }
}

extension TestServer {
  fileprivate var desk: LogServer { LogServer(run.ready.url, token: token) }

  fileprivate func wish(from: Double, to: Double, _ change: (inout CollectionWish) -> Void = { _ in }) async throws
    -> CollectionTask
  {
    var wish = CollectionWish(id: UUID().uuidString.lowercased(), user: "u1", from: from, to: to)
    change(&wish)
    return try await desk.collect(wish)
  }

  /// The number of whole uploads.
  fileprivate func wholeUploads() async throws -> Int64? {
    try await services.store.read { database in
      try database.row("SELECT count(*) FROM uploads WHERE state = 'whole'") { $0.integer(0) }
    }
  }
}

@Suite("Collection between devices and the server") struct DeviceCollectionTests {
  @Test("what the desk asks for is packed and uploaded, and the task is done when the server has verified it")
  func whole() async throws {
    let server = try await TestServer()
    let device = try await Device("d1", at: server)
    let task = try await server.wish(from: Device.start + 3600, to: Device.start + 7200)
    #expect(task.state == .waiting)
    let outcomes = try await device.collect()
    #expect(outcomes.map(\.state) == [.done])
    #expect(outcomes.map(\.task) == [task.id])
    let done = try await server.desk.task(task.id)
    #expect(done.state == .done)
    #expect(done.size == outcomes.first?.size)
    let upload = try #require(done.upload)
    let answer = try await server.send("GET", "/uploads/\(upload)")
    #expect(answer.status == 200)
    #expect(Int64(answer.body.count) == done.size)
    #expect(answer.body.starts(with: Array("PK".utf8)))
    #expect(device.archives.isEmpty)
    #expect(try await device.collect().isEmpty)
    await server.end()
  }

  @Test("a task for Wi-Fi waits for it")
  func wifi() async throws {
    let server = try await TestServer()
    let device = try await Device("d1", at: server)
    let task = try await server.wish(from: Device.start, to: Device.start + 3600) { $0.network = .wifi }
    for network in [DeviceState.Network.none, .cellular] {
      #expect(try await device.collect(network).map(\.state) == [.waiting])
      let state = try await server.desk.task(task.id).state
      #expect(state == .waiting)
    }
    #expect(try await device.collect(.wifi).map(\.state) == [.done])
    await server.end()
  }

  @Test("an upload to a port that is closed is waited for a bounded time, and goes on later", .timeLimit(.minutes(10)))
  func closedPort() async throws {
    let server = try await TestServer()
    var device = try await Device("d1", at: server)
    let task = try await server.wish(from: Device.start, to: Device.start + 3600)
    let whole = device.server
    device.server = whole.withUploadsElsewhere("http://127.0.0.1:1")
    let outcomes = try await device.collector(standstill: .milliseconds(300)).collect { DeviceState(network: .wifi) }
    #expect(outcomes.map(\.state) == [.waiting])
    #expect(outcomes.first?.reason != nil)
    #expect(device.archives.count == 1)
    let state = try await server.desk.task(task.id).state
    #expect(state == .uploading)
    await server.end()
  }

  @Test("the app's key lets a device answer, and see or ask for nothing else")
  func keyOfTheApp() async throws {
    let server = try await TestServer()
    let device = try await Device("d1", at: server)
    let task = try await server.wish(from: Device.start, to: Device.start + 3600)
    for attempt in 0..<3 {
      let error = await #expect(throws: LogError.self) {
        switch attempt {
        case 0: _ = try await device.server.collect(CollectionWish(id: "x", user: "u1", from: 0, to: 1))
        case 1: _ = try await device.server.change(task.id, CollectionTaskChange(state: .cancelled))
        default: _ = try await device.server.ask("GET", ServerPaths.statistics)
        }
      }
      #expect(error?.code == .notPermitted)
    }
    await server.end()
  }

  @Test("where there is nothing of the window, the task fails with the word for it")
  func empty() async throws {
    let server = try await TestServer()
    let device = try await Device("d1", at: server)
    let task = try await server.wish(from: 1000, to: 2000)
    #expect(try await device.collect().map(\.state) == [.failed])
    let failed = try await server.desk.task(task.id)
    #expect(failed.state == .failed)
    #expect(failed.reason == "log-pack-empty")
    await server.end()
  }

  @Test("one of two devices answers, the other leaves it")
  func twoDevices() async throws {
    let server = try await TestServer()
    let devices = [try await Device("d1", at: server), try await Device("d2", at: server)]
    _ = try await server.wish(from: Device.start, to: Device.start + 3600)
    async let first = devices[0].collect()
    async let second = devices[1].collect()
    let states = try await (first + second).map(\.state)
    #expect(states.count { $0 == .done } == 1)
    #expect(states.allSatisfy { $0 == .done || $0 == .given })
    #expect(try await server.wholeUploads() == 1)
    await server.end()
  }

  @Test("a task that was cancelled is left, and what was begun for it is removed")
  func cancelled() async throws {
    let server = try await TestServer()
    let device = try await Device("d1", at: server)
    let task = try await server.wish(from: Device.start, to: Device.start + 3600)
    var picked = CollectionTaskChange(state: .picked)
    picked.device = "d1"
    _ = try await device.server.change(task.id, picked)
    try FileManager.default.createDirectory(atPath: device.home.path + "/work", withIntermediateDirectories: true)
    try Data("begun".utf8).write(to: device.home.url.appending(path: "work/\(task.id).logs.zip"))
    _ = try await server.desk.change(task.id, CollectionTaskChange(state: .cancelled))
    #expect(try await device.collect().isEmpty)
    #expect(device.archives.isEmpty)
    await server.end()
  }

  @Test("whatever answers are lost, and however often the device begins anew, there is one upload and one task done")
  func lostAnswers() async throws {
    let server = try await TestServer()
    for seed in 0..<UInt64(SeededRandom.rounds(or: 4)) {
      let random = Mutex(SeededRandom(seed: seed))
      let device = try await Device("d\(seed)", at: server) {
        random.withLock { Int.random(in: 0..<3, using: &$0) == 0 } ? HTTPError(.timedOut, url: "", reason: "lost") : nil
      }
      let before = try await server.wholeUploads() ?? 0
      let task = try await server.wish(from: Device.start, to: Device.start + 36_000) { $0.device = device.name }
      for _ in 0..<50 where try await !server.desk.task(task.id).state.isFinal { _ = try? await device.collect() }
      let state = try await server.desk.task(task.id).state
      let uploads = try await server.wholeUploads()
      #expect(state == .done, "seed \(seed)")
      #expect(uploads == before + 1, "seed \(seed)")
      for _ in 0..<50 where !device.archives.isEmpty { _ = try? await device.collect() }
      #expect(device.archives.isEmpty)
    }
    await server.end()
  }

  @Test("records of monitor points come to the server exactly once, whatever answers are lost")
  func records() async throws {
    let server = try await TestServer()
    let random = Mutex(SeededRandom(seed: 3))
    let device = try await Device("d1", at: server) {
      random.withLock { Int.random(in: 0..<3, using: &$0) == 0 } ? HTTPError(.timedOut, url: "", reason: "lost") : nil
    }
    let identity = LogIdentity(app: "shop", version: "2", device: "d1", user: "u1")
    for round in 0..<20 {
      let points = MonitorPoints(try MonitorFiles(device.home.path + "/points"), as: identity, to: device.server)
      for number in 0..<10 { points.behavior("e\(round * 10 + number)") }
      if round == 0 { points.alive() }
      _ = try? await points.upload()
    }
    let files = try MonitorFiles(device.home.path + "/points")
    for _ in 0..<50 where files.waiting.values.contains(where: { $0.records > 0 }) {
      _ = try? await RecordUploader(files, to: device.server, as: identity).upload(DeviceState())
    }
    let answer = try await server.send("GET", "/api/v1/records?type=behavior&limit=1000")
    let batches = try #require(answer.json["batches"] as? [[String: Any]])
    let events = batches.flatMap { $0["lines"] as? [String] ?? [] }.compactMap { MonitorLine($0)?.event }
    #expect(events.count == 200)
    #expect(Set(events) == Set((0..<200).map { "e\($0)" }))
    let alive = try await server.send("GET", "/api/v1/alive")
    #expect(alive.text.contains(#""version":"2""#), "\(alive.text)")
    await server.end()
  }
}
