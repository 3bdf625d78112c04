import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSProject

/// Edits with the edits that take them back, for a project with one target `App` and a file `App/A.swift`.
enum InverseEdits {
  /// Names that people give, and that projects have to write in quotes.
  static let names = ["Pay", "支付 SDK", "a-b", "größe", "x+y", "$(odd)", "it's", "1st", "d.e"]

  static func all(_ name: String) -> [(add: String, remove: String)] {
    [
      (
        #"{"operation": "add-file", "paths": "App/\#(name).swift", "targets": "App"}"#,
        #"{"operation": "remove-file", "paths": "App/\#(name).swift"}"#
      ),
      (
        #"{"operation": "add-group", "name": "\#(name)", "path": "App/\#(name)"}"#,
        #"{"operation": "remove-file", "paths": "App/\#(name)"}"#
      ),
      (
        #"{"operation": "set", "settings": {"KEY \#(name)": "\#(name)"}, "targets": "App"}"#,
        #"{"operation": "unset", "settings": "KEY \#(name)", "targets": "App"}"#
      ),
      (
        #"{"operation": "add-script", "name": "S \#(name)", "script": "echo \#(name)", "targets": "App"}"#,
        #"{"operation": "remove-script", "names": "S \#(name)"}"#
      ),
      (
        #"{"operation": "add-configuration", "name": "C \#(name)"}"#,
        #"{"operation": "remove-configuration", "names": "C \#(name)"}"#
      ),
      (
        #"{"operation": "add-build-rule", "pattern": "*.\#(name)", "script": "true", "targets": "App"}"#,
        #"{"operation": "remove-build-rule", "names": "*.\#(name)"}"#
      ),
      (
        #"{"operation": "add-target", "name": "T \#(name)", "kind": "aggregate"}"#,
        #"{"operation": "remove-target", "names": "T \#(name)"}"#
      ),
      (
        #"{"operation": "set-attribute", "attributes": {"K \#(name)": "v"}}"#,
        #"{"operation": "set-attribute", "remove": "K \#(name)"}"#
      ),
      (
        #"{"operation": "rename", "path": "App/A.swift", "name": "\#(name).swift"}"#,
        #"{"operation": "rename", "path": "App/\#(name).swift", "name": "A.swift"}"#
      ),
    ]
  }
}

@Suite("Edits and their inverses") struct InverseEditTests {
  private func file(_ bytes: [UInt8]) throws -> PBXProjectFile { try PBXProjectFile(bytes, file: "project.pbxproj") }

  private func edited(_ bytes: [UInt8], _ edits: [String]) throws -> EditedProject {
    let operations = try ProjectOperations.reading(Array("[\(edits.joined(separator: ","))]".utf8), file: "edits.json")
    return try file(bytes).edited(by: operations)
  }

  private func differences(_ old: [UInt8], _ new: [UInt8]) -> [String] {
    TextDiff(from: String(decoding: old, as: UTF8.self), to: String(decoding: new, as: UTF8.self)).lines
      .filter { $0.change != .kept }.map { ($0.change == .added ? "+" : "-") + $0.text }
  }

  private func rules(_ bytes: [UInt8]) -> Set<ProjectFinding.Rule> {
    Set(ProjectCheck.findings(in: bytes, file: "p").map(\.rule))
  }

  /// The small project in the form that an edit leaves behind.
  private func settled() throws -> [UInt8] {
    let both = InverseEdits.all("Settle").flatMap { [$0.add, $0.remove] }
    return try edited(Array(BrokenProject.whole.utf8), both).bytes
  }

  @Test("give the bytes back, whatever the names are", arguments: InverseEdits.names)
  func single(name: String) throws {
    let start = try settled()
    for (add, remove) in InverseEdits.all(name) {
      let added = try edited(start, [add])
      #expect(added.isProjectChanged, "\(add)")
      #expect(rules(added.bytes).subtracting(rules(start)) == [], "\(add)")
      let again = try edited(added.bytes, [add])
      #expect(!again.isChanged, "\(add)")
      let removed = try edited(added.bytes, [remove])
      #expect(differences(start, removed.bytes) == [], "\(add)")
    }
  }

  @Test("in any order, one inside the other, give the bytes back; made together they come out as one by one")
  func nested() throws {
    let start = try settled()
    var random = SeededRandom(seed: 51)
    for round in 0..<SeededRandom.rounds(or: 40) {
      var pairs: [(add: String, remove: String)] = []
      for name in InverseEdits.names.shuffled(using: &random).prefix(Int.random(in: 2...5, using: &random)) {
        // Only one of them can have the name that it had.
        let all = InverseEdits.all(name).dropLast(round % 3 == 0 && pairs.isEmpty ? 0 : 1)
        if let pair = all.randomElement(using: &random) { pairs.append(pair) }
      }
      var bytes = start
      for pair in pairs { bytes = try edited(bytes, [pair.add]).bytes }
      #expect(try edited(start, pairs.map(\.add)).bytes == bytes, "\(pairs)")
      #expect(rules(bytes).subtracting(rules(start)) == [], "\(pairs)")
      for pair in pairs.reversed() { bytes = try edited(bytes, [pair.remove]).bytes }
      #expect(differences(start, bytes) == [], "\(pairs)")
    }
  }

  @Test("that were taken back already are told as absent, and change nothing")
  func absent() throws {
    let start = try settled()
    for (_, remove) in InverseEdits.all("Nobody").dropLast(2) {
      let result = try edited(start, [remove])
      #expect(!result.isChanged, "\(remove)")
      #expect(result.notes.map(\.kind).first == .absent, "\(remove)")
    }
  }

  @Test("on projects of the fixtures keep what the check finds, and the lines of the others", .fixtures)
  func fixtures() throws {
    let files = try XcodeFixtures.files().filter { $0.contains("pbxproj/") }
    let step = max(1, files.count / max(1, SeededRandom.rounds(or: 12)))
    for name in stride(from: 0, to: files.count, by: step).map({ files[$0] }) {
      let start = try XcodeFixtures.read(name)
      guard let target = start.targets.first?.string("name"), start.mainGroup != nil else { continue }
      let word = JSONValue.string(target).line
      let edits = [
        #"{"operation": "add-file", "paths": "新/Neu.swift", "targets": \#(word)}"#,
        #"{"operation": "add-script", "name": "新", "script": "true", "targets": \#(word)}"#,
        #"{"operation": "set", "settings": {"新": ["a", "b c"]}, "targets": "*"}"#,
        #"{"operation": "add-configuration", "name": "新"}"#,
      ]
      let added = try edited(Array(start.bytes), edits)
      let known = Set(ProjectCheck.findings(in: start).map { "\($0.rule) \($0.id)" })
      let found = ProjectCheck.findings(in: added.bytes, file: name)
      #expect(found.filter { !known.contains("\($0.rule) \($0.id)") && $0.severity == .error }.isEmpty, "\(name)")
      #expect(try !edited(added.bytes, edits).isChanged, "\(name)")
      let kept = differences(Array(start.bytes), added.bytes).filter { $0.hasPrefix("-") }
      #expect(kept.count <= 6 * start.targets.count + 6, "\(name): \(kept)")
    }
  }
}
