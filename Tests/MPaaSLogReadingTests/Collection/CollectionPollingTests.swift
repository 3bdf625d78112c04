import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

/// A server of this process with one collection task, whose state is another at each question.
private final class ScriptedTaskServer: Sendable {
  private let states: Mutex<[CollectionTask.State?]>
  private let addresses = Mutex<[String]>([])

  /// - Parameter states: Those of the task, question by question, the last one for ever; nil is a server that is busy.
  init(_ states: [CollectionTask.State?]) { self.states = Mutex(states) }

  var urls: [String] { addresses.withLock { $0 } }

  static func task(_ state: CollectionTask.State = .waiting) -> CollectionTask {
    CollectionTask(id: "t", app: "a", user: "u", from: 0, to: 1, state: state, created: 0, expires: 9)
  }

  var server: LogServer {
    let exchange: @Sendable (HTTPCall) throws(HTTPError) -> HTTPReply = { [self] call throws(HTTPError) in
      addresses.withLock { $0.append(call.url) }
      let state = states.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
      guard let state else { return HTTPReply(status: 503) }
      let task = Self.task(state)
      let isOne = call.url.hasSuffix("/t") || call.method == "POST"
      let body = isOne ? try? JSONEncoder().encode(task) : try? JSONEncoder().encode(CollectionTaskPage(tasks: [task]))
      return HTTPReply(status: 200, body: Array(body ?? Data()))
    }
    return LogServer("http://server/", token: "t", client: HTTPClient(exchange: exchange))
  }
}

@Suite("Questions about collection tasks") struct CollectionPollingTests {
  @Test("end when nothing more happens to the task, and each other state is told once")
  func end() async throws {
    let it = ScriptedTaskServer([.waiting, .picked, .picked, .uploading, .done])
    var told: [CollectionTask.State] = []
    let pauses = CountedPauses(99)
    let task = try await it.server.end(of: ScriptedTaskServer.task(), pauses.polling) { told.append($0.state) }
    #expect(task.state == .done)
    #expect(told == [.picked, .uploading, .done])
    #expect(it.urls == Array(repeating: "http://server/api/v1/tasks/t", count: 5))
  }

  @Test("end with the caller, who gets the task as it was last seen")
  func cancelled() async throws {
    let it = ScriptedTaskServer([.picked])
    let task = try await Task {
      try await it.server.end(of: ScriptedTaskServer.task(), CountedPauses(2).polling) { _ in }
    }.value
    #expect(task.state == .picked)
    #expect(it.urls.count == 1)
  }

  @Test("end with an error where the server has no answer")
  func failed() async {
    let it = ScriptedTaskServer([nil])
    await #expect(throws: LogError.self) {
      try await it.server.end(of: ScriptedTaskServer.task(), CountedPauses(99).polling) { _ in }
    }
  }

  @Test("about all tell a task when it is new and when it is another")
  func watch() async throws {
    let it = ScriptedTaskServer([.waiting, .waiting, .picked, .picked, .done])
    let told = try await Task {
      var told: [CollectionTask.State] = []
      let query = CollectionQuery(user: "u", state: .waiting, limit: 3)
      try await it.server.watchTasks(query, CountedPauses(5).polling) { told.append($0.state) }
      return told
    }.value
    #expect(told == [.waiting, .picked, .done])
    #expect(it.urls.first == "http://server/api/v1/tasks?user=u&state=waiting&limit=3")
  }

  @Test("of a device tell what it did, and go on behind a server that is busy")
  func device() async throws {
    let folder = try TemporaryFolder()
    let it = ScriptedTaskServer([nil, .done, .waiting])
    let identity = LogIdentity(app: "a", device: "d", user: "u")
    let collector = try LogCollector(
      as: identity, from: it.server, logs: [], work: folder.path + "/work", clock: .live, flush: {})
    let looks = try await Task {
      var looks: [String] = []
      // Without a network a task waits, and one that is done is nothing to do.
      try await collector.collect(CountedPauses(3).polling, device: { DeviceState(network: .none) }) { look in
        switch look {
        case .success(let outcomes): looks += outcomes.map(\.state.rawValue)
        case .failure(let problem): looks.append(problem.id.name)
        }
      }
      return looks
    }.value
    #expect(looks == ["log-server-busy", "waiting"])
  }
}

@Suite("An order for logs") struct CollectionOrderTests {
  private static let wish = CollectionWish(id: "t", user: "u", from: 0, to: 1)

  private func run(_ order: CollectionOrder, _ server: LogServer) async throws -> (CollectionOrder.Outcome, [String]) {
    var told: [String] = []
    let outcome = try await order.run(at: server, CountedPauses(99).polling) { event in
      switch event {
      case .waits(let task): told.append("waits \(task.state.rawValue)")
      case .changed(let task): told.append(task.state.rawValue)
      }
    }
    return (outcome, told)
  }

  @Test("is the task as the server made it where nothing is waited for")
  func asks() async throws {
    let it = ScriptedTaskServer([.waiting])
    let (outcome, told) = try await run(CollectionOrder(Self.wish), it.server)
    #expect(outcome.task.state == .waiting)
    #expect(outcome.file == nil)
    #expect(told.isEmpty)
    #expect(it.urls == ["http://server/api/v1/tasks"])
  }

  @Test("tells what becomes of the task until its end")
  func waits() async throws {
    let it = ScriptedTaskServer([.waiting, .picked, .picked, .failed])
    let (outcome, told) = try await run(CollectionOrder(Self.wish, waits: true), it.server)
    #expect(outcome.task.state == .failed)
    #expect(told == ["waits waiting", "picked", "failed"])
  }

  @Test(
    "waits where there is a file to fetch, and fetches none for a task without logs",
    arguments: [
      CollectionTask.State.failed, .done,
    ])
  func nothingToFetch(state: CollectionTask.State) async throws {
    let it = ScriptedTaskServer([.waiting, state])
    let (outcome, told) = try await run(CollectionOrder(Self.wish, output: "/never/made"), it.server)
    #expect(outcome.task.state == state)
    #expect(outcome.file == nil)
    #expect(told.count == 2)
  }

  @Test("ends with an error where the server takes no wish")
  func refused() async {
    let it = ScriptedTaskServer([nil])
    await #expect(throws: LogError.self) { try await run(CollectionOrder(Self.wish, waits: true), it.server) }
  }
}
