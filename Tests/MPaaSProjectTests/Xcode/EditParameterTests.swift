import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Parameters of edits") struct EditParameterTests {
  /// Words of a command on a project in `/app`, beside which every file holds `lint`.
  private func words(_ words: [String: [String]]) -> EditWords {
    EditWords(words, path: { $0.hasPrefix("/app/") ? String($0.dropFirst(5)) : $0 }) { _ in Array("lint".utf8) }
  }

  private func isBadWord(_ error: any Error) -> Bool { (error as? ProjectEditError)?.code == .badWord }

  private func texts(_ language: String) throws -> [String: String] {
    let file = "Sources/MPaaSTerminal/Catalogue/Texts/xcode_edit.\(language).json"
    return try JSONDecoder().decode(
      [String: String].self, from: Data(contentsOf: Fixture.package.appending(path: file)))
  }

  private func helpKeys<Edit: ProjectEdit>(_ edit: Edit.Type) -> [String] {
    Edit.parameters.compactMap(\.argument).map(\.help) + [Edit.word + ".abstract"]
  }

  @Test("have a help text each, as their edits have", arguments: ["en", "zh-Hans"])
  func help(_ language: String) throws {
    let known = try texts(language)
    let keys = ProjectEdits.commands.flatMap { helpKeys($0) }
    #expect(keys.filter { known["command.project.edit." + $0] == nil } == [])
  }

  @Test("have edits that the documentation tells of")
  func documentation() throws {
    let text = try String(contentsOf: Fixture.package.appending(path: "Documentation/XcodeEditing.md"), encoding: .utf8)
    let words = ProjectEdits.commands.map { $0.word } + ProjectOperations.all.map { $0.word }
    #expect(words.filter { !text.contains("`\($0)`") && !text.contains("`\($0) ") } == [])
  }

  @Test("of a file are told in the order in which they are read")
  func members() {
    for operation in ProjectOperations.all {
      #expect(Set(operation.members).count == operation.members.count, "\(operation.word)")
    }
    #expect(Set(AddFile.members) == Set(AddFile.parameters.map(\.key)))
    #expect(Set(AddPackage.members) == Set(AddPackage.parameters.map(\.key)))
  }

  @Test("take the paths of a command as the project has them")
  func paths() throws {
    let inside = try AddFile.operation(words(["paths": ["/app/A.swift"], "targets": ["*"]]))
    #expect(inside.paths == ["A.swift"])
    #expect(inside.targets == .all)
    let elsewhere = try AddFile.operation(words(["paths": ["/app/A.swift"], "source_tree": ["SDKROOT"]]))
    #expect(elsewhere.paths == ["/app/A.swift"])
  }

  @Test("take a script from the command or from a file, not from both")
  func scripts() throws {
    #expect(try AddScript.operation(words(["script": ["make"]])).script == "make")
    #expect(try AddScript.operation(words(["script_file": ["lint.sh"]])).script == "lint")
    #expect {
      try AddScript.operation(words([:]))
    } throws: { isBadWord($0) }
    #expect {
      try AddScript.operation(words(["script": ["make"], "script_file": ["lint.sh"]]))
    } throws: { isBadWord($0) }
    #expect {
      try AddBuildRule.operation(words(["pattern": ["*.y"], "script": ["make"], "compiler": ["yacc"]]))
    } throws: { isBadWord($0) }
    #expect {
      try BaseConfiguration.operation(words(["path": ["A.xcconfig"], "none": ["YES"]]))
    } throws: { isBadWord($0) }
  }

  @Test("take one requirement of a package")
  func requirement() throws {
    let place = ["package": ["https://github.com/a/b"]]
    let one = try AddPackage.operation(words(place.merging(["exact": ["1.0.0"]]) { $1 }))
    #expect(one.requirement == .exact("1.0.0"))
    #expect {
      try AddPackage.operation(words(place.merging(["exact": ["1.0.0"], "branch": ["main"]]) { $1 }))
    } throws: { isBadWord($0) }
  }

  @Test("say no by a flag of their own")
  func flags() throws {
    let operation = try AddFramework.operation(words(["names": ["Pay"], "sign": ["NO"], "embed": ["YES"]]))
    #expect(!operation.signs)
    #expect(operation.embeds)
    #expect(operation.links)
  }

  @Test("make the words of a command operations on lists and libraries")
  func commandWords() throws {
    let paths = try AddSearchPath.operation(words(["values": ["My Vendor", "Vendor"], "kind": ["header"]]))
    #expect(paths.key == "HEADER_SEARCH_PATHS")
    #expect(paths.values == ["\"My Vendor\"", "Vendor"])
    #expect(try RemoveFlag.operation(words(["values": ["-ObjC"], "for": ["linker"]])).key == "OTHER_LDFLAGS")
    #expect(try AddLibrary.operation(words(["names": ["z"]])).isLibrary)
  }
}
