import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A project whose sync is killed") struct SyncKillTests {
  private static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 30
  private static let versions = ["1.0", "2.0"]

  /// Each module has all its files, and of one version.
  private func check(_ project: String, _ round: Int) {
    let folder = project + "/MPaaS/Modules"
    for name in (try? FileSystem.names(in: folder)) ?? [] where !name.hasPrefix(".") {
      let module = folder + "/" + name
      guard let placed = PlacedFolder(at: module) else {
        Issue.record("round \(round): \(name) has no marker")
        continue
      }
      #expect(placed.name == name, "round \(round)")
      #expect(placed.changes(at: module).isEmpty, "round \(round)")
      let text = (try? String(contentsOfFile: module + "/src/a.c", encoding: .utf8)) ?? ""
      #expect(text.hasSuffix(" \(name) \(placed.version.text)\n"), "round \(round)")
    }
  }

  @Test("killed at any moment, no module of it is there by halves, and the next one brings it into step")
  func kill() throws {
    let names = (0..<6).map { "M\($0)" }
    let registry = try SignedModules(
      names.flatMap { name in Self.versions.map { .init(name, $0, size: 40_000) } })
    let user = try registry.user()
    let project = user.folder.path
    var random = SeededRandom(seed: 3)
    var longest = 0.2
    var killed = 0
    for round in 0..<Self.rounds {
      let version = Self.versions[round % 2]
      let text =
        "[project]\nname = \"Shop\"\nplace = \"\(round % 3 == 0 ? "copy" : "link")\"\n[modules]\n"
        + names.map { "\($0) = \"\(version)\"\n" }.joined()
      try Data(text.utf8).write(to: URL(filePath: project + "/mpaas.toml"))
      // Every few rounds nothing is stored, so that unpacking is met too.
      if round % 4 == 0 {
        try? FileManager.default.removeItem(atPath: user.store)
        try? FileManager.default.removeItem(atPath: project + "/MPaaS")
      }
      let begun = Date()
      let process = try user.start("module", "sync")
      if round % 6 == 5 {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        longest = min(2, Date().timeIntervalSince(begun))
      } else {
        usleep(UInt32(Double.random(in: 0...longest, using: &random) * 1e6))
        if process.isRunning, Foundation.kill(process.processIdentifier, SIGKILL) == 0 { killed += 1 }
        process.waitUntilExit()
      }
      check(project, round)
    }
    #expect(killed > Self.rounds / 4)
    let last = try user.mpaas("module", "sync")
    #expect(last.status == 0, "\(last.errors)")
    check(project, Self.rounds)
    let placed = try FileSystem.names(in: project + "/MPaaS/Modules").sorted()
    #expect(placed == names, "nothing is left beside them")
    let again = try user.mpaas("module", "sync", "--json")
    #expect(again.status == 0)
    #expect(try user.mpaas("sdk", "verify").status == 0)
    #expect(try FileSystem.names(in: user.store + "/tmp").isEmpty)
  }
}
