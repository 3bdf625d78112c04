import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("mpaas.toml") struct ProjectManifestTests {
  private func manifest(_ text: String) throws -> ProjectManifest {
    try ProjectManifest(reading: text, file: "mpaas.toml")
  }

  @Test("says registries in their order, modules, and what each target adds, overrides and leaves out")
  func all() throws {
    let project = try manifest(
      """
      [project]
      name = "Shop"
      platform = "ios"
      minimum = "13.0"
      place = "copy"
      folder = "./Vendor/MPaaS/"
      [registries.zeta]
      url = "https://z.example/"
      mirrors = ["https://m.example/"]
      root = "z.root.json"
      [registries.alpha]
      url = "../registry"
      [modules]
      APLog = "^3.0.2"
      UTDID = { version = ">=1", registry = "alpha", platforms = ["ios"], place = "shared", with = ["B", "A"] }
      Both = "*"
      [targets.Shop]
      [targets.Watch]
      platform = "watchos"
      [targets.Watch.modules]
      APLog = "==2"
      Both = false
      """)
    #expect(project.registries.map(\.name) == ["zeta", "alpha"])
    #expect(project.folder == "Vendor/MPaaS")
    #expect(project.place == .copy)
    #expect(project.modules.map(\.name) == ["APLog", "Both", "UTDID"])
    #expect(project.modules[2].with == ["A", "B"])
    #expect(project.modules[2].line == 15)
    let shop = try #require(project.target("Shop")), watch = try #require(project.target("Watch"))
    #expect(shop.modules.map(\.name) == ["APLog", "Both", "UTDID"])
    #expect(shop.minimum?.text == "13.0")
    #expect(watch.modules.map(\.requirement.text) == ["==2"])
    #expect(watch.minimum == nil)
    #expect(try manifest("").targets == [ProjectTarget()])
  }

  @Test(
    "refuses what it does not know, with the line and the nearest known key",
    arguments: [
      ("[project]\nnmae = \"x\"", "project-unknown-key-near", 2), ("\nwhatever = 1", "project-unknown-key", 2),
      ("[modules]\nA = { vers = \"1\" }", "project-unknown-key-near", 2),
      ("[modules]\n\nA = \"^x\"", "project-bad-requirement", 3),
      ("[modules]\nA = 1", "project-bad-value", 2), ("[modules]\nA = false", "project-bad-value", 2),
      ("[project]\nplace = \"move\"", "project-bad-value", 2), ("[project]\nfolder = \"../x\"", "project-bad-value", 2),
      ("[project]\nfolder = \".\"", "project-bad-value", 2), ("[modules]\n\"../x\" = \"1\"", "project-bad-name", 2),
      ("[targets.\"a/b\"]", "project-bad-name", 1), ("[targets.A]\n[targets.a]", "project-bad-name", 2),
      ("[registries.main]\nroot = \"x\"", "project-key-missing", 1), ("a = ", "toml-malformed", 1),
      ("[modules]\nA = { platforms = [\"pdp\"] }", "project-bad-value", 2),
      ("[modules]\nAbc = \"1\"\n\nabc = \"1\"", "project-name-case", 4),
      ("[modules]\nAbc = \"1\"\n[targets.A.modules]\naBC = \"1\"", "project-name-case", 4),
      ("[modules]\n<<<<<<< HEAD\nA = \"1\"\n=======\n>>>>>>> b", "project-merge-conflict", 2),
    ])
  func refused(text: String, code: String, line: Int) throws {
    let error = #expect(throws: ModuleError.self) { try manifest(text) }
    #expect(error?.code.id.name == code)
    guard case .text(_, let found, _) = error?.place else {
      Issue.record("no line: \(String(describing: error))")
      return
    }
    #expect(found == line)
  }

  @Test("a damaged one ends in an error that has a place, never in a crash")
  func fuzz() throws {
    var random = SeededRandom(seed: 56)
    let text = """
      [project]
      name = "Shop"
      platform = "ios"
      minimum = "13.0"
      folder = "MPaaS"
      [registries.main]
      url = "https://sdk.example.com/"
      mirrors = ["https://mirror.example.com/"]
      [modules]
      A = "^1.2"
      B = { version = ">=1", platforms = ["ios"], place = "copy", with = ["C"] }
      [targets.Watch]
      platform = "watchos"
      [targets.Watch.modules]
      A = false
      """
    for _ in 0..<SeededRandom.rounds(or: 400) {
      let damaged = String(decoding: random.damaged(Array(text.utf8)), as: UTF8.self)
      do throws(ModuleError) {
        let project = try ProjectManifest(reading: damaged, file: "mpaas.toml")
        #expect(!project.targets.isEmpty)
        #expect(!project.folder.hasPrefix("/"))
      } catch {
        #expect(error.place != nil, "\(error)")
        #expect(error.code.exit == .malformedInput, "\(error)")
      }
    }
  }
}

