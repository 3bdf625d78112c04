import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Build settings of a project") struct ProjectSettingsTests {
  private func settings(_ text: String) throws -> ProjectSettingsFiles {
    let project = try ProjectManifest(reading: text, file: "mpaas.toml")
    var log = ModuleManifest(name: "APLog", version: try #require(ModuleVersion("3.0.2")))
    log.contents.frameworks = ["Frameworks/APLog.framework"]
    log.contents.bundles = ["APLog.bundle"]
    log.link.libraries = ["z"]
    log.link.flags = ["-ObjC"]
    log.link.weakFrameworks = ["Network"]
    var core = ModuleManifest(name: "Core", version: try #require(ModuleVersion("1")))
    core.contents.libraries = ["lib/libcore.a", "odd.a"]
    core.contents.headers = ["include"]
    core.contents.xcframeworks = ["X.xcframework"]
    core.link.frameworks = ["CoreTelephony"]
    return ProjectSettingsFiles(
      project: project,
      modules: [
        .init(try ProjectLockTests.module("APLog", "3.0.2"), log, path: "MPaaS/Modules/APLog"),
        .init(try ProjectLockTests.module("Core", "1"), core, path: "MPaaS/Modules/Core"),
      ])
  }

  @Test("are written once and then left alone, and go with their target")
  func written() throws {
    let folder = try TemporaryFolder()
    for slice in ["ios-arm64", "ios-arm64_x86_64-simulator"] {
      let path = folder.path + "/MPaaS/Modules/Core/X.xcframework/\(slice)/X.framework"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let two = try settings("[project]\nname = \"Shop\"\n[targets.One]\n[targets.Two]\nplatform = \"linux\"")
    #expect(
      try two.write(in: folder.path)
        == ["MPaaS/BuildConfig.json", "MPaaS/One.xcconfig", "MPaaS/Two.xcconfig", "MPaaS/modules.json"])
    #expect(try two.write(in: folder.path).isEmpty)
    let xcconfig = try String(contentsOfFile: folder.path + "/MPaaS/One.xcconfig", encoding: .utf8)
    for line in [
      "MPAAS_FRAMEWORKS[sdk=iphoneos*] = \"$(MPAAS_ROOT)/MPaaS/Modules/Core/X.xcframework/ios-arm64\"",
      "FRAMEWORK_SEARCH_PATHS = $(inherited) \"$(MPAAS_ROOT)/MPaaS/Modules/APLog/Frameworks\" $(MPAAS_FRAMEWORKS)",
      "HEADER_SEARCH_PATHS = $(inherited) \"$(MPAAS_ROOT)/MPaaS/Modules/Core/include\"",
      "LIBRARY_SEARCH_PATHS = $(inherited) \"$(MPAAS_ROOT)/MPaaS/Modules/Core/lib\" \"$(MPAAS_ROOT)/MPaaS/Modules/Core\"",
      "OTHER_LDFLAGS = $(inherited) -ObjC -framework \"APLog\" -framework \"X\" -framework \"CoreTelephony\" "
        + "-weak_framework \"Network\" \"-lcore\" \"$(MPAAS_ROOT)/MPaaS/Modules/Core/odd.a\" \"-lz\"",
    ] { #expect(xcconfig.contains(line + "\n"), "\(line)\n\(xcconfig)") }
    let list = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url.appending(path: "MPaaS/modules.json")))
    let targets = (list as? [String: Any])?["targets"] as? [[String: Any]]
    #expect(
      targets?.last?["linker_flags"] as? [String]
        == ["-LMPaaS/Modules/Core/lib", "-LMPaaS/Modules/Core", "-ObjC", "-lcore", "MPaaS/Modules/Core/odd.a", "-lz"])
    try "mine".write(toFile: folder.path + "/MPaaS/Own.xcconfig", atomically: true, encoding: .utf8)
    #expect(try settings("[targets.One]").write(in: folder.path).contains("MPaaS/Two.xcconfig"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/MPaaS").contains("Own.xcconfig"))
  }
}

