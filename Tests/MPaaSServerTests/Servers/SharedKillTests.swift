import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Several servers that are killed", .severalServers) struct SharedKillTests {
  /// The ports of the servers that take requests, by their places.
  private final class Ports: Sendable {
    private let ports = Mutex<[UInt16]>([])
    private let over = Mutex(false)

    subscript(place: Int) -> UInt16 {
      get { ports.withLock { $0[place] } }
      set { ports.withLock { $0.count > place ? $0[place] = newValue : $0.append(newValue) } }
    }

    var count: Int { ports.withLock { $0.count } }
    var isOver: Bool { over.withLock { $0 } }
    func end() { over.withLock { $0 = true } }
  }

  /// An event with frames enough to be packed against others; each tenth brings a file, which goes to the bucket.
  private static func envelope(_ id: String, _ number: Int) -> String {
    let frames = (0..<40).map { #"{"function":"f\#($0)","module":"shop.m\#(number % 7)","lineno":\#(number + $0)}"# }
    let event =
      #"{"platform":"python","release":"shop@1.\#(number % 3).0","user":{"id":"u\#(number % 50)"},"exception":{"values":"#
      + #"[{"type":"E\#(number % 7)","value":"v \#(id)","stacktrace":{"frames":[\#(frames.joined(separator: ","))]}}]}}"#
    var text = "{\"event_id\":\"\(id)\"}\n{\"type\":\"event\",\"length\":\(event.utf8.count)}\n\(event)\n"
    if number.isMultiple(of: 10) {
      let file = "log of \(number % 100)"
      text += "{\"type\":\"attachment\",\"length\":\(file.utf8.count),\"filename\":\"a.log\"}\n\(file)\n"
    }
    return text
  }

  /// Sends one event to one server; the status, or 0 where the connection ended.
  private static func send(_ envelope: String, to port: UInt16, key: String) async -> Int {
    let head = """
      POST /api/1/envelope/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Sentry-Auth: Sentry sentry_version=7, \
      sentry_key=\(key)\r\nContent-Length: \(envelope.utf8.count)\r\n\r\n
      """
    guard let connection = try? TestConnection(port) else { return 0 }
    return (try? await connection.exchange(Array((head + envelope).utf8)))?.status ?? 0
  }

  /// Sends events until it is over, each to one server after the other until one has taken it; gives their ids.
  private static func load(_ worker: Int, _ ports: Ports, key: String) async -> [String] {
    var taken: [String] = []
    var number = worker
    while !ports.isOver {
      let id = String(format: "%08x%024x", worker, number)
      let envelope = envelope(id, number)
      var place = number
      while await send(envelope, to: ports[place % ports.count], key: key) != 200 {
        place += 1
        try? await Task.sleep(for: .milliseconds(20))
      }
      taken.append(id)
      number += 16
    }
    return taken
  }

  @Test("have each event once that was answered with 200, and counts that equal the rows")
  func killed() async throws {
    let console = try SharedConsole()
    let folders = try (0..<3).map { _ in try TemporaryFolder() }
    let ports = Ports()
    var servers = [try console.process(in: folders[0])]
    let (token, key) = (servers[0].token, servers[0].ready.appKey)
    for folder in folders.dropFirst() { servers.append(try console.process(in: folder, token: token)) }
    for (place, server) in servers.enumerated() { ports[place] = server.port }
    #expect(servers.allSatisfy { $0.ready.appKey == key })
    // `make test-long`: one every 5 seconds for two minutes.
    let kills = min(SeededRandom.rounds(or: 4), 24)
    let pause = Duration.milliseconds(kills == 24 ? 5000 : 1500)
    async let loads = withTaskGroup(of: [String].self) { group in
      for worker in 0..<16 { group.addTask { await Self.load(worker, ports, key: key) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    for kill in 0..<kills {
      try await Task.sleep(for: pause)
      let place = kill % servers.count
      servers[place].end(SIGKILL)
      servers[place] = try await TestConnection.elsewhere { [folder = folders[place]] in
        Kept(try console.process(in: folder, token: token))
      }.process
      ports[place] = servers[place].port
    }
    try await Task.sleep(for: pause)
    ports.end()
    let taken = await loads
    #expect(taken.count > 100)
    #expect(Set(taken).count == taken.count)
    for server in servers { #expect(server.end() == 0) }
    let count = Int64(taken.count)
    print("\(kills) kills of three servers: \(count) events answered with 200")
    #expect(try console.number("SELECT count(*) FROM crashes WHERE group_id <> 0") == count)
    #expect(try console.number("SELECT count(DISTINCT event) FROM crashes WHERE group_id <> 0") == count)
    #expect(try console.number("SELECT CAST(sum(count) AS INTEGER) FROM crash_groups") == count)
    #expect(try console.number("SELECT CAST(sum(count) AS INTEGER) FROM issue_hours") == count)
    #expect(try console.number("SELECT value FROM counts WHERE name = 'accepted.crash'") == count)
    #expect(
      try console.number(
        """
        SELECT count(*) FROM crash_groups g WHERE g.count <> (SELECT count(*) FROM crashes c WHERE c.group_id = g.id)
        OR g.users <> (SELECT count(*) FROM issue_users u WHERE u.app = g.app AND u.issue = g.id)
        """) == 0)
    // Each report can be read, and each file that came with one.
    let server = try await console.server(in: folders[0])
    let crashes = try await server.services.store.read { database in
      try database.rows("SELECT id FROM crashes WHERE group_id <> 0 ORDER BY id") { $0.integer(0) }
    }
    for crash in crashes.filter({ $0 % 7 == 0 }) {
      let report = try await server.services.report(of: crash, app: nil)
      #expect(report.map { String(decoding: $0, as: UTF8.self).contains("shop.m") } == true)
    }
    let files = try await server.services.store.read { database in
      try database.rows("SELECT DISTINCT blob, size FROM crash_attachments") { ($0.text(0), $0.integer(1)) }
    }
    #expect(!files.isEmpty)
    for (blob, size) in files { #expect(try await server.services.blobs.size(of: blob) == size) }
    await server.end()
  }

  /// A process that another thread started.
  private final class Kept: @unchecked Sendable {
    let process: ServerProcess
    init(_ process: ServerProcess) { self.process = process }
  }

  @Test("have their work done by another one after the deadline, and a process that was stopped ends by itself")
  func deadline() async throws {
    let console = try SharedConsole()
    let folder = try TemporaryFolder()
    let first = try console.process(in: folder)
    let second = try await console.server(isTidied: false)
    let holder = """
      SELECT coalesce(max(s.number), 0) FROM work_leases l JOIN servers s ON s.number = l.server WHERE l.work = 'upkeep'
      """
    #expect(try await seconds { try console.number(holder) > 0 } != nil)
    let number = try console.number(holder)
    #expect(number != second.services.session?.number)
    let stop = ContinuousClock.now
    kill(first.identifier, SIGSTOP)
    #expect(try await seconds(within: 300) { await second.services.does(.upkeep) } != nil)
    // Not counted from the first question: other tests can keep its answer waiting.
    #expect(ContinuousClock.now - stop > .seconds(3))
    #expect(try console.number(holder) == second.services.session?.number)
    // It finds that it was taken for dead; nothing that it sends is taken.
    kill(first.identifier, SIGCONT)
    let status = try await TestConnection.elsewhere { [first = Kept(first)] in first.process.wait() }
    #expect(status == 69)
    await second.end()
  }
}
