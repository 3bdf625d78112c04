import Foundation
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Flags that operators change") struct FlagHistoryTests {
  @Test("keep each version with author, comment and difference, and an old one comes back as a new one")
  func history() async throws {
    let server = try await TestServer()
    let ana = try await server.token("ana")
    #expect(try await server.changeFlags(TestServer.twoFlags, "first", token: ana).version == 1)
    #expect(try await server.changeFlags(TestServer.flag("old"), "on again", base: 1, token: ana).version == 2)
    let same = try await server.changeFlags(TestServer.flag("old"), token: ana)
    #expect(same.status == 200 && same.version == 2)
    let late = try await server.changeFlags(TestServer.flag("old", false), base: 1)
    #expect(late.status == 409 && late.code == "flags-version-conflict")
    let second: FlagVersion = try await server.send("GET", FlagPaths.history + "/2").value()
    #expect(second.author == "ana" && second.comment == "on again" && second.changed == 1)
    let members = second.changes.flatMap(\.members)
    #expect(members.contains(FlagDifference.Member(member: "enabled", before: "false", after: "true")))
    let back = FlagChangeRequest(.rollback(1), comment: "back").json
    let third: FlagVersion = try await server.flags("POST", FlagPaths.changes, back).value()
    #expect(third.version == 3 && third.rollback == 1)
    let states = try await [1, 3].asyncMap { try await server.send("GET", FlagPaths.flags + "?version=\($0)") }
    #expect(try FlagState(json: states[0].text) == FlagState(json: states[1].text))
    let page: FlagHistoryPage = try await server.send("GET", FlagPaths.history + "?flag=old").value()
    #expect(page.versions.map(\.version) == [3, 2, 1])
    let one: FlagHistoryPage = try await server.send("GET", FlagPaths.history + "?flag=search&before=3").value()
    #expect(one.versions.map(\.version) == [1] && one.versions.first?.added == 3)
    _ = try await server.changeFlags(#"[{"type":"feature-removed","featureName":"old"}]"#)
    _ = try await server.changeFlags(TestServer.flag("old"))
    // Lists say what each version by itself says, without members.
    let listed: FlagHistoryPage = try await server.send("GET", FlagPaths.history).value()
    #expect(listed.versions.map(\.version) == [5, 4, 3, 2, 1])
    for version in listed.versions {
      let whole: FlagVersion = try await server.send("GET", "\(FlagPaths.history)/\(version.version)").value()
      #expect(version == whole.shortened(to: FlagWire.shortened))
    }
    #expect(try await server.send("GET", FlagPaths.history + "/9").code == "flags-version-unknown")
    #expect(try await server.flags("POST", FlagPaths.changes, #"{"rollback":9}"#).code == "flags-version-unknown")
    await server.end()
  }

  @Test("are in as many environments as the memory has room for")
  func environments() async throws {
    let server = try await TestServer()
    let app = server.run.ready.appKey
    try await server.services.store.write { database in
      for index in 0..<98 {
        let key = FlagPlace.Key(app: app, environment: "e\(index)")
        try FlagStore.put(FlagStore.Environment(key: key, channel: "c\(index)", created: 1), in: database)
      }
    }
    let codes = try await ["one", "one", "two", "one"].asyncMap {
      try await server.flags("POST", FlagPaths.environments, "{\"name\":\"\($0)\"}").code
    }
    #expect(codes == [nil, "flags-environment-exists", "flags-environments-too-many", "flags-environment-exists"])
    await server.end()
  }

  @Test("are the same after a restart, in each environment")
  func restart() async throws {
    let first = try await TestServer()
    _ = try await first.changeFlags(TestServer.twoFlags)
    #expect(
      try await first.flags("POST", FlagPaths.environments, #"{"name":"test","copy":"production"}"#).status == 201)
    #expect(try await first.flags("POST", FlagPaths.environments, #"{"name":"test"}"#).status == 409)
    #expect(try await first.flags("POST", FlagPaths.environments, #"{"name":"a b"}"#).status == 400)
    _ = try await first.changeFlags(TestServer.flag("only"), query: "?environment=test")
    let path = FlagPaths.flags + "?environment=test"
    let before = try await first.send("GET", path)
    #expect(try FlagState(json: before.text).flags.map(\.name) == ["old", "only", "search"])
    await first.end()
    let again = try await TestServer(in: first.folder)
    let after = try await again.send("GET", path)
    #expect(after.body == before.body && after.headers["etag"] == before.headers["etag"])
    let page: FlagEnvironmentPage = try await again.send("GET", FlagPaths.environments).value()
    #expect(page.environments.map { "\($0.name) \($0.version) \($0.flags)" } == ["production 1 2", "test 2 3"])
    await again.end()
  }

  @Test("stay as they are where what comes is no change, or passes a limit")
  func refused() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let values = (0...1000).map { "\"\($0)\"" }.joined(separator: ",")
    let flags = (0...10_000).map { #"{"name":"f\#($0)","enabled":true}"# }.joined(separator: ",")
    let bodies: [(String, Int, String)] = [
      ("{", 400, "flags-malformed"), ("{}", 400, "server-bad-request"), (#"{"events":7}"#, 400, "server-bad-request"),
      (#"{"events":[],"rollback":1}"#, 400, "server-bad-request"),
      (#"{"events":[{"type":"feature-updated","feature":{}}]}"#, 400, "flags-shape"),
      (#"{"events":[{"type":"feature-updated","feature":{"name":"a"}}]}"#, 400, "flags-shape"),
      (#"{"events":[{"type":"segment-updated","segment":{"id":1}}]}"#, 400, "flags-shape"),
      (
        #"{"events":[{"type":"feature-updated","feature":{"name":"v","strategies":[{"name":"default","constraints":[{"#
          + #""contextName":"a","operator":"IN","values":[\#(values)]}]}]}}]}"#, 400, "flags-values-too-many"
      ),
      (#"{"events":[{"type":"hydration","features":[\#(flags)]}]}"#, 413, "flags-too-many"),
      (
        #"{"events":[{"type":"feature-updated","feature":{"name":"big","enabled":true,"description":""#
          + String(repeating: "x", count: 8 << 20) + #""}}]}"#, 413, "flags-too-large"
      ),
    ]
    for (body, status, code) in bodies {
      let answer = try await server.flags("POST", FlagPaths.changes, body)
      #expect(answer.status == status && answer.code == code, "\(body.prefix(80))")
    }
    #expect(try await server.send("GET", FlagPaths.flags).version == 1)
    #expect(try await server.send("GET", FlagPaths.flags + "?app=none").code == "flags-app-unknown")
    await server.end()
  }

  @Test("are told to who watches, those that were missed first")
  func watch() async throws {
    let server = try await TestServer()
    for name in ["a", "b"] { _ = try await server.changeFlags(TestServer.flag(name), name) }
    var watcher = try await EventConnection(server, FlagPaths.watch, ["Last-Event-ID": "1"])
    #expect(try await watcher.event("version").id == 2)
    _ = try await server.changeFlags(TestServer.flag("c"), "third")
    let event = try await watcher.event("version")
    let version = try JSONDecoder().decode(FlagVersion.self, from: Data(event.data.utf8))
    #expect(version.version == 3 && version.comment == "third" && version.changes.map(\.name) == ["c"])
    await server.end()
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ change: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await change(element)) }
    return values
  }
}
