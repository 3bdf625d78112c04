import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas completion") struct CompletionTests {
  @Test("prints a script that its shell accepts, and that has the commands")
  func bash() throws {
    let folder = try TemporaryFolder()
    let script = folder.url.appending(path: "mpaas.bash")
    try Data(try mpaas("completion", "bash").output.utf8).write(to: script)
    #expect(try Command.run("bash", ["-n", script.path]).status == 0)
    let line = """
      source '\(script.path)'
      COMP_LINE='mpaas ' COMP_POINT=6 COMP_WORDS=(mpaas '') COMP_CWORD=1
      _mpaas '\(Command.mpaas.path)'
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let names = try Command.run("bash", ["-c", line]).output.split(separator: "\n")
    #expect(names.contains("kitversion"))
    #expect(names.contains("doctor"))
  }

  @Test("exists for each shell and for no other", arguments: [("zsh", 0), ("fish", 0), ("tcsh", 64)])
  func shells(shell: String, status: Int32) throws {
    let outcome = try mpaas("completion", shell)
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty == (status != 0))
  }

  @Test("is a few kB for each shell", arguments: ["bash", "zsh", "fish"])
  func size(shell: String) throws {
    #expect(try mpaas("completion", shell).output.utf8.count < 5000)
  }

  @Test("is installed where the shell reads it, says what is left to do, and is removed again")
  func install() throws {
    let folder = try TemporaryFolder()
    let environment = Self.environment(folder)
    func run(_ arguments: String...) throws -> [[String: Any]] {
      let outcome = try Command.run("mpaas", ["completion", "install", "--json"] + arguments, environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try #require(try json(outcome.output)["files"] as? [[String: Any]])
    }
    let zsh = try #require(try run().first)
    let path = folder.path + "/data/zsh/site-functions/_mpaas"
    #expect(zsh["file"] as? String == path)
    #expect(zsh["change"] as? String == "written")
    #expect(zsh["start_file"] as? String == folder.path + "/.zshrc")
    let line = try #require(zsh["start_line"] as? String)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == mpaas("completion", "zsh").output)
    try Data((line + "\n").utf8).write(to: folder.url.appending(path: ".zshrc"))
    let again = try #require(try run().first)
    #expect(again["change"] as? String == "current")
    #expect(again["start_file"] == nil)
    #expect(try run("--shell", "bash", "--shell", "fish").map { $0["change"] as? String } == ["written", "written"])
    #expect(FileManager.default.fileExists(atPath: folder.path + "/data/bash-completion/completions/mpaas"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/config/fish/completions/mpaas.fish"))
    #expect(try run("--uninstall").map { $0["change"] as? String } == ["removed", "removed", "removed"])
    #expect(try run("--uninstall").map { $0["change"] as? String } == ["absent", "absent", "absent"])
  }

  @Test("neither replaces nor removes a file of the user's without --force")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "config/fish/completions/mpaas.fish")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("# mine\n".utf8).write(to: file)
    for option in [[], ["--uninstall"]] {
      let arguments = ["completion", "install", "--shell", "fish"] + option
      let refused = try Command.run("mpaas", arguments, environment: Self.environment(folder))
      #expect(refused.status == 73)
      #expect(refused.errors.contains("mpaas.fish is not a completion script"))
      #expect(try String(contentsOf: file, encoding: .utf8) == "# mine\n")
    }
    let forced = ["completion", "install", "--shell", "fish", "--force"]
    #expect(try Command.run("mpaas", forced, environment: Self.environment(folder)).status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == mpaas("completion", "fish").output)
  }

  @Test("names the shells where that of the user is none of them")
  func unknownShell() throws {
    let outcome = try mpaas("completion", "install", environment: ["SHELL": "/bin/tcsh"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("'tcsh'"))
  }

  private static func environment(_ folder: TemporaryFolder) -> [String: String] {
    [
      "HOME": folder.path, "SHELL": "/usr/bin/zsh", "XDG_DATA_HOME": folder.path + "/data",
      "XDG_CONFIG_HOME": folder.path + "/config", "ZDOTDIR": "", "BASH_COMPLETION_USER_DIR": "", "LC_ALL": "C",
      "MPAAS_LANG": "",
    ]
  }
}
