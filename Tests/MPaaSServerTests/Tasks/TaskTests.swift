import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  func change(_ task: String, _ change: String) async throws -> TestAnswer {
    try await send("PATCH", "/api/v1/tasks/\(task)", body: Array(change.utf8))
  }

  func ask(_ wish: String = #"{"user":"u","from":0,"to":10}"#) async throws -> TestAnswer {
    try await send("POST", "/api/v1/tasks", body: Array(wish.utf8))
  }

  func tasks(_ query: String = "") async throws -> [CollectionTask] {
    let answer = try await send("GET", "/api/v1/tasks\(query)")
    return try JSONDecoder().decode(CollectionTaskPage.self, from: Data(answer.body)).tasks
  }
}

@Suite("Collection tasks") struct TaskTests {
  private func task(_ state: CollectionTask.State) -> CollectionTask {
    var task = CollectionTask(id: "t", app: "a", user: "u", from: 0, to: 1, created: 0, expires: 100)
    task.state = state
    return task
  }

  @Test(
    "follow their states, and no other way", arguments: CollectionTask.State.allCases, CollectionTask.State.allCases)
  func states(from: CollectionTask.State, to: CollectionTask.State) {
    let allowed: [CollectionTask.State: [CollectionTask.State]] = [
      .waiting: [.picked, .failed, .cancelled], .picked: [.picked, .uploading, .done, .failed, .waiting, .cancelled],
      .uploading: [.uploading, .done, .failed, .picked, .waiting, .cancelled],
    ]
    var change = CollectionTaskChange(state: to)
    change.upload = from.isFinal ? nil : "up"
    let party: TaskRules.Party = to == .cancelled ? .operator : .device
    let after = try? TaskRules.changed(task(from), picker: nil, by: change, party, at: 5) { $0 == "up" }
    // Said again at the end, it changes nothing.
    let expected = allowed[from, default: from.isFinal ? [from] : []].contains(to)
    #expect((after != nil) == expected)
    if let after { #expect(after.state == to) }
  }

  @Test("are done only when the upload is whole, and taken by one device")
  func rules() {
    var change = CollectionTaskChange(state: .done)
    change.upload = "up"
    #expect(throws: ServerError.self) {
      try TaskRules.changed(task(.picked), picker: nil, by: change, .device, at: 5) { _ in false }
    }
    change = CollectionTaskChange(state: .uploading)
    change.device = "other"
    let taken = #expect(throws: ServerError.self) {
      try TaskRules.changed(task(.picked), picker: "one", by: change, .device, at: 5) { _ in true }
    }
    #expect(taken?.code == .taskTaken)
  }

  @Test("a device finds its tasks, picks one up, and no other device sees it then")
  func picked() async throws {
    let server = try await TestServer()
    let id = try #require(try await server.ask().json["id"] as? String)
    _ = try await server.ask(#"{"user":"other","from":0,"to":10}"#)
    #expect(try await server.tasks("?user=u&device=d1").map(\.id) == [id])
    #expect(try await server.change(id, #"{"state":"picked","device":"d1"}"#).status == 200)
    #expect(try await server.change(id, #"{"state":"uploading","device":"d2"}"#).status == 409)
    #expect(try await server.tasks("?user=u&device=d2").isEmpty)
    #expect(try await server.tasks("?user=u&device=d1").map(\.state) == [.picked])
    #expect(try await server.change(id, #"{"state":"done","upload":"none","device":"d1"}"#).status == 409)
    #expect(try await server.change(id, #"{"state":"cancelled"}"#).status == 200)
    #expect(try await server.tasks("?user=u&device=d1").isEmpty)
    #expect(try await server.change("none", #"{"state":"picked"}"#).status == 404)
    await server.end()
  }

  @Test("at most five are open for a device, and asking twice with one id makes one")
  func limits() async throws {
    let server = try await TestServer()
    for _ in 0..<3 { #expect(try await server.ask(#"{"id":"same","user":"u","from":0,"to":1}"#).status == 201) }
    #expect(try await server.tasks().count == 1)
    for _ in 0..<4 { #expect(try await server.ask().status == 201) }
    let answer = try await server.ask()
    #expect(answer.status == 429)
    #expect(answer.json["code"] as? String == "collection-tasks-too-many")
    #expect(try await server.ask(#"{"user":"u","from":5,"to":1}"#).status == 400)
    await server.end()
  }

  @Test("are listed page by page, each once, though many were asked for in one moment")
  func pages() async throws {
    let server = try await TestServer(time: Time(1000)) { $0.limits.tasks = 100 }
    for _ in 0..<7 { #expect(try await server.ask().status == 201) }
    var (found, last): ([String], String?) = ([], nil)
    while true {
      let answer = try await server.send("GET", "/api/v1/tasks?limit=3" + (last.map { "&before=\($0)" } ?? ""))
      #expect((answer.json["tasks"] as? [Any]) != nil)
      let page = try JSONDecoder().decode(CollectionTaskPage.self, from: Data(answer.body)).tasks
      guard let end = page.last else { break }
      found += page.map(\.id)
      last = end.id
    }
    #expect(found.count == 7)
    #expect(Set(found).count == 7)
    #expect(try await server.tasks("?before=none").isEmpty)
    await server.end()
  }

  @Test("are read from servers that answered with an array too")
  func bareArray() throws {
    let old = try JSONEncoder().encode([task(.waiting)])
    #expect(try JSONDecoder().decode(CollectionTaskPage.self, from: old).tasks == [task(.waiting)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CollectionTaskPage.self, from: Data("{\"groups\":[]}".utf8))
    }
  }

  @Test("keep what is said of their sizes within the numbers that every reader of JSON has exact")
  func hugeSizes() throws {
    var change = CollectionTaskChange(state: .picked)
    change.sent = .max
    change.size = .min
    let after = try TaskRules.changed(task(.waiting), picker: nil, by: change, .device, at: 5) { _ in false }
    #expect(after.sent == 9_007_199_254_740_991)
    #expect(after.size == 0)
  }

  @Test("expire when nobody did them in time")
  func expired() async throws {
    let time = Time(1000)
    let server = try await TestServer(time: time)
    let id = try #require(
      try await server.ask(#"{"user":"u","from":0,"to":10,"expires":2000}"#).json["id"] as? String)
    time.now = 2001
    #expect(try await server.tasks("?user=u&device=d").isEmpty)
    #expect(try await server.change(id, #"{"state":"picked","device":"d"}"#).status == 409)
    #expect(try await server.tasks().first?.state == .expired)
    await server.end()
  }

  @Test("an upload that names its task marks it done when it is whole, not before")
  func answered() async throws {
    let server = try await TestServer()
    let id = try #require(try await server.ask().json["id"] as? String)
    #expect(try await server.change(id, #"{"state":"picked","device":"d1"}"#).status == 200)
    let metadata = ["kind": "log", "task": id, "device": "d1"]
    let last = try await server.put([1, 2, 3, 4], metadata: metadata) {
      let state = try await server.tasks().first?.state
      #expect(state == .picked)
    }
    #expect(last == 204)
    let done = try #require(try await server.tasks().first)
    #expect(done.state == .done)
    #expect(done.size == 4)
    #expect(done.upload != nil)
    #expect(
      try await server.change(id, #"{"state":"done","upload":"\#(done.upload ?? "")","device":"d1"}"#).status == 200)
    await server.end()
  }

  @Test("tokens that may only send cannot ask for logs, and see the tasks of a user they name")
  func scopes() async throws {
    let server = try await TestServer()
    let device = try await server.services.access.issue("device", [.ingest], lifetime: 60).token
    let header = ["Authorization": "Bearer \(device)"]
    let wish = Array(#"{"user":"u","from":0,"to":10}"#.utf8)
    #expect(try await server.send("POST", "/api/v1/tasks", header, body: wish).status == 403)
    #expect(try await server.send("GET", "/api/v1/tasks", header).status == 400)
    #expect(try await server.send("GET", "/api/v1/tasks?user=u&device=d", header).status == 200)
    let id = try #require(try await server.ask().json["id"] as? String)
    let cancel = Array(#"{"state":"cancelled"}"#.utf8)
    #expect(try await server.send("PATCH", "/api/v1/tasks/\(id)", header, body: cancel).status == 403)
    let pick = Array(#"{"state":"picked","device":"d"}"#.utf8)
    #expect(try await server.send("PATCH", "/api/v1/tasks/\(id)", header, body: pick).status == 200)
    await server.end()
  }
}