@Suite("Projects of the old kit") struct LegacyProjectTests {
  @Test("every real file becomes a manifest that asks for each framework once", .fixtures)
  func real() throws {
    let folder = try Fixture.path("project/mpaas_legacy")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".config") }
    #expect(files.count >= 2)
    for file in files {
      let bytes = try Bytes.reading(folder + "/" + file).array
      let legacy = try bytes.withUnsafeBytes { try LegacyProject(reading: $0, file: file) }
      let made = LegacyImport(legacy)
      let manifest = try ProjectManifest(reading: made.text(from: file), file: "mpaas.toml")
      let versions = Dictionary(legacy.targets[0].products.values.flatMap { $0 }) { first, _ in first }
      #expect(versions.count > 40)
      #expect(manifest.modules.count == versions.count)
      for module in manifest.modules { #expect(module.requirement.exact?.text == versions[module.name]) }
      #expect(manifest.place == (legacy.copies ? .copy : .link))
      #expect(manifest.name == legacy.name)
      #expect(manifest.targets.count == 1)
      #expect(made.notes.contains { $0.values["list"]?.contains("SGMain.framework") ?? false })
    }
  }

  @Test("missing and strange members are no hindrance, and what is lost is said")
  func lenient() throws {
    let text = """
      {"targets": {"B": {"versions": {"P": {"X": "1.0", "Y": "2", "bad name": "1", "Z": "one"}, "Q": {"X": "1.1"}, "R": 3}},
      "A": {"versions": {"P": {"X": "1.1"}}, "extra": 1}, "C": []}, "more": true}
      """
    let legacy = try Array(text.utf8).withUnsafeBytes { try LegacyProject(reading: $0, file: "x") }
    let made = LegacyImport(legacy)
    #expect(made.shared.mapValues(\.text) == ["X": "1.1"])
    #expect(made.own["B"]?.keys.sorted() == ["Y"])
    let manifest = try ProjectManifest(reading: made.text(from: "x"), file: "mpaas.toml")
    #expect(manifest.target("B")?.modules.map(\.name) == ["X", "Y"])
    #expect(made.notes.count { $0.key == "text.legacy-bad" } == 2)
    #expect(made.notes.contains(Diagnostic.Detail("text.legacy-unknown", ["name": "targets.A.extra"])))
    for broken in ["", "[]", "{}", "{\"targets\": 1}"] {
      #expect(throws: ModuleError.self) {
        try Array(broken.utf8).withUnsafeBytes { try LegacyProject(reading: $0, file: "x") }
      }
    }
  }

  @Test("damaged files end in an error or in a manifest that can be read, never in a crash")
  func fuzz() throws {
    var random = SeededRandom(seed: 54)
    let text = """
      {"notice": "x", "project": "Shop", "copy": true, "recent": ["A"], "targets": {"A": {"author": "x", "time": "2019",
      "baseline": "10.1.60", "versions": {"P": {"X": "1.0.0.190701174234", "Y": "2"}, "Q": {"X": "1.1"}},
      "frameworks": ["X.framework"], "resources": ["X.bundle"]}, "B": {"versions": {"P": {"X": "1.0"}}}}}
      """
    for _ in 0..<SeededRandom.rounds(or: 500) {
      let bytes = random.damaged(Array(text.utf8))
      guard let legacy = try? bytes.withUnsafeBytes({ try LegacyProject(reading: $0, file: "x") }) else { continue }
      // Names of targets alone may be such that no folder can have them.
      do {
        _ = try ProjectManifest(reading: LegacyImport(legacy).text(from: "x"), file: "mpaas.toml")
      } catch {
        #expect(error.code.id == "project-bad-name" || error.code.id == "project-name-case", "\(error)")
      }
    }
  }
}

extension SeededRandom {
  /// Bytes of which a few were changed, taken away or doubled.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0..<4, using: &self) {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes[place] = Array("\"[]{}=.,\n\\#".utf8).randomElement(using: &self) ?? 0
      case 2: bytes.removeSubrange(place..<Swift.min(place + 5, bytes.count))
      default: bytes.insert(contentsOf: bytes[place..<Swift.min(place + 9, bytes.count)], at: place)
      }
      if bytes.isEmpty { bytes = [0] }
    }
    return bytes
  }
}
