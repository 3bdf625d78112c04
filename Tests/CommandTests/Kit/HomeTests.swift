import Foundation
import MPaaSTestSupport
import Testing

/// A name space of mounts for a user without a home: /tmp and /var/tmp are empty, and only he uses them.
private struct BareMachine {
  /// A user whom the password database does not know.
  static let stranger = "54321"
  /// The status where something came or went in /tmp or /var/tmp.
  static let touched: Int32 = 99
  /// Shown at /mnt, where commands run.
  let folder: TemporaryFolder

  /// True if this user may make name spaces, and the stranger may run the command, which a clone below a private
  /// folder forbids.
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return (try? BareMachine(folder: folder).mpaas(["--version"]).status) == 0
  }()

  /// Ends with `touched` where anything came or went in /tmp or /var/tmp: that changes the time of the folder.
  private static let script = """
    set -e
    mount --make-rprivate /
    mount --bind "$1" /mnt
    for folder in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 none $folder; touch -d @1 $folder; done
    shift
    cd /mnt
    set +e
    setpriv --reuid \(stranger) --regid \(stranger) --clear-groups env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C "$@"
    status=$?
    for folder in /tmp /var/tmp; do
      [ "$(stat -c %Y $folder)" = 1 ] || { echo "touched: $folder" $(find $folder) >&2; status=\(touched); }
    done
    exit $status
    """

  /// Runs a command with nothing but `environment`.
  func mpaas(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Outcome {
    let program = Command.mpaas.path
    let words = environment.map { "\($0.key)=\($0.value)" } + [program] + arguments
    return try Command.run("unshare", ["-m", "sh", "-c", Self.script, "sh", folder.path] + words)
  }
}