@Suite("mpaas.lock") struct ProjectLockTests {
  static func module(_ name: String, _ version: String, targets: [String] = [], needs: [String] = []) throws
    -> LockedModule
  {
    LockedModule(
      name: name, version: try #require(ModuleVersion(version)), registry: "main",
      sha256: String(repeating: "a", count: 64),
      size: 7, dependencies: try needs.map { LockedDependency($0, try #require(VersionRequirement("^1.0"))) },
      targets: targets)
  }

  @Test("is the same text whatever the order, and reads back as it was")
  func text() throws {
    let a = try Self.module("A", "1.0", needs: ["B", "C"]), b = try Self.module("B", "2", targets: ["X", "Y"])
    let old = try Self.module("B", "1", targets: ["Z"])
    let lock = ProjectLock(modules: [b, a, old])
    let systems = [LockedTarget(name: "X", platform: .ios, minimum: ModuleVersion("13.0"), options: ["A B"])]
    let full = ProjectLock(modules: [a], targets: systems + [LockedTarget(name: "Y")])
    #expect(full.targets == systems)
    #expect((try ProjectLock(reading: full.text, file: "mpaas.lock")) == full)
    #expect(lock == ProjectLock(modules: [old, b, a]))
    #expect(lock.modules.map(\.version.text) == ["1.0", "1", "2"])
    #expect(try ProjectLock(reading: lock.text, file: "mpaas.lock") == lock)
    #expect(lock.text.contains("dependencies = [\n  \"B ^1.0\",\n  \"C ^1.0\",\n]\n"))
    #expect(lock.versions(for: "Z")["B"]?.text == "1")
    #expect(lock.versions(for: "X")["B"]?.text == "2")
  }

  @Test("the marks of a merge are recognised, and what both sides have is kept")
  func merge() throws {
    let ours = ProjectLock(modules: [try Self.module("A", "1.0"), try Self.module("B", "2")]).text
    let theirs = ProjectLock(modules: [try Self.module("A", "1.0"), try Self.module("C", "3")]).text
    let common = ProjectLock(modules: [try Self.module("A", "1.0")]).text
    let text =
      common + "<<<<<<< HEAD\n" + ours.dropFirst(common.count) + "||||||| base\n[[module]]\n=======\n"
      + theirs.dropFirst(common.count) + ">>>>>>> theirs\n"
    let error = #expect(throws: ModuleError.self) { try ProjectLock(reading: text, file: "mpaas.lock") }
    #expect(error?.code.id == "lock-merge-conflict")
    #expect(try ProjectLock(mergingConflictsIn: text, file: "mpaas.lock").modules.map(\.name) == ["A", "B", "C"])
  }

  @Test("damaged locks end in an error, never in a crash")
  func fuzz() throws {
    var random = SeededRandom(seed: 9)
    let text = ProjectLock(
      modules: [
        try Self.module("A", "1.0", targets: ["T"], needs: ["B"]), try Self.module("B", "1"),
      ], targets: [LockedTarget(name: "T", platform: .linux, options: ["A B"])]
    ).text
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 1...126, using: &random)
        } else {
          bytes.removeSubrange(place..<min(place + 9, bytes.count))
        }
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      if let lock = try? ProjectLock(reading: damaged, file: "x") {
        #expect(try ProjectLock(reading: lock.text, file: "x") == lock)
      }
      _ = try? ProjectLock(mergingConflictsIn: damaged, file: "x")
    }
  }
}
