import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Edits of a small project") struct RepeatedEditTests {
  private static func file(_ text: String) throws(ConfigError) -> PBXProjectFile {
    try PBXProjectFile(Array(text.utf8), file: "project.pbxproj")
  }

  private static func edited(_ text: String, _ edit: String) throws -> String {
    let operations = try ProjectOperations.reading(Array(edit.utf8), file: "edits.json")
    return String(decoding: try file(text).edited(by: operations).bytes, as: UTF8.self)
  }

  /// The faults of a project, which an edit must not make more of.
  private static func errors(_ text: String) -> [String] {
    ProjectCheck.findings(in: Array(text.utf8), file: "project.pbxproj").filter { $0.severity == .error }
      .map { $0.rule.rawValue }.sorted()
  }

  @Test(
    "leave a project without new faults, and made twice change nothing or are refused", arguments: BrokenProject.edits)
  func twice(edit: String) throws {
    let once = try Self.edited(BrokenProject.whole, edit)
    #expect(Set(Self.errors(once)).isSubset(of: Self.errors(BrokenProject.whole)))
    do {
      #expect(try Self.edited(once, edit) == once)
    } catch let error as ProjectEditError {
      #expect(["edit-no-file", "edit-no-target"].contains(error.code.id.name))
    }
  }

  @Test("take with a target no list and no phase that another has, too")
  func twoOwners() throws {
    let two = try Self.edited(BrokenProject.whole, #"[{"operation": "add-target", "name": "New", "kind": "app"}]"#)
    let target = try #require(try Self.file(two).objects("PBXNativeTarget").first { $0.string("name") == "New" })
    let phase = try #require(target.members.value(of: "buildPhases")?.strings.first)
    let shared = two.replacing("\t\t\t\tS1 /* Sources */,\n", with: "\t\t\t\tS1 /* Sources */,\n\t\t\t\t\(phase),\n")
    let left = try Self.edited(shared, #"[{"operation": "remove-target", "names": "New"}]"#)
    #expect(try Self.file(left).contains(phase))
    let none = try Self.file(Self.edited(BrokenProject.whole, #"[{"operation": "remove-target", "names": "App"}]"#))
    #expect(none.contains("L1"))
    #expect(none.contains("C1"))
    #expect(!none.contains("S1"))
  }

  @Test("come out as one after another when they are made together")
  func together() throws {
    let edits = [
      #"{"operation": "add-group", "name": "New", "path": "App/New"}"#,
      #"{"operation": "add-file", "paths": "App/New/B.swift", "targets": "App"}"#,
      #"{"operation": "set", "settings": {"A": "b c"}, "targets": "App"}"#,
      #"{"operation": "add-configuration", "name": "Beta", "like": "Debug"}"#,
    ]
    var single = BrokenProject.whole
    for edit in edits { single = try Self.edited(single, "[\(edit)]") }
    #expect(try Self.edited(BrokenProject.whole, "[\(edits.joined(separator: ", "))]") == single)
  }

  @Test("are made all, or none of them where one is refused")
  func refused() throws {
    let edit =
      #"[{"operation": "set", "settings": {"A": "b"}}, {"operation": "remove-target", "names": "Nobody"}]"#
    do {
      let result = try Self.edited(BrokenProject.whole, edit)
      #expect(!result.contains("Nobody"))
    } catch {
      #expect(error is ProjectEditError)
    }
    let wrong =
      #"[{"operation": "set", "settings": {"A": "b"}}, {"operation": "set", "targets": "Nobody", "settings": {}}]"#
    #expect(throws: ProjectEditError.self) { try Self.edited(BrokenProject.whole, wrong) }
  }

  @Test(
    "write values so that they are read back as they were",
    arguments: [
      "", " ", "a b", "\"", "\\", "a\nb", "\t", "价", "$(inherited)", "//", "/* */", "a;b", "{}", "-1", "é", "\u{1}",
    ])
  func values(value: String) throws {
    let json = JSONValue.object([
      "operation": .string("set"), "targets": .string("App"), "settings": .object(["KEY": .string(value)]),
    ])
    let text = try Self.edited(BrokenProject.whole, "[" + json.line + "]")
    #expect(try Self.file(text).object("C1")?.members.value(of: "buildSettings")?["KEY"]?.string == value)
  }

  @Test(
    "give names of files back as they were", arguments: ["a b.swift", "价.swift", "a'b.m", "$x.c", "A+B.swift", "-.h"])
  func names(name: String) throws {
    let edit = "[{\"operation\": \"add-file\", \"paths\": \"App/\(name)\", \"targets\": \"App\"}]"
    let file = try Self.file(Self.edited(BrokenProject.whole, edit))
    #expect(file.objects("PBXFileReference").contains { $0.string("path") == name })
  }
}

@Suite("Project files that were damaged") struct DamagedProjectTests {
  @Test("cut short anywhere are refused with the place, or can be checked")
  func cut() {
    let bytes = Array(BrokenProject.whole.utf8)
    for count in stride(from: 0, to: bytes.count, by: 11) {
      let part = Array(bytes[..<count])
      do throws(ConfigError) {
        _ = try PBXProjectFile(part, file: "p")
      } catch {
        #expect(error.place != nil, "\(count)")
      }
      #expect(!ProjectCheck.findings(in: part, file: "p").isEmpty, "\(count)")
    }
  }

  @Test("changed at random are refused, or take an edit that can be read again")
  func random() throws {
    let seed = Array(BrokenProject.whole.utf8)
    let words = ["{", "}", "(", ")", ";", " = ", "G1", "isa", "\"", "/*", "*/", ","].map { Array($0.utf8) }
    var random = SeededRandom(seed: 11)
    for round in 0..<SeededRandom.rounds(or: 400) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        case 1: bytes.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &random)], at: place)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      guard let file = try? PBXProjectFile(bytes, file: "p") else { continue }
      _ = ProjectCheck.findings(in: bytes, file: "p")
      let edit = BrokenProject.edits[round % BrokenProject.edits.count]
      let operations = try ProjectOperations.reading(Array(edit.utf8), file: "e")
      guard let edited = try? file.edited(by: operations) else { continue }
      #expect(throws: Never.self, "\(round): \(edit)") { try PBXProjectFile(edited.bytes, file: "p") }
    }
  }

  @Test("with the marks of a merge are refused as such, at the mark")
  func conflict() {
    let text = BrokenProject.whole.replacing(
      "\t\t\t\tG2 /* App */,\n", with: "<<<<<<< HEAD\n\t\t\t\tG2,\n=======\n>>>>>>> b\n")
    do throws(ConfigError) {
      _ = try PBXProjectFile(Array(text.utf8), file: "p")
      Issue.record("it was read")
    } catch {
      #expect(error.code == .pbxConflict)
      #expect(error.place?.description.hasPrefix("p:") == true)
    }
  }

  @Test("that nest without end are refused", arguments: ["{a = ", "("])
  func nesting(open: String) {
    let text = "// !$*UTF8*$!\n" + String(repeating: open, count: 100_000)
    #expect(throws: ConfigError.self) { try PBXProjectFile(Array(text.utf8), file: "p") }
  }
}