@Suite("A home", .tool("setpriv"), .tool("unshare")) struct HomeTests {
  /// Folders with what commands need, which belong to the stranger.
  private static func sample() throws -> TemplateHome {
    let sample = try TemplateHome()
    let patch = "patch(\"Cart.total\", function(items) return ORIG(items) * 0.9 end)\n"
    try sample.write("patch/main.lua", patch)
    try sample.write("trace.json", RuntimeTraceTests.trace())
    try sample.write("text/app.log", "2026-01-01T00:00:00.000Z INFO Tag [7] order 1\n")
    try sample.file("notes.txt", "one\ntwo\nthree\nfour\nfive\n")
    for name in ["old", "new"] {
      if name == "new" {
        try sample.manifest(version: "1.1.0")
        try sample.file("notes.txt", "one\ntwo\nthree\nfour\nFIVE\n")
      }
      let archive = ["czf", "\(sample.path)/\(name).tgz", "-C", sample.path + "/kit/templates", "base", "tabs"]
      #expect(try Command.run("tar", archive).status == 0)
    }
    // A pack as a team's archive of logs is one.
    let pack = try Command.run(
      "mpaas", ["log", "pack", sample.path + "/text", "-o", sample.path + "/given.logs.zip"],
      environment: ["MPAAS_HOME": sample.path + "/maker", "LC_ALL": "C"])
    #expect(pack.status == 0, "\(pack)")
    #expect(try Command.run("chown", ["-R", BareMachine.stranger, sample.path]).status == 0)
    return sample
  }

  @Test(
    "that nobody knows is asked for, and /tmp does not stand in for it",
    .enabled(if: BareMachine.isPossible, "only root can show another user an empty /tmp, and a command he may run"))
  func none() throws {
    let sample = try Self.sample()
    let machine = BareMachine(folder: sample.home)
    let refused = [
      ["key", "generate", "--name", "a", "--unencrypted"], ["key", "list"], ["sdk", "registry", "list"],
      ["crash", "run", "--", "/bin/sh", "-c", "kill -SEGV $$"],
      ["createapp", "Shop", "--from", "old.tgz", "--template", "tabs", "--no-input"],
      ["runtime", "trace", "--", "cp", "trace.json", "other.json"],
    ]
    for command in refused {
      let outcome = try machine.mpaas(command, environment: ["MPAAS_KIT": "/mnt/kit"])
      #expect(outcome.status == 78, "\(command): \(outcome)")
      #expect(outcome.errors.contains("MPAAS_HOME"), "\(command): \(outcome)")
    }
    // Other commands leave nothing, whether they need a home or not.
    let others = [
      ["log", "cat", "given.logs.zip"], ["log", "verify", "given.logs.zip"], ["log", "cat", "text/app.log"],
      ["file", "put", "trace.json", "http://127.0.0.1:1/"], ["file", "list"], ["doctor"], ["symbols", "list"],
      ["hotpatch", "build", "patch", "--app", "shop", "--patch-version", "1", "--key", "a", "--output", "a.mpatch"],
      ["hotpatch", "lint", "patch"], ["registry", "init", "repo"], ["template", "list", "--from", "old.tgz"],
    ]
    for command in others {
      let outcome = try machine.mpaas(command, environment: ["MPAAS_KIT": "/mnt/kit"])
      #expect(outcome.status != BareMachine.touched, "\(command): \(outcome)")
      #expect(outcome.status < 128, "\(command): \(outcome)")
    }
  }

  @Test(
    "that is named has all that commands keep, also what is there for a moment only, and /tmp has nothing",
    .enabled(if: BareMachine.isPossible, "only root can show another user an empty /tmp, and a command he may run"),
    .tool("git"))
  func named() throws {
    let sample = try Self.sample()
    let machine = BareMachine(folder: sample.home)
    let trace = #"cp trace.json "$MPAAS_TRACE""#
    let build = [
      "hotpatch", "build", "patch", "--app", "com.example.shop", "--patch-version", "1", "--key", "a", "--recipient",
      "phones", "--output", "a.mpatch",
    ]
    // The exit status; nil for any.
    let commands: [([String], Int32?)] = [
      (["key", "generate", "--name", "a", "--unencrypted"], 0), (["registry", "init", "repo"], 0),
      (["registry", "check", "--repository", "repo"], nil),
      (["key", "generate", "--name", "phones", "--type", "age", "--unencrypted"], 0), (["key", "list"], 0),
      (["key", "export", "--name", "a", "--public", "--output", "a.pem"], nil), (["sdk", "registry", "list"], nil),
      (build, 0), (["hotpatch", "inspect", "a.mpatch"], nil), (["hotpatch", "lint", "patch"], nil),
      (["hotpatch", "run", "patch/main.lua"], nil),
      (["createapp", "Shop", "--from", "old.tgz", "--template", "tabs", "--no-input"], 0),
      (["template", "list", "--from", "old.tgz"], nil),
      (["update-template", "--project", "Shop", "--from", "new.tgz", "--force"], 0),
      (["runtime", "trace", "--", "sh", "-c", trace], 0), (["log", "pack", "text", "-o", "own.logs.zip"], 0),
      (["log", "cat", "own.logs.zip"], 0), (["log", "verify", "own.logs.zip"], 0), (["log", "stats", "text"], nil),
      (["crash", "run", "--", "/bin/sh", "-c", "kill -SEGV $$"], 139), (["crash", "list"], 0),
      (["symbols", "list"], nil), (["file", "list"], nil), (["file", "get", "http://127.0.0.1:1/a", "a"], nil),
      (["doctor"], nil),
    ]
    for (command, status) in commands {
      // A line of the user's own makes of the update a merge of three texts.
      if command[0] == "update-template" { try sample.write("Shop/notes.txt", "ONE\ntwo\nthree\nfour\nfive\n") }
      let outcome = try machine.mpaas(command, environment: ["MPAAS_HOME": "/mnt/home", "MPAAS_KIT": "/mnt/kit"])
      #expect(outcome.status != BareMachine.touched, "\(command): \(outcome)")
      #expect(outcome.status < 140, "\(command): \(outcome)")
      if let status { #expect(outcome.status == status, "\(command): \(outcome)") }
    }
    #expect(sample.text("Shop/notes.txt") == "ONE\ntwo\nthree\nfour\nFIVE\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: sample.path + "/home/cache/tmp")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(try sample.names("home/cache/tmp").isEmpty)
  }

  /// Runs the command as root with nothing but `environment`.
  private func mpaas(_ arguments: [String], environment: [String: String]) throws -> Command.Outcome {
    let program = Command.mpaas.path
    let words = ["-i", "LC_ALL=C"] + environment.map { "\($0.key)=\($0.value)" } + [program] + arguments
    return try Command.run("env", words, directory: URL(filePath: "/"))
  }

  @Test(
    "of another user keeps no key of root, and shows none; root's own home does",
    .enabled(if: geteuid() == 0, "only root can give a folder to another user"))
  func others() throws {
    let home = try TemporaryFolder(), own = try TemporaryFolder()
    #expect(chown(home.path, 54321, 54321) == 0)
    for command in [
      ["key", "generate", "--name", "a", "--unencrypted"], ["key", "list"], ["sdk", "registry", "list"],
    ] {
      for name in ["HOME", "MPAAS_HOME", "XDG_CONFIG_HOME"] {
        let environment = ["HOME": own.path].merging([name: home.path]) { $1 }
        let outcome = try mpaas(command, environment: environment)
        #expect(outcome.status == 77, "\(name) \(command): \(outcome)")
        #expect(outcome.errors.contains("54321"), "\(name) \(command): \(outcome)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    let good = try mpaas(["key", "generate", "--name", "a", "--unencrypted"], environment: ["HOME": own.path])
    #expect(good.status == 0, "\(good)")
  }
}
