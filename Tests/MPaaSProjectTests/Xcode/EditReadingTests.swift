import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Files of operations") struct EditReadingTests {
  private func refusal(_ text: String) -> ProjectEditError? {
    do throws(ProjectEditError) {
      _ = try ProjectOperations.reading(Array(text.utf8), file: "edits.json")
      return nil
    } catch {
      return error
    }
  }

  private static let words = ProjectOperations.all.map { $0.word }

  private func members(_ word: String) -> [String] { ProjectOperations.all.first { $0.word == word }?.members ?? [] }

  @Test("know each operation by a word of its own, and each of its members")
  func vocabulary() {
    #expect(Set(Self.words).count == Self.words.count)
    for word in Self.words {
      #expect(!members(word).isEmpty, "\(word)")
      #expect(refusal("[{\"operation\": \"\(word)\", \"nobody\": 1}]")?.code == .unknownKey, "\(word)")
    }
  }

  @Test("refuse a member of the wrong kind, with the place where it stands", arguments: words)
  func kinds(word: String) {
    for member in members(word) {
      // Neither a text, nor a list of such, nor an object of such, nor a truth value.
      let error = refusal("[{\"operation\": \"\(word)\",\n  \"\(member)\": [{\"a\": {}}]}]")
      #expect(error != nil, "\(word) \(member)")
      guard error?.code == .badValue else {
        #expect(error?.code == .keyMissing, "\(word) \(member): \(error as Any)")
        continue
      }
      #expect(error?.values["key"] == member, "\(word)")
      #expect(error?.place?.description.hasPrefix("edits.json:2:") == true, "\(word) \(member): \(error?.place as Any)")
    }
  }

  @Test("say of a member that is not there by null the same as of one that is missing", arguments: words)
  func nulls(word: String) {
    let nulls = members(word).map { ", \"\($0)\": null" }.joined()
    let bare = refusal("[{\"operation\": \"\(word)\"}]")
    let explicit = refusal("[{\"operation\": \"\(word)\"\(nulls)}]")
    #expect(bare?.code == explicit?.code, "\(word)")
    #expect(bare?.values["key"] == explicit?.values["key"], "\(word)")
  }

  @Test(
    "take one value for a list of one",
    arguments: [
      ("remove-file", "paths"), ("remove-target", "names"), ("remove-script", "names"), ("unset", "settings"),
      ("remove-scheme", "names"), ("remove-configuration", "names"),
    ])
  func single(word: String, member: String) throws {
    let one = try ProjectOperations.reading(
      Array("[{\"operation\": \"\(word)\", \"\(member)\": \"x\"}]".utf8), file: "e")
    let list = try ProjectOperations.reading(
      Array("[{\"operation\": \"\(word)\", \"\(member)\": [\"x\"]}]".utf8), file: "e")
    #expect("\(one)" == "\(list)")
    #expect(refusal("[{\"operation\": \"\(word)\", \"\(member)\": []}]")?.code == .keyMissing)
  }

  @Test("take numbers and truth values for texts, as projects have them, and no fractions")
  func texts() throws {
    let text = #"[{"operation": "set", "settings": {"A": 7, "B": true, "C": -1, "D": ["x", 0, false], "E": ""}}]"#
    let operation = try #require(ProjectOperations.reading(Array(text.utf8), file: "e").first as? SetBuildSettings)
    #expect(operation.settings.map(\.key) == ["A", "B", "C", "D", "E"])
    #expect(operation.settings.map(\.values) == [["7"], ["YES"], ["-1"], ["x", "0", "NO"], [""]])
    #expect(operation.settings.map(\.isList) == [false, false, false, true, false])
    #expect(refusal(#"[{"operation": "set", "settings": {"A": 1.5}}]"#)?.code == .badValue)
    #expect(refusal(#"[{"operation": "set", "settings": {"A": null}}]"#)?.code == .badValue)
  }

  @Test("may have remarks and a comma behind the last, and stand in an object")
  func dialect() throws {
    let text = """
      // The new group.
      {"operations": [
        {"operation": "add-group", /* 组 */ "name": "组",},
      ]}
      """
    let operations = try ProjectOperations.reading(Array(text.utf8), file: "e")
    #expect((operations.first as? AddGroup)?.name == "组")
    #expect(try ProjectOperations.reading(Array("[]".utf8), file: "e").isEmpty)
  }

  @Test(
    "that are no operations are refused with the place",
    arguments: [
      ("", "source-unfinished", "1:1"), ("[", "source-unfinished", "1:2"), ("null", "edit-operations-malformed", "1:1"),
      ("{\"operations\": 1}", "edit-operations-malformed", "1:1"), ("[\n []]", "edit-operations-malformed", "2:2"),
      ("[{}]", "edit-key-missing", "1:2"), ("[{\"operation\": 1}]", "edit-no-operation", "1:16"),
      ("[{\"operation\": \"Set\"}]", "edit-no-operation", "1:16"),
      ("[{\"operation\": \"set\", \"settings\": {}, \"settings\": {}}]", "scaffold-name-twice", "1:39"),
      ("[{\"operation\": \"set\"} {}]", "source-syntax", "1:23"),
    ])
  func malformed(text: String, code: String, place: String) {
    let error = refusal(text)
    #expect(error?.code.id.name == code)
    #expect(error?.place?.description == "edits.json:\(place)")
  }

  @Test(
    "suggest the operation that was probably meant", arguments: ["add-flie", "remove-taget", "set-atribute", "excldue"])
  func suggestion(word: String) {
    let error = refusal("[{\"operation\": \"\(word)\"}]")
    #expect(Self.words.contains(error?.values["suggestion"] ?? ""), "\(error as Any)")
  }

  @Test(
    "refuse words that are empty where something has to have a name",
    arguments: [
      #"{"operation": "add-group", "name": ""}"#, #"{"operation": "add-file", "paths": ""}"#,
      #"{"operation": "add-target", "name": "", "kind": "app"}"#, #"{"operation": "add-configuration", "name": ""}"#,
      #"{"operation": "rename", "path": "App/A.swift", "name": ""}"#, #"{"operation": "add-scheme", "name": ""}"#,
      #"{"operation": "set", "settings": {"": "a"}}"#,
    ])
  func empty(edit: String) throws {
    let file = try PBXProjectFile(Array(BrokenProject.whole.utf8), file: "p")
    #expect(throws: ProjectEditError.self) {
      try file.edited(by: ProjectOperations.reading(Array("[\(edit)]".utf8), file: "e"))
    }
  }
}
