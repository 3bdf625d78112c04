import Foundation
import MPaaSTestSupport
import Testing

/// A project in a folder of its own, of a user who trusts only the publishers that the project names.
struct SampleProject {
  /// The example registry's folder.
  static func registry() throws -> String { try ExampleRegistry.folder() }

  private let outer: TemporaryFolder
  let folder: URL
  var path: String { folder.path }
  /// `MPAAS_HOME` of its user.
  var home: String { outer.path + "/home" }

  /// - Parameters:
  ///   - text: What follows in `mpaas.toml` on the registry's entry.
  ///   - url: The registry's address; nil for the folder of the example registry.
  init(_ text: String, url: String? = nil) throws {
    outer = try TemporaryFolder()
    folder = outer.url.appending(path: "project")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let registry = try Self.registry()
    try FileManager.default.copyItem(
      atPath: registry + "/metadata/1.root.json", toPath: folder.path + "/main.root.json")
    let head = "[registries.main]\nurl = \"\(url ?? registry)\"\nroot = \"main.root.json\"\n"
    try (head + text).write(toFile: path + "/mpaas.toml", atomically: true, encoding: .utf8)
  }

  /// The same files under version control on another machine.
  init(cloning other: SampleProject) throws {
    outer = try TemporaryFolder()
    folder = outer.url.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["mpaas.toml", "mpaas.lock", "main.root.json"] {
      try FileManager.default.copyItem(atPath: other.path + "/" + name, toPath: path + "/" + name)
    }
  }

  func module(_ arguments: String..., environment: [String: String] = [:]) throws -> Command.Outcome {
    let home = ["MPAAS_HOME": home, "LC_ALL": "C", "MPAAS_LANG": ""]
    return try Command.run(
      "mpaas", ["module"] + arguments, environment: home.merging(environment) { $1 }, directory: folder)
  }

  func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

  func change(_ old: String, to new: String, in file: String = "mpaas.toml") throws {
    let text = try text(file)
    try #require(text.contains(old))
    try text.replacing(old, with: new).write(toFile: path + "/" + file, atomically: true, encoding: .utf8)
  }

  /// Manifest and lock.
  func both() throws -> [String] { try ["mpaas.toml", "mpaas.lock"].map { try text($0) } }

  /// All placed files with their contents, without what is noted of their place.
  func placed() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path + "/MPaaS")
    where !name.hasSuffix(".mpaas-module.json") {
      let data = FileManager.default.contents(atPath: path + "/MPaaS/" + name)
      files[name] = data ?? Data()
    }
    return files
  }

  func json(_ name: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: name)))
    return try #require(value as? [String: Any])
  }
}

