import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas module") struct ModuleTests {
  /// A project whose lock is there, and that no registry is known to.
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try
      "[project]\nname = \"Shop\"\n\n[modules] # ours\nA = \"^1\"\n\n[targets.One]\n\n[targets.Two.modules]\nB = \"*\"\n"
      .write(toFile: folder.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    var lock = "version = 1\n"
    for (name, rest) in [
      ("A", "dependencies = [\n  \"B ^1\",\n  \"C *\",\n]\n"), ("B", "dependencies = [\n  \"C >=1\",\n]\n"), ("C", ""),
    ] {
      lock += "\n[[module]]\nname = \"\(name)\"\nversion = \"1.2\"\nregistry = \"main\"\n"
      lock += "sha256 = \"\(String(repeating: "a", count: 64))\"\nsize = 1\n" + rest
    }
    try lock.write(toFile: folder.path + "/mpaas.lock", atomically: true, encoding: .utf8)
    return folder
  }

  private func module(_ folder: TemporaryFolder, _ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["module"] + arguments,
      environment: ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "MPAAS_LANG": ""], directory: folder.url)
  }

  @Test("list, why and tree read the two files and ask nobody")
  func looking() throws {
    let folder = try project()
    let list = try #require(try json(module(folder, "list", "--json").output)["modules"] as? [[String: Any]])
    #expect(list.compactMap { $0["name"] as? String } == ["A", "B", "B", "C"])
    #expect(list.allSatisfy { $0["locked"] as? String == "1.2" })
    let why = try module(folder, "why", "C", "--target", "One")
    #expect(why.output == "C 1.2  One\n  A ^1 → C *\n  A ^1 → B ^1 → C >=1\n")
    let tree = try module(folder, "tree", "--target", "Two")
    #expect(
      tree.output == """
        Two
        ├── A 1.2 (^1)
        │   ├── B 1.2 (^1)
        │   │   └── C 1.2 (>=1)
        │   └── C 1.2 (*)
        └── B 1.2 (*) (*)
        (*) shown above

        """)
    let none = try module(folder, "why", "D", "--json")
    #expect(none.status == 66)
    #expect(none.errors.contains("project-module-unused"))
    #expect(try module(folder, "tree", "--target", "Tw").status == 66)
  }

  @Test("an edit that cannot be resolved leaves both files as they were")
  func unchanged() throws {
    let folder = try project()
    func files() throws -> [String] {
      try ["mpaas.toml", "mpaas.lock"].map { try String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8) }
    }
    let before = try files()
    for arguments in [["add", "D@^1"], ["add", "D"], ["remove", "A"], ["add", "D@^x"], ["remove", "C"]] {
      let outcome = try Command.run(
        "mpaas", ["module"] + arguments, environment: ["MPAAS_HOME": folder.path + "/home"], directory: folder.url)
      #expect(outcome.status != 0, "\(arguments)")
      #expect(try files() == before, "\(arguments)")
    }
    #expect(try module(folder, "remove", "C", "--json").errors.contains("project-module-needed"))
  }

  @Test("frozen names what the lock does not answer")
  func frozen() throws {
    let folder = try project()
    try "[modules]\nA = \"^2\"\n".write(toFile: folder.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    let outcome = try module(folder, "sync", "--frozen")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("A 1.2 is locked, but ^2 is asked for"))
  }

  @Test("a real project of the old kit is imported once, and its file stays", .fixtures)
  func imported() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("project/mpaas_legacy"))
    for name in names where name.hasSuffix(".config") {
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "MPaaS/mpaas_sdk.config")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let old = try Fixture.data("project/mpaas_legacy/" + name)
      try old.write(to: file)
      let outcome = try json(module(folder, "import", "--json").output)
      let kept = try Data(contentsOf: file)
      #expect(outcome["modules"] as? Int ?? 0 > 40)
      #expect(kept == old)
      let again = try module(folder, "import", "--json")
      #expect(again.status == 73)
      #expect(again.errors.contains("project-exists"))
      let list = try #require(try json(module(folder, "list", "--json").output)["modules"] as? [[String: Any]])
      #expect(list.contains { $0["requirement"] as? String == "==3.0.2.190701174234" })
    }
  }

  @Test("outside a project every command says where it looked")
  func outside() throws {
    let folder = try TemporaryFolder()
    for command in ["list", "tree", "sync", "update"] {
      let outcome = try module(folder, command, "--json")
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains("project-missing"))
    }
  }
}