@Suite("Values of projects") struct PBXValueTests {
  @Test("put a new key where Xcode sorts it, behind the kind")
  func order() {
    var value: PBXValue = ["isa": "X", "b": "1", "d": "2"]
    value["c"] = "new"
    value["a"] = ["x"]
    value["z"] = "last"
    #expect(value.members?.map(\.key) == ["isa", "a", "b", "c", "d", "z"])
    value["b"] = nil
    value["isa"] = "Y"
    #expect(value.members?.map(\.key) == ["isa", "a", "c", "d", "z"])
    #expect(value["isa"]?.string == "Y")
  }

  @Test("put the kind first where it was missing")
  func kind() {
    var value: PBXValue = ["a": "1"]
    value["isa"] = "X"
    #expect(value.members?.map(\.key) == ["isa", "a"])
  }

  @Test("of a key that stands there twice are the last, which is the one that is set")
  func twice() {
    var value = PBXValue.dictionary([PBXMember("a", "1"), PBXMember("a", "2")])
    #expect(value["a"] == "2")
    value["a"] = "3"
    #expect(value.members?.map(\.value) == ["1", "3"])
    value["a"] = nil
    #expect(value.members?.isEmpty == true)
  }

  @Test("that are no dictionary have no members to set")
  func others() {
    var text: PBXValue = "a"
    text["b"] = "c"
    #expect(text == "a")
    #expect(text.strings == ["a"])
    #expect(PBXValue.strings(["a", "b"]).strings == ["a", "b"])
    #expect(PBXValue.array(["a", ["b"], ["k": "v"]]).strings == ["a"])
  }
}