@Suite("A project and the example registry", .tool("python3"), .tool("cc")) struct ModuleProjectTests {
  @Test("add, list, why, tree and remove work one after the other, and a second sync changes nothing")
  func loop() throws {
    let project = try SampleProject("# ours\n[modules]\n")
    let added = try json(project.module("add", "APLog", "MPDataCenter@>=1", "--json").output)
    #expect(
      (added["changes"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == [
        "APLog", "MPDataCenter", "mPaas",
      ])
    #expect(try project.text("mpaas.toml").hasSuffix("# ours\n[modules]\nAPLog = \"^3.1.0\"\nMPDataCenter = \">=1\"\n"))
    let (files, placed) = (try project.both(), try project.placed())
    let again = try json(project.module("sync", "--json").output)
    #expect(again["placed"] as? [String] == [])
    #expect(again["downloads"] as? Int == 0)
    #expect(again["wrote_lock"] as? Bool == false)
    #expect(try project.both() == files)
    #expect(try project.placed() == placed)
    #expect(
      try project.module("why", "APLog").output == "APLog 3.1.0\n  APLog ^3.1.0\n  MPDataCenter >=1 → APLog >=3\n")
    #expect(try project.module("tree").output.contains("└── MPDataCenter 1.1.0 (>=1)\n    ├── APLog 3.1.0 (>=3)\n"))
    #expect(try project.module("list").output.contains("mPaas         –          1.1.0   1.1.0   1.1.0\n"))
    let stays = try project.module("remove", "APLog")
    #expect(stays.status == 0)
    #expect(stays.errors == "APLog stays in the project: it is needed by MPDataCenter.\n")
    #expect(try project.module("remove", "MPDataCenter").status == 0)
    #expect(try project.text("mpaas.lock").contains("[[module]]") == false)
    #expect(!FileManager.default.fileExists(atPath: project.path + "/MPaaS/Modules"))
  }

  @Test("a fresh clone on another machine gets the same files by --frozen, and by --offline what it has")
  func clone() throws {
    let project = try SampleProject(
      "[project]\nplatform = \"ios\"\nminimum = \"13.0\"\n[modules]\nNebulaBiz = \"^1\"\n[targets.A]\n[targets.B.modules]\nUTDID = \"*\"\n"
    )
    #expect(try project.module("sync").status == 0)
    let other = try SampleProject(cloning: project)
    let nothing = try other.module("sync", "--frozen", "--offline", "--registry", "none")
    #expect(nothing.status != 0)
    #expect(!FileManager.default.fileExists(atPath: other.path + "/MPaaS"))
    let outcome = try other.module("sync", environment: ["MPAAS_FROZEN": "1"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try other.both() == project.both())
    #expect(try other.placed() == project.placed())
    try FileManager.default.removeItem(atPath: other.path + "/MPaaS")
    #expect(try other.module("sync", "--frozen", "--offline").status == 0)
    #expect(try other.placed() == project.placed())
  }

  @Test("a new system or option is seen by frozen and resolved by sync")
  func systems() throws {
    let project = try SampleProject("[project]\nplatform = \"ios\"\nminimum = \"13.0\"\n[modules]\nAPLog = \"*\"\n")
    #expect(try project.module("sync").status == 0)
    #expect(try project.text("mpaas.lock").contains("[[target]]\nplatform = \"ios\"\nminimum = \"13.0\"\n"))
    try project.change("13.0", to: "12.0")
    let frozen = try project.module("sync", "--frozen")
    #expect(frozen.status == 1)
    #expect(frozen.errors.contains("ios 13.0 is what the modules were locked for, ios 12.0"))
    let sync = try json(project.module("sync", "--json").output)
    #expect(sync["wrote_lock"] as? Bool == true)
    #expect(sync["placed"] as? [String] == [])
    #expect(try project.module("sync", "--frozen").status == 0)
    let before = try project.both()
    try project.change("\"ios\"", to: "\"linux\"")
    let refused = try project.module("sync")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("No versions of the modules fit together"))
    #expect(try project.text("mpaas.lock") == before[1])
  }

  @Test("a registry that gets another name is followed, and frozen says so before")
  func renamed() throws {
    let project = try SampleProject("[modules]\nAPLog = \"*\"\n")
    #expect(try project.module("sync").status == 0)
    try project.change("registries.main", to: "registries.team")
    let frozen = try project.module("sync", "--frozen")
    #expect(frozen.status == 1)
    #expect(frozen.errors.contains("APLog is locked from main, which mpaas.toml does not name"))
    #expect(try project.module("sync").status == 0)
    #expect(try project.text("mpaas.lock").contains("registry = \"team\"\n"))
    #expect(try SampleProject(cloning: project).module("sync", "--frozen").status == 0)
  }

  @Test("a vendored registry serves what was locked, and says what it does not have; an empty project needs none")
  func vendored() throws {
    let project = try SampleProject("[modules]\nSlug = \"^1.1\"\n")
    #expect(try project.module("sync").status == 0)
    let files = try project.both()
    let vendor = try Command.run(
      "mpaas", ["sdk", "vendor", "vendor"], environment: ["MPAAS_HOME": project.path + "/../home", "LC_ALL": "C"],
      directory: project.folder)
    #expect(vendor.status == 0, "\(vendor.errors)")
    try project.change(try SampleProject.registry(), to: "vendor")
    let bare = ["MPAAS_HOME": project.path + "/../bare"]
    let sync = try project.module("sync", "--frozen", "--offline", environment: bare)
    #expect(sync.status == 0, "\(sync.errors)")
    let absent = try project.module("add", "UTDID", "--json", environment: bare)
    #expect(absent.status == 66, "\(absent.errors)")
    #expect(absent.errors.contains("module-archive-absent"), "\(absent.errors)")
    #expect(try project.text("mpaas.lock") == files[1])
    try "".write(toFile: project.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    let empty = try project.module("sync", "--offline", environment: ["MPAAS_HOME": project.path + "/../none"])
    #expect(empty.status == 0, "\(empty.errors)")
    #expect(try project.placed().isEmpty)
  }

  @Test("a conflict is explained at its line in both languages, and changes no file")
  func conflict() throws {
    let project = try SampleProject("[modules]\nAPLog = \"^3\"\n\nMPDataCenter = \"*\"\n")
    #expect(try project.module("sync").status == 0)
    let (files, placed) = (try project.both(), try project.placed())
    for (arguments, texts) in [
      (["add", "APLog@<3"], ["The project asks for APLog <3", "at mpaas.toml:5", "What helps (tried):"]),
      (["add", "APLog@<3", "--lang", "zh-Hans"], ["APLog", "位置 mpaas.toml:5", "可行的改法"]),
      (["add", "UTDID@^9"], ["ask for UTDID ^1.1.0 instead of ^9", "at mpaas.toml:8"]),
      (["add", "aplog@*"], ["aplog"]), (["add", "utdid"], ["did you mean \"UTDID\"?"]),
      (["update", "UTDIT"], ["does not use"]), (["remove", "mPaas"], ["MPDataCenter"]),
    ] {
      let outcome = try Command.run(
        "mpaas", ["module"] + arguments,
        environment: ["MPAAS_HOME": project.path + "/../home", "LC_ALL": "C", "MPAAS_LANG": ""],
        directory: project.folder)
      #expect(outcome.status != 0, "\(arguments)")
      #expect(outcome.status != 70, "\(arguments)")
      for text in texts { #expect(outcome.errors.contains(text), "\(arguments): \(outcome.errors)") }
      #expect(try project.both() == files, "\(arguments)")
      #expect(try project.placed() == placed, "\(arguments)")
    }
  }

  @Test("update shows the notes of all versions in between, and can be for one target alone")
  func update() throws {
    let project = try SampleProject(
      "[modules]\nAPRemoteLogging = \"1.0.0.190722185354\"\n[targets.A]\n[targets.B]\n")
    #expect(try project.module("sync").status == 0)
    try project.change("\"1.0.0.190722185354\"", to: "\"^1.0\"")
    let files = try project.both()
    let plan = try project.module("update", "--dry-run")
    #expect(
      plan.output.contains("~ APRemoteLogging 1.0.0.190722185354 → 1.1.0\n  1.1.0  2019-09-01\n    Version 1.1.0.\n"))
    #expect(plan.output.contains("\n  1.0.0.190807172917  2019-09-01\n"))
    #expect(plan.output.contains("版本 1.1.0。"))
    #expect(try project.both() == files)
    #expect(try project.module("update", "APRemoteLogging", "--target", "C").status == 66)
    #expect(try project.module("update", "APRemoteLogging", "--target", "B").status == 0)
    let list = try project.module("list").output
    #expect(list.contains("1.0.0.190722185354  1.0.0.190722185354  1.1.0   A\n"), "\(list)")
    #expect(list.contains("1.1.0               1.1.0               1.1.0   B\n"), "\(list)")
    let xcconfig = try project.text("MPaaS/B.xcconfig")
    #expect(xcconfig.contains("MPaaS/Targets/B/APRemoteLogging"))
    #expect(!xcconfig.contains("Targets/A"))
    #expect(try project.module("sync", "--frozen").status == 0)
  }

  @Test("each way of placing can follow on each other, and files of the user's stay")
  func placing() throws {
    let project = try SampleProject("[project]\nplace = \"link\"\n[modules]\nAPLog = \"3.0.2.190701174234\"\n")
    let module = project.path + "/MPaaS/Modules/APLog"
    var old = "link"
    for place in ["link", "shared", "link", "copy", "shared", "copy"] {
      try project.change("\"\(old)\"", to: "\"\(place)\"")
      old = place
      #expect(try project.module("sync").status == 0)
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: module)) != nil
      #expect(isLink == (place == "shared"), "\(place)")
      let attributes = try FileManager.default.attributesOfItem(atPath: module + "/LICENSE")
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect((mode & 0o200 != 0) == (place == "copy"), "\(place)")
      #expect(try project.module("sync").output.contains("Nothing to do"))
    }
    try project.change("Free", to: "Mine", in: "MPaaS/Modules/APLog/LICENSE")
    let kept = try json(project.module("sync", "--json").output)
    #expect(kept["kept"] as? [String] == ["MPaaS/Modules/APLog/LICENSE"])
    let before = try project.both()
    let plan = try project.module("add", "APLog@^3.1", "--dry-run")
    #expect(plan.status == 0)
    #expect(plan.errors.contains("were changed by hand (1): LICENSE"))
    let refused = try project.module("add", "APLog@^3.1", "--json")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("module-files-changed"))
    #expect(try project.both() == before)
    #expect(try project.text("MPaaS/Modules/APLog/LICENSE").hasPrefix("Mine"))
    #expect(try project.module("add", "APLog@^3.1", "--force").status == 0)
    #expect(try project.text("MPaaS/Modules/APLog/LICENSE").hasPrefix("Free"))
    try "own".write(toFile: module + "/own.txt", atomically: true, encoding: .utf8)
    let left = try json(project.module("remove", "APLog", "--json").output)
    #expect(left["left"] as? [String] == ["MPaaS/Modules/APLog"])
    #expect(left["removed"] as? [String] == [])
    #expect(try project.text("MPaaS/Modules/APLog/own.txt") == "own")
  }

  @Test("the marks of a merge are told in either file, and sync settles those of the lock")
  func merge() throws {
    let project = try SampleProject("[modules]\nMPHttpClient = \"*\"\n")
    #expect(try project.module("sync").status == 0)
    let ours = try project.both()
    try project.change("MPHttpClient", to: "AntUI")
    #expect(try project.module("sync").status == 0)
    let theirs = try project.both()
    func marked(_ index: Int, _ name: String) throws {
      let text = "<<<<<<< HEAD\n\(ours[index])=======\n\(theirs[index])>>>>>>> other\n"
      try text.write(toFile: project.path + "/" + name, atomically: true, encoding: .utf8)
    }
    try marked(0, "mpaas.toml")
    let manifest = try project.module("sync", "--json")
    #expect(manifest.status == 65)
    #expect(manifest.errors.contains("project-merge-conflict"))
    try (theirs[0] + "MPHttpClient = \"*\"\n").write(
      toFile: project.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    try marked(1, "mpaas.lock")
    for arguments in ["list", "tree"] {
      let outcome = try project.module(arguments, "--json")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("lock-merge-conflict"))
    }
    #expect(try project.module("sync", "--frozen", "--json").errors.contains("lock-merge-conflict"))
    #expect(try project.module("sync").status == 0)
    #expect(try project.module("sync", "--frozen").status == 0)
    #expect(try project.text("mpaas.lock").contains("<<<<") == false)
  }

  @Test("an imported project of the old kit comes with the very versions that it had", .fixtures)
  func imported() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("project/mpaas_legacy"))
    for name in names where name.hasSuffix(".config") {
      let old = try Fixture.data("project/mpaas_legacy/" + name)
      let project = try SampleProject("")
      let registry = try project.text("mpaas.toml")
      try FileManager.default.createDirectory(atPath: project.path + "/MPaaS", withIntermediateDirectories: true)
      try old.write(to: project.folder.appending(path: "MPaaS/mpaas_sdk.config"))
      #expect(try project.module("import", "--force").status == 0)
      try (project.text("mpaas.toml") + registry).write(
        toFile: project.path + "/mpaas.toml", atomically: true, encoding: .utf8)
      let outcome = try project.module("sync")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let config = try #require(try JSONSerialization.jsonObject(with: old) as? [String: Any])
      let targets = try #require(config["targets"] as? [String: [String: Any]])
      let made = try project.json("MPaaS/BuildConfig.json")["targets"] as? [String: [String: Any]]
      for (target, members) in targets {
        let products = try #require(members["versions"] as? [String: [String: String]])
        let wanted = products.values.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
        let frameworks = try #require(made?[target]?["frameworks"] as? [String: [String: String]])
        #expect(frameworks.compactMapValues { $0["version"] } == wanted)
        for framework in frameworks.values {
          #expect(FileManager.default.fileExists(atPath: project.path + "/" + (framework["path"] ?? "")))
        }
      }
      #expect(FileManager.default.contents(atPath: project.path + "/MPaaS/mpaas_sdk.config") == old)
    }
  }

  #if os(Linux)
    @Test("a program is built with the flags of modules.json, and needs nothing of the modules when it runs")
    func linked() throws {
      let project = try SampleProject("[project]\nplatform = \"linux\"\n[modules]\nSlug = \"^1\"\nTally = \"^1.1\"\n")
      #expect(try project.module("sync").status == 0)
      let target = try #require(try (project.json("MPaaS/modules.json")["targets"] as? [[String: Any]])?.first)
      let compiler = try #require(target["compiler_flags"] as? [String])
      let linker = try #require(target["linker_flags"] as? [String])
      try """
      #include <slug.h>
      #include <stdio.h>
      #include <tally.h>
      int main(void) {
        char text[32];
        slug_make("Hello, World", text, sizeof text);
        printf("%s %zu %s\\n", text, tally_words("one two three"), tally_version());
      }
      """.write(to: project.folder.appending(path: "main.c"), atomically: true, encoding: .utf8)
      let built = try Command.run("cc", compiler + ["main.c", "-o", "main"] + linker, directory: project.folder)
      #expect(built.status == 0, "\(built.errors)")
      #expect(try Command.run(project.path + "/main").output == "hello-world 3 1.1.0\n")
    }
  #endif

  @Test("over HTTP it is the same lock, and a server that is gone is told with status 69")
  func served() throws {
    let text = "[modules]\nMPHttpClient = \"*\"\n"
    let server = Process()
    let output = Pipe()
    server.executableURL = Command.mpaas
    server.arguments = [
      "registry", "serve", "--repository", try SampleProject.registry(), "--listen", "127.0.0.1:0", "--json",
    ]
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try server.run() }
    let line = try #require(
      try JSONSerialization.jsonObject(with: output.fileHandleForReading.availableData) as? [String: Any])
    let project = try SampleProject(text, url: try #require(line["url"] as? String))
    let outcome = try project.module("sync")
    server.terminate()
    server.waitUntilExit()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let local = try SampleProject(text)
    #expect(try local.module("sync").status == 0)
    #expect(try local.text("mpaas.lock") == project.text("mpaas.lock"))
    let before = try project.both()
    #expect(try project.module("sync").status == 0)
    #expect(try project.module("update").status == 69)
    #expect(try project.module("add", "AntUI", "--offline").status == 69)
    #expect(try project.both() == before)
  }
}
