import Foundation
import MPaaSLogTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSLogUpload

@Suite("The queue of crash reports") struct ReportQueueTests {
  let folder: TemporaryFolder
  private let wifi: @Sendable () -> DeviceState = { DeviceState() }

  init() throws { folder = try TemporaryFolder() }

  private var work: String { folder.path + "/work" }

  private func report(_ name: String = "a.ips", _ text: String = "a report") throws -> String {
    let path = folder.path + "/" + name
    try Data("\(text) \(name)".utf8).write(to: URL(filePath: path))
    return path
  }

  private var copies: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: work + "/crashes") }
  }

  @Test("a report that was added arrives once, whatever becomes of its file and of the process")
  func once() async throws {
    let server = ScriptedReportServer { $0 < 2 ? .unreachable : .stored }
    let path = try report()
    let first = try server.queue(work)
    let id = try first.add(path)
    #expect(try await first.deliver(wifi).map(\.state) == [.waiting])
    try FileManager.default.removeItem(atPath: path)
    var delivered: [ReportDelivery] = []
    // Each round is another process.
    for _ in 0..<50 where delivered.last?.state != .done {
      try await Task.sleep(for: .milliseconds(20))
      delivered += try await server.queue(work).deliver(wifi)
    }
    let last = try #require(delivered.last)
    #expect(last.id == id)
    #expect(last.state == .done)
    #expect(last.receipt?.group == "g")
    #expect(last.path.hasSuffix("/a.ips"))
    #expect(last.word == nil)
    #expect(server.now.arrivals.count == 1)
    #expect(try copies.isEmpty)
  }

  @Test("an answer that is lost, or one that another has given, counts as nothing")
  func answers() async throws {
    let server = ScriptedReportServer { [.answerLost, .portal, .stored][min($0, 2)] }
    let queue = try server.queue(work)
    let id = try queue.add(try report())
    let deliveries = try await queue.deliver([id], attempts: 9, device: wifi)
    #expect(deliveries[id]?.state == .done)
    #expect(deliveries[id]?.receipt?.duplicate == true)
    #expect(server.now.reports.count == 1)
    #expect(server.now.requests == 3)
  }

  @Test("what the server will never take is sent once, and its word is told", arguments: [400, 413])
  func refused(status: Int) async throws {
    let server = ScriptedReportServer { _ in .status(status, code: "crash-report-unknown") }
    let path = try report()
    let queue = try server.queue(work)
    let id = try queue.add(path)
    let delivery = try #require(try await queue.deliver(wifi).first)
    #expect(delivery.state == .failed)
    #expect(delivery.word == "crash-report-unknown")
    #expect(delivery.error?.code.id == (status == 413 ? "log-server-too-large" : "log-server-refused"))
    for _ in 0..<3 {
      let again = try server.queue(work)
      #expect(try again.add(path) == id)
      #expect(try await again.deliver(wifi).isEmpty)
    }
    #expect(server.now.requests == 1)
  }

  @Test("a token that is refused loses nothing: the report is tried again later", arguments: [401, 403, 404])
  func tokens(status: Int) async throws {
    let server = ScriptedReportServer { _ in .status(status) }
    let time = Mutex(Date().timeIntervalSince1970)
    let clock = MonitorClock(now: { time.withLock { $0 } })
    let queue = try server.queue(work, clock: clock)
    try queue.add(try report("a.ips"))
    try queue.add(try report("b.ips"))
    #expect(try await queue.deliver(wifi).map(\.state) == [.failed])
    #expect(server.now.requests == 1)
    // The other one waits; the first one is not tried at each look.
    for _ in 0..<3 { _ = try await queue.deliver(wifi) }
    #expect(server.now.requests == 2)
    server.become { _ in .stored }
    time.withLock { $0 += 4000 }
    #expect(try await queue.deliver(wifi).map(\.state) == [.done, .done])
    #expect(server.now.reports.count == 2)
  }

  @Test("a server that is away is asked once, however many reports wait; when it is back all go")
  func storm() async throws {
    let server = ScriptedReportServer { _ in .status(503) }
    let queue = try server.queue(work)
    for number in 0..<30 { try queue.add(try report("\(number).ips")) }
    #expect(try await queue.deliver(wifi).count == 1)
    #expect(server.now.requests == 1)
    server.become { _ in .stored }
    try await Task.sleep(for: .milliseconds(20))
    #expect(try await queue.deliver(wifi).count == 30)
    #expect(server.now.reports.count == 30)
    #expect(server.now.requests == 31)
    #expect(try copies.isEmpty)
  }

  @Test("Retry-After is kept to, and one that is long is not waited for")
  func retryAfter() async throws {
    let server = ScriptedReportServer { $0 == 0 ? .status(429, retryAfter: 3600) : .stored }
    let queue = try server.queue(work)
    let id = try queue.add(try report())
    let first = try await queue.deliver([id], attempts: 5, device: wifi)
    #expect(first[id]?.state == .waiting)
    #expect(first[id]?.error?.code.id == "log-server-busy")
    #expect(try await queue.deliver(wifi).isEmpty)
    #expect(server.now.requests == 1)
    // A request for the report itself does not wait.
    let bytes = try Bytes.reading(try report())
    #expect(try queue.take(bytes, from: "a.ips", .again) == id)
    #expect(try await queue.deliver([id], attempts: 5, device: wifi)[id]?.state == .done)
  }

  @Test("several processes with the same report deliver it once, and each learns of it")
  func together() async throws {
    let server = ScriptedReportServer()
    let path = try report()
    let bytes = try Bytes.reading(path)
    let (work, wifi) = (work, wifi)
    let states = try await withThrowingTaskGroup(of: TransferState?.self) { group in
      let queues = try (0..<6).map { _ in try server.queue(work) }
      for queue in queues {
        group.addTask {
          let id = try queue.take(bytes, from: path, .again)
          return try await queue.deliver([id], attempts: 3, device: wifi)[id]?.state
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(states == [TransferState?](repeating: .done, count: 6))
    #expect(server.now.reports.count == 1)
    #expect(server.now.requests == 1)
    #expect(try copies.isEmpty)
  }

  @Test("a report that is there is not sent again unless that is wished")
  func known() async throws {
    let server = ScriptedReportServer()
    let path = try report()
    let bytes = try Bytes.reading(path)
    let first = try server.queue(work)
    let id = try first.add(path)
    #expect(try await first.deliver(wifi).map(\.state) == [.done])
    let time = Date().timeIntervalSince1970 + 60
    let second = try server.queue(work, clock: MonitorClock(now: { time }))
    #expect(try second.add(path) == id)
    #expect(try second.knows(bytes))
    // Longer than the queue remembers.
    try second.queue.remove(id)
    #expect(try second.knows(bytes))
    let again = try second.take(bytes, from: path, .again)
    #expect(try await second.deliver([again], attempts: 1, device: wifi)[again]?.receipt?.duplicate == true)
    #expect(server.now.arrivals.count == 2)
    #expect(server.now.reports.count == 1)
  }

  @Test("over Wi-Fi only waits for Wi-Fi; without a network nothing is tried")
  func rules() async throws {
    let server = ScriptedReportServer()
    let queue = try server.queue(work)
    let id = try queue.take(Bytes("r".utf8), from: "r", .once, network: .wifi)
    let first = try await queue.deliver([id], attempts: 5, device: { DeviceState(network: .cellular) })
    #expect(first[id]?.state == .waiting)
    #expect(first[id]?.error == nil)
    #expect(try await queue.deliver { DeviceState(network: .none) }.map(\.state) == [.waiting])
    #expect(server.now.requests == 0)
    #expect(try await queue.deliver(wifi).map(\.state) == [.done])
  }

  @Test("copies that nobody needs are removed; a copy that was damaged is written anew")
  func copiesLeft() async throws {
    let server = ScriptedReportServer { _ in .unreachable }
    let queue = try server.queue(work)
    let path = try report()
    let id = try queue.add(path)
    let copy = try #require(try queue.queue.record(id)?.transfer.file)
    let left = work + "/crashes/00.1234.new.abcdef"
    try Data("x".utf8).write(to: URL(filePath: left))
    for path in [left, copy] {
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -9000)], ofItemAtPath: path)
    }
    _ = try server.queue(work)
    #expect(try copies == [FileSystem.name(of: copy)])
    let permissions = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    try FileManager.default.removeItem(atPath: copy)
    server.become { _ in .stored }
    let again = try server.queue(work)
    try again.add(path)
    #expect(try await again.deliver(wifi).map(\.state) == [.done])
  }

  @Test("a copy that is not in the queue is taken over, whether a kill or a loss of power came between")
  func adoption() async throws {
    let server = ScriptedReportServer()
    let first = try server.queue(work)
    let id = try first.add(try report())
    let copy = try #require(try first.queue.record(id)?.transfer.file)
    let bytes = try Data(contentsOf: URL(filePath: copy))
    try first.queue.remove(id)
    #expect(try copies.isEmpty, "who removes a transfer wants no copy of its file")
    try bytes.write(to: URL(filePath: copy))
    _ = try server.queue(work)
    #expect(try server.queue(work).waiting().isEmpty, "it may be on its way into the queue")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -9000)], ofItemAtPath: copy)
    #expect(try await server.queue(work).deliver(wifi).map(\.state) == [.done])
    #expect(try copies.isEmpty)
    #expect(server.now.reports.count == 1)
  }

  @Test("a folder that was moved, or comes from a backup, loses nothing")
  func moved() async throws {
    let server = ScriptedReportServer()
    let first = try server.queue(work)
    let id = try first.add(try report())
    let copy = try #require(try first.queue.record(id)?.transfer.file)
    let bytes = try Data(contentsOf: URL(filePath: copy))
    try FileManager.default.removeItem(atPath: copy)
    try Data("other".utf8).write(to: URL(filePath: copy))
    try bytes.write(to: URL(filePath: copy))
    #expect(try await first.deliver(wifi).map(\.word) == ["transfer-file-changed"])
    #expect(try await server.queue(work).deliver(wifi).map(\.state) == [.done])
  }

  @Test("what is large goes by a resumable upload")
  func large() async throws {
    let server = ScriptedReportServer { _ in .unreachable }
    let queue = try server.queue(work)
    let id = try queue.take(Bytes([UInt8](repeating: 1, count: 21 << 20)), from: "core", .once)
    let transfer = try #require(try queue.queue.record(id)?.transfer)
    #expect(transfer.method == .tus)
    #expect(transfer.url == "http://server/uploads")
    #expect(transfer.metadata["kind"] == "crash")
  }

  @Test("on a device, what is added while it waits goes at once")
  func loop() async throws {
    let server = ScriptedReportServer()
    let queue = try server.queue(work)
    queue.start(every: .seconds(3600), device: wifi)
    for number in 0..<3 {
      try queue.add(try report("\(number).ips"))
      while server.now.reports.count <= number { try await Task.sleep(for: .milliseconds(5)) }
    }
    queue.stop()
    #expect(server.now.requests == 3)
  }
}
