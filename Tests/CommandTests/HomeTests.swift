import Foundation
import MPaaSTestSupport
import Testing

@Suite("A home", .tool("setpriv")) struct HomeTests {
  /// A user whom the password database does not know.
  private static let stranger = "54321"

  /// Runs the command as root, or as a user without a home, with nothing but `environment`.
  private func mpaas(_ arguments: [String], environment: [String: String] = [:], isRoot: Bool = false) throws
    -> Command.Outcome
  {
    let program = Command.products.appending(path: "mpaas").path
    let user =
      isRoot ? [] : ["setpriv", "--reuid", Self.stranger, "--regid", Self.stranger, "--clear-groups"]
    let line = user + ["env", "-i", "LC_ALL=C"] + environment.map { "\($0.key)=\($0.value)" } + [program] + arguments
    return try Command.run(line[0], Array(line.dropFirst()), directory: URL(filePath: "/"))
  }

  /// Whether another user can run the command at all, which a clone below a private folder forbids.
  private var isReachable: Bool {
    get throws { try geteuid() == 0 && mpaas(["--version"]).status == 0 }
  }

  @Test("that nobody knows is asked for, and /tmp does not stand in for it")
  func none() throws {
    guard try isReachable else { return }
    let names = [".config", ".local", ".cache"].map { "/tmp/" + $0 }
    let before = names.map { FileManager.default.fileExists(atPath: $0) }
    let commands = [
      ["key", "generate", "--name", "a", "--unencrypted"], ["key", "list"], ["sdk", "registry", "list"],
      ["crash", "run", "--", "/bin/sh", "-c", "kill -SEGV $$"],
    ]
    for command in commands {
      let outcome = try mpaas(command)
      #expect(outcome.status == 78 && outcome.errors.contains("MPAAS_HOME"), "\(command): \(outcome)")
    }
    #expect(names.map { FileManager.default.fileExists(atPath: $0) } == before)
  }

  @Test("of another user keeps no key of root, and shows none; root's own home does")
  func others() throws {
    guard geteuid() == 0 else { return }
    let home = try TemporaryFolder(), own = try TemporaryFolder()
    #expect(chown(home.path, 54321, 54321) == 0)
    for command in [
      ["key", "generate", "--name", "a", "--unencrypted"], ["key", "list"], ["sdk", "registry", "list"],
    ] {
      for name in ["HOME", "MPAAS_HOME", "XDG_CONFIG_HOME"] {
        let environment = ["HOME": own.path].merging([name: home.path]) { $1 }
        let outcome = try mpaas(command, environment: environment, isRoot: true)
        #expect(outcome.status == 77 && outcome.errors.contains("54321"), "\(name) \(command): \(outcome)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    let good = try mpaas(
      ["key", "generate", "--name", "a", "--unencrypted"], environment: ["HOME": own.path], isRoot: true)
    #expect(good.status == 0, "\(good)")
  }
}
