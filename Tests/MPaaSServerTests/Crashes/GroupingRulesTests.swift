import Foundation
import MPaaSCrash
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

private func event(_ functions: [String], release: String = "1", message: String = "x") -> String {
  let frames = functions.reversed().map { #"{"function":"\#($0)","filename":"a.py","lineno":7}"# }
  return """
    {"platform":"python","release":"\(release)","exception":{"values":[{"type":"KeyError","value":"\(message)",\
    "stacktrace":{"frames":[\(frames.joined(separator: ","))]}}]}}
    """
}

private func name(_ number: Int) -> String {
  String(repeating: "0", count: 32 - "\(number)".count) + "\(number)"
}

@Suite("Grouping rules at the server") struct GroupingRulesAtServerTests {
  private func write(_ rules: String, _ folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/rules"
    try Data(rules.utf8).write(to: URL(filePath: path))
    return path
  }

  private func groups(_ server: TestServer) async throws -> [String: Int] {
    let list = try await server.list("/api/v1/crash-groups", "groups")
    return Dictionary(
      uniqueKeysWithValues: list.map { ($0["group"] as? String ?? "", $0["count"] as? Int ?? 0) })
  }

  @Test("group what comes in, from the file that is named, and from the data folder's where none is")
  func incoming() async throws {
    let folder = try TemporaryFolder()
    let rules = try write("ignore function:log\n", folder)
    let server = try await TestServer(in: folder) { $0.rules = rules }
    _ = try await server.envelope(event(["log", "run"]), id: name(1))
    _ = try await server.envelope(event(["run"]), id: name(2))
    #expect(try await groups(server).values.sorted() == [2])
    await server.end()
    let other = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: other.path + "/data", withIntermediateDirectories: true)
    try Data("split 1:0000000000000000 by version\nignore function:log".utf8).write(
      to: URL(filePath: other.path + "/data/.mpaas-groups"))
    let second = try await TestServer(in: other)
    _ = try await second.envelope(event(["log", "run"]), id: name(1))
    _ = try await second.envelope(event(["run"]), id: name(2))
    #expect(try await groups(second).values.sorted() == [2])
    await second.end()
  }

  @Test("that cannot be read, or are missing where they are named, end the start with their place")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    let rules = try write("# one\nnonsense here\n", folder)
    let error = await #expect(throws: GroupingRulesError.self) {
      _ = try await TestServer(in: folder) { $0.rules = rules }
    }
    #expect(error?.line == 2)
    #expect(error?.path == rules)
    await #expect(throws: (any Error).self) { _ = try await TestServer { $0.rules = "/nowhere/rules" } }
  }

  /// Tidies until the server has seen its rules, and has grouped all crashes by them.
  private func regroup(_ routes: CrashRoutes, _ server: TestServer) async throws {
    repeat {
      await routes.tidy()
    } while try await server.services.store.read {
      try $0.row("SELECT done FROM crash_regrouping") { $0.optionalInteger(0) } ?? nil
    } != nil
  }

  @Test("that change while it runs group what comes in, and then what is stored; wrong ones leave the old")
  func changed() async throws {
    let folder = try TemporaryFolder()
    let rules = try write("", folder)
    let server = try await TestServer(in: folder, isTidied: false) { $0.rules = rules }
    for number in 0..<150 {
      _ = try await server.envelope(
        event(number < 100 ? ["log", "run"] : ["run"], message: "\(number)"), id: name(number))
    }
    let before = try await groups(server)
    #expect(before.values.sorted() == [50, 100])
    let routes = try #require(server.run.routes.lazy.compactMap { $0 as? CrashRoutes }.first)
    _ = try write("nonsense", folder)
    await routes.tidy()
    #expect(try await groups(server) == before)
    #expect(server.services.counts["refused.grouping-rule-word"] == 1)
    _ = try write("ignore function:log", folder)
    try await regroup(routes, server)
    #expect(try await groups(server).values.sorted() == [150])
    let one = try #require(try await server.list("/api/v1/crash-groups", "groups").first)
    #expect(one["title"] as? String == "KeyError: 149")
    // Merged and split ones, and back to what there was.
    _ = try write("", folder)
    try await regroup(routes, server)
    #expect(try await groups(server) == before)
    let list = try await server.list("/api/v1/crash-groups", "groups")
    let newest = list.compactMap { $0["newest"] as? Int }.sorted()
    #expect(newest == [100, 150])
    _ = try write("merge \(before.keys.sorted().joined(separator: " "))", folder)
    try await regroup(routes, server)
    #expect(try await groups(server) == [before.keys.sorted()[0]: 150])
    await server.end()
  }

  @Test("that changed while it was ended are applied at the next start, also where that was ended in the middle")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let rules = try write("", folder)
    let first = try await TestServer(in: folder, isTidied: false) { $0.rules = rules }
    for number in 0..<140 {
      _ = try await first.envelope(event(["run"], release: number % 2 == 0 ? "1" : "2"), id: name(number))
    }
    let group = try #require(try await groups(first).first?.key)
    await first.end()
    _ = try write("split \(group) by version", folder)
    let second = try await TestServer(in: folder, isTidied: false) { $0.rules = rules }
    // One step only.
    try await Regrouping(CrashIntake(second.services)).run(for: .zero)
    #expect(try await groups(second).count == 3)
    await second.end()
    let third = try await TestServer(in: folder, isTidied: false) { $0.rules = rules }
    let routes = try #require(third.run.routes.lazy.compactMap { $0 as? CrashRoutes }.first)
    try await regroup(routes, third)
    let after = try await groups(third)
    #expect(after.values.sorted() == [70, 70])
    #expect(after[group] == nil)
    #expect(third.services.counts["regrouped.crash"] == 140)
    await third.end()
  }

  @Test("are applied anew to what a former version of the way to group has stored")
  func formerVersion() async throws {
    let folder = try TemporaryFolder()
    let first = try await TestServer(in: folder)
    _ = try await first.envelope(event(["run"]), id: name(1))
    let group = try #require(try await groups(first).first?.key)
    #expect(group.hasPrefix("2:"))
    // It kept the digest alone, or nothing where there were no rules.
    try await first.services.store.write { try $0.run("DELETE FROM crash_regrouping") }
    await first.end()
    let second = try await TestServer(in: folder)
    let state = try await second.services.store.read { database in
      try database.row("SELECT rules, done FROM crash_regrouping") { ($0.text(0), $0.optionalInteger(1)) }
    }
    #expect(state?.0 == "2.1:")
    #expect(state?.1 == 0)
    try await Regrouping(CrashIntake(second.services)).run(for: .seconds(10))
    #expect(try await groups(second) == [group: 1])
    await second.end()
  }

  @Test("hold for groups by message too")
  func messages() throws {
    func summary(_ release: String, _ rules: String = "") throws -> CrashSummary {
      let text = #"{"platform":"python","message":"lost","release":"\#(release)"}"#
      let book = GroupingRuleBook(rules: try GroupingRules(rules))
      return try Array(text.utf8).withUnsafeBytes { try ReportReading(book).event($0, id: nil) }
    }
    let group = try summary("1").group
    #expect(try summary("2").group == group)
    #expect(try summary("1", "merge 1:0123456789abcdef \(group)").group == "1:0123456789abcdef")
    let split = "split \(group) by version"
    #expect(try summary("1", split).group != summary("2", split).group)
  }

  @Test(
    "give what is read at a glance and the whole report the same group", .fixtures,
    arguments: [
      "", "ignore function:*", "ignore family:native", "ignore family:swift", "module:* +app", "path:/usr/* +app",
      "file:*.swift -app", "!file:*.swift -app", "sentinel function:*a*", "prefix module:*",
      "exception:trap module:* +app",
      "ignore path:*.dylib", "!path:/System/* -app",
    ])
  func glances(rule: String) throws {
    let rules = try GroupingRules(rule)
    var compared = 0
    for folder in ["crash/crashprobe", "crash/apple", "crash/sentry"] {
      let path = try Fixture.path(folder)
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
      for name in names.sorted() where name.hasSuffix(".json") || name.hasSuffix(".ips") {
        let bytes = [UInt8](try Fixture.data("\(folder)/\(name)"))
        guard bytes.count < 2 << 20, let glance = bytes.withUnsafeBytes({ ReportGlance.read($0) }) else { continue }
        guard let whole = try? ReportFile.read(Bytes(bytes)) else { continue }
        var (first, second) = (FrameClassifier(rules: rules), FrameClassifier(rules: rules))
        let groups = [Fingerprint(glance, &first).group, Fingerprint(whole, &second).group]
        #expect(groups[0] == groups[1], "\(rule): \(name)")
        compared += 1
      }
    }
    #expect(compared > 5)
  }
}
