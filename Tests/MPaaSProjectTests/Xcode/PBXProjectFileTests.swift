import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("The project reader") struct PBXProjectFileTests {
  @Test("takes every project, and gives it back byte for byte", .fixtures)
  func everyFile() throws {
    var versions: Set<String> = []
    let files = try XcodeFixtures.files()
    for name in files {
      let bytes = [UInt8](try Fixture.data(name))
      let file = try PBXProjectFile(bytes, file: name)
      #expect(try PBXDraft(file).finished().bytes == bytes, "\(name)")
      #expect(!file.entries.isEmpty, "\(name)")
      versions.formUnion(file.rootMembers.filter { $0.key == "objectVersion" }.compactMap(\.value.string))
    }
    #expect(files.count == 114)
    #expect(versions.isSuperset(of: ["46", "56", "77", "90"]))
  }

  @Test("reads what openstep-plist reads", .fixtures, .pythonPeers)
  func peer() throws {
    let files = try XcodeFixtures.files().map { try Fixture.path($0) }
    let script = """
      import sys, json, openstep_plist
      for path in sys.stdin.read().splitlines():
          try: print(path + "\\t" + json.dumps(openstep_plist.load(open(path, encoding="utf-8-sig")), sort_keys=True))
          except Exception: pass
      """
    let folder = try TemporaryFolder()
    try Data(script.utf8).write(to: folder.url.appending(path: "dump.py"))
    let outcome = try Command.run(
      Fixture.python, [folder.url.appending(path: "dump.py").path], input: files.joined(separator: "\n"))
    var count = 0
    for line in outcome.output.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      let path = try #require(parts.first)
      let tape = try OldStyleTape([UInt8](Data(contentsOf: URL(filePath: path))), file: path)
      let theirs = try JSONSerialization.jsonObject(with: Data((parts.last ?? "").utf8)) as? NSDictionary
      #expect(theirs == Self.foundation(tape.project(0)) as? NSDictionary, "\(path)")
      count += 1
    }
    #expect(count > 100)
  }

  private static func foundation(_ value: PBXValue) -> Any {
    switch value {
    case .string(let text): text
    case .array(let values): values.map(foundation)
    case .dictionary(let members):
      Dictionary(members.map { ($0.key, foundation($0.value)) }, uniquingKeysWith: { $1 })
    }
  }

  @Test("sees targets, configurations, phases, groups, packages and synchronised folders", .fixtures)
  func views() throws {
    let file = try XcodeFixtures.read(
      "project/pbxproj/tuist__XcodeProj__Fixtures_iOS_Project.xcodeproj_project.pbxproj")
    #expect(file.targets.compactMap { $0.string("name") } == ["iOS", "iOSTests"])
    let target = try #require(file.target(named: "iOS"))
    #expect(file.configurations(of: target).compactMap { $0.string("name") } == ["Debug", "Release"])
    #expect(file.buildPhase("PBXSourcesBuildPhase", of: target)?.strings("files").isEmpty == false)
    #expect(file.packageReferences().compactMap { $0.string("repositoryURL") }.count == 1)
    #expect(file.mainGroup.map { file.children(of: $0).isEmpty } == false)
  }

  @Test("names line and column of what is no project")
  func malformed() {
    let cases: [(String, String, Int)] = [
      ("( a )", "pbx-root", 1), ("a = b;", "pbx-root", 1), ("{\n objects = (); }", "pbx-objects", 2),
      ("{}", "pbx-objects", 1), ("{\n\n a = ; }", "oldstyle-expected", 3), ("", "oldstyle-empty", 1),
      ("{ objects = {\n<<<<<<< HEAD\n a = {};\n=======\n b = {};\n>>>>>>> other\n}; }", "pbx-conflict", 2),
    ]
    for (text, code, line) in cases {
      let error = #expect(throws: ConfigError.self) { try PBXProjectFile(Array(text.utf8), file: "a") }
      #expect(error?.code.id.name == code, "\(text)")
      guard case .text(_, let found, .some)? = error?.place else {
        Issue.record("\(text): no place")
        continue
      }
      #expect(found == line, "\(text)")
    }
  }

  @Test("never crashes on damaged projects; what it takes it checks and edits", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 11)
    let seeds = try XcodeFixtures.files().map { [UInt8](try Fixture.data($0)) }.filter { $0.count < 9000 }
    let words = [
      "{", "}", "(", ")", "=", ";", ",", "\"", "/*", "*/", "isa", "objects", "\n", "\r", "\u{feff}", "é", "//",
    ]
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...10, using: &random))
        let word = Array((words.randomElement(using: &random) ?? "").utf8)
        bytes.replaceSubrange(
          start..<end, with: Bool.random(using: &random) ? word : [.random(in: 0...255, using: &random)])
      }
      do throws(ConfigError) {
        let file = try PBXProjectFile(bytes, file: "a")
        #expect(file.bytes == bytes)
        _ = ProjectCheck.findings(in: file)
        guard String(validating: bytes, as: UTF8.self) != nil else { continue }
        var draft = PBXDraft(file)
        let id = draft.add("PBXFileReference", ["path": "new file.m", "sourceTree": "<group>"], seed: "fuzz")
        if let group = file.mainGroup { draft.append(.string(id), to: "children", of: group.id) }
        for configuration in file.objects("XCBuildConfiguration").prefix(2) {
          draft.update(configuration.id) { $0["buildSettings"]?["NEW_SETTING"] = ["a", "b c"] }
        }
        let changed = try draft.finished()
        #expect(changed.contains(id))
      } catch {
        // An edit may be refused where comments are damaged, too; it is never wrong.
        #expect(error.place != nil, "\(error)")
      }
    }
  }
}
