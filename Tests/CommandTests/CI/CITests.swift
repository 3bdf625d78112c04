import Foundation
import MPaaSTestSupport
import Testing

/// A project with steps in a folder of its own.
struct SampleCI {
  let folder: TemporaryFolder

  init(_ steps: String = "") throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/app/sub", withIntermediateDirectories: true)
    try write("version = 1\n" + steps, to: "mpaas-ci.toml")
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: "app/" + name))
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: "app/" + name), encoding: .utf8)
  }

  func run(_ arguments: String..., in place: String = "app", environment: [String: String] = [:]) throws
    -> Command.Outcome
  {
    let home = [
      "MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "GITHUB_ACTIONS": "", "GITLAB_CI": "",
      "MPAAS_KIT": Fixture.package.path,
    ]
    return try Command.run(
      "mpaas", ["ci"] + arguments, environment: home.merging(environment) { $1 },
      directory: folder.url.appending(path: place))
  }
}

@Suite("mpaas ci run") struct CIRunTests {
  static let steps = """
    [[step]]
    name = "check"
    run = "mpaas plist lint bad.plist"
    [[step]]
    name = "build"
    run = "echo built"
    [[step]]
    name = "publish"
    needs = ["MPAAS_PUBLISH_URL"]
    run = "echo never"
    """

  static func sample() throws -> SampleCI {
    let sample = try SampleCI(steps)
    try sample.write("<plist version=\"1.0\">\n<dict>\n<key>a</dict></plist>\n", to: "bad.plist")
    return sample
  }

  @Test("stops at the step that fails, and runs this kit's own command wherever it is called from")
  func stops() throws {
    let sample = try Self.sample()
    let outcome = try sample.run("run", in: "app/sub", environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("== check: check\n$ mpaas plist lint bad.plist\nbad.plist:3:"))
    #expect(!outcome.output.contains("built\n"))
    let going = try sample.run("run", "--keep-going", "--json")
    let ran = try #require(try JSONSerialization.jsonObject(with: Data(going.output.utf8)) as? [String: Any])
    let states = (ran["steps"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
    #expect(going.status == 1)
    #expect(states == ["failed", "done", "skipped"])
  }

  @Test("groups and annotates on GitHub, in either language", arguments: ["en", "zh-Hans"])
  func github(_ language: String) throws {
    let sample = try Self.sample()
    let outcome = try sample.run(
      "run", "check", "--lang", language,
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": sample.folder.path, "MPAAS_LANG": language])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("::group::check\n"))
    #expect(outcome.output.contains("::endgroup::\n::error file=app/bad.plist,line=3,"))
  }

  @Test("marks sections on GitLab and gathers the findings of all steps in one report")
  func gitlab() throws {
    let sample = try Self.sample()
    let variables = ["GITLAB_CI": "true", "CI_PROJECT_DIR": sample.folder.path + "/app"]
    #expect(try sample.run("run", "check", environment: variables).status == 1)
    let outcome = try sample.run("run", "build", environment: variables)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("section_start:"))
    let data = Data(try sample.text("gl-code-quality-report.json").utf8)
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(report.count == 1)
    #expect((report[0]["location"] as? [String: Any])?["path"] as? String == "bad.plist")
  }

  @Test("lists the steps, and names the nearest to one that there is not")
  func lists() throws {
    let sample = try Self.sample()
    #expect(try sample.run("run", "--list").output.contains("mpaas plist lint bad.plist"))
    let wrong = try sample.run("run", "biuld")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("mpaas ci run build"))
    let none = try sample.run("run", in: ".")
    #expect(none.status == 66)
    #expect(none.errors.contains("mpaas ci init"))
  }
}

@Suite("mpaas ci init") struct CIInitTests {
  @Test("writes a pipeline whose steps run, and changes nothing the second time")
  func writes() throws {
    let sample = try SampleCI()
    try FileManager.default.removeItem(atPath: sample.folder.path + "/app/mpaas-ci.toml")
    try sample.write("all:\n\ttrue\n", to: "Makefile")
    let made = try sample.run("init", "make", "github", "--json")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("\"systems\":[\"github\",\"make\"]"))
    let again = try sample.run("init")
    #expect(again.status == 0)
    #expect(again.output.contains("is up to date"))
    #expect(try sample.run("run", "build").status == 0)
    let plan = try sample.run("init", "gitlab", "--dry-run")
    #expect(plan.output.contains("+++ b/.gitlab-ci.yml"))
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path + "/app/.gitlab-ci.yml"))
  }

  @Test("leaves a file alone that it did not write")
  func refuses() throws {
    let sample = try SampleCI()
    let outcome = try sample.run("init", "make", "--json")
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("ci-file-exists"))
    #expect(try sample.text("mpaas-ci.toml") == "version = 1\n")
  }
}

@Suite("mpaas ci release-notes") struct CIReleaseNotesTests {
  static func lock(_ version: String) -> String {
    """
    version = 1
    [[module]]
    name = "Tally"
    version = "\(version)"
    registry = "main"
    sha256 = "\(String(repeating: "a", count: 64))"
    size = 1
    """
  }

  @Test("compares two files without a project, and warns where no registry tells notes")
  func files() throws {
    let sample = try SampleCI()
    try sample.write(Self.lock("1.0.0"), to: "old.lock")
    try sample.write(Self.lock("1.1.0"), to: "new.lock")
    let outcome = try sample.run("release-notes", "old.lock..new.lock")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("## Tally 1.0.0 → 1.1.0"))
    #expect(outcome.errors.contains("Tally"))
    let written = try sample.run("release-notes", "old.lock..new.lock", "--output", "notes.md", "--quiet")
    #expect(written.status == 0)
    #expect(try sample.text("notes.md") == outcome.output)
  }

  @Test("refuses what is no range, and a revision that there is not")
  func refuses() throws {
    let sample = try SampleCI()
    #expect(try sample.run("release-notes", "old.lock").status == 64)
    try sample.write("", to: "mpaas.toml")
    let outcome = try sample.run("release-notes", "v1..v2", "--json")
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("ci-revision-unknown"))
  }
}

@Suite("mpaas ci symbols") struct CISymbolsTests {
  #if os(Linux)
    @Test("keeps the symbols of a build and tells what lacks them", .enabled(if: Command.find("cc") != nil))
    func keeps() throws {
      let sample = try SampleCI()
      try sample.write("int main(void) { return 0; }\n", to: "main.c")
      let place = sample.folder.url.appending(path: "app")
      for (name, flag) in [("good", "-g"), ("bare", "-g0")] {
        let flags = ["-o", "sub/" + name, "main.c", flag, "-Wl,--build-id", "-DNAME=\(name)"]
        #expect(try Command.run("cc", flags, directory: place).status == 0)
      }
      let outcome = try sample.run("symbols", "sub")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("sub/bare"))
      #expect(!outcome.output.contains("sub/good"))
      #expect(outcome.output.contains("1 new"))
      #expect(try sample.run("symbols", "sub", "--allow-missing").status == 0)
    }
  #endif

  @Test("refuses a folder without images, and a server that is none")
  func refuses() throws {
    let sample = try SampleCI()
    #expect(try sample.run("symbols", "sub").status == 66)
    #expect(try sample.run("symbols", "sub", "--upload", "x").status == 64)
  }
}
