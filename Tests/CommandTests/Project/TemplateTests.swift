import Foundation
import MPaaSTestSupport
import Testing

/// A kit of templates that are small, and a folder to make projects in.
struct TemplateHome {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try write("kit/Package.swift", "let package = Package(name: \"mpaaskit\")\n")
    try write("kit/templates/base/template.toml", "name = \"base\"\nabstract = true\n")
    try write("kit/templates/base/files/README.md.mustache", "# {{name}}\n")
    try manifest(version: "1.0.0")
    try file("Sources/{{name_identifier}}Core/A.swift.mustache", "let bundle = \"{{swift(bundle_id)}}\"\n")
    try file("run", "#!/bin/sh\n")
    try write("work/x", "")
  }

  var path: String { home.path }

  func write(_ path: String, _ text: String) throws {
    let url = home.url.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func manifest(version: String) throws {
    try write(
      "kit/templates/tabs/template.toml",
      """
      name = "tabs"
      version = "\(version)"
      extends = "base"
      description = { en = "An app", zh-Hans = "应用" }
      [variables.bundle_id]
      default = "com.example.{{name_bundle}}"
      pattern = "bundle-id"
      option = "bundle-id"
      """)
  }

  func file(_ path: String, _ text: String) throws { try write("kit/templates/tabs/files/" + path, text) }

  func text(_ path: String) -> String? { try? String(contentsOf: home.url.appending(path: path), encoding: .utf8) }

  func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.path + "/" + path).sorted()
  }

  func run(_ arguments: String..., in folder: String = "work") throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments,
      environment: ["MPAAS_HOME": path + "/home", "MPAAS_KIT": path + "/kit", "LC_ALL": "C", "TMPDIR": path],
      directory: home.url.appending(path: folder))
  }

  func git(_ arguments: String..., in folder: String) throws {
    let own = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    let outcome = try Command.run("git", own + arguments, directory: home.url.appending(path: folder))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}

@Suite("mpaas createapp") struct CreateAppTests {
  @Test("makes the whole project and says what comes next")
  func creates() throws {
    let sample = try TemplateHome()
    let made = try sample.run("createapp", "My Shop", "--bundle-id", "com.shop.app")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("MyShop"))
    #expect(made.output.contains("cd 'My Shop'"))
    #expect(sample.text("work/My Shop/Sources/MyShopCore/A.swift") == "let bundle = \"com.shop.app\"\n")
    #expect(sample.text("work/My Shop/README.md") == "# My Shop\n")
    #expect(try sample.names("work") == ["My Shop", "x"])
    let again = try sample.run("createapp", "My Shop", "--json")
    #expect(again.status == 73)
    #expect(again.errors.contains("project-folder-exists"))
    try sample.write("work/My Shop/mine", "mine")
    let forced = try sample.run("createapp", "My Shop", "--force", "--json")
    #expect(forced.status == 0)
    #expect(sample.text("work/My Shop/mine") == "mine")
    #expect(try json(forced.output)["bundle_id"] as? String == "com.example.My-Shop")
  }

  @Test("with --dry-run lists the files and makes none")
  func dryRun() throws {
    let sample = try TemplateHome()
    let planned = try sample.run("createapp", "Shop", "--output", "deep/er", "--dry-run", "--json")
    #expect(planned.status == 0)
    #expect(try (json(planned.output)["created"] as? Bool) == false)
    #expect(try sample.names("work") == ["x"])
    #expect(try sample.run("createapp", "Shop", "--output", "deep/er").status == 0)
    #expect(sample.text("work/deep/er/Shop/README.md") != nil)
  }

  @Test(
    "refuses names and answers that cannot be, and leaves nothing",
    arguments: [
      (["a/b"], 64, "project-name-separator"), (["--", ".a"], 64, "project-name-dot"),
      (["A", "--bundle-id", "x"], 64, "template-answer-wrong"),
      (["A", "--set", "nobody=1"], 64, "template-answer-unknown"),
      (["A", "--set", "x"], 64, "template-set-malformed"), (["A", "--template", "tab"], 66, "template-unknown-near"),
      (["A", "--template", "base"], 66, "template-unknown"), (["A", "--kit", "/nowhere"], 66, "kit-not-there"),
      (["A", "--from", "nowhere"], 66, "template-source-missing"),
      (["A", "--hotpatch-key", "nobody"], 66, "key-unknown"),
      (["x"], 73, "project-folder-exists"), (["A", "--output", "x"], 73, "file-not-created"),
      (["A", "--set", "name_identifier=class"], 64, "project-identifier-wrong"),
    ])
  func refused(arguments: [String], status: Int32, code: String) throws {
    let sample = try TemplateHome()
    let environment = ["MPAAS_HOME": sample.path + "/home", "MPAAS_KIT": sample.path + "/kit", "LC_ALL": "C"]
    let outcome = try Command.run(
      "mpaas", ["createapp", "--json"] + arguments, environment: environment,
      directory: sample.home.url.appending(path: "work"))
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.errors.contains("\"\(code)\""), "\(outcome)")
    #expect(try sample.names("work") == ["x"])
  }

  @Test(
    "takes templates from a folder, an archive and a branch of a repository, whose hooks it does not run", .tool("git"))
  func sources() throws {
    let sample = try TemplateHome()
    try sample.write("other/special/template.toml", "name = \"special\"\nextends = \"base\"\n")
    try sample.write("other/special/files/s.txt.mustache", "{{name}}")
    #expect(try sample.run("createapp", "A", "--from", sample.path + "/other").status == 0)
    #expect(sample.text("work/A/s.txt") == "A")
    #expect(sample.text("work/A/README.md") == "# A\n")
    // The place is remembered so that it is found from the project, too.
    #expect(try sample.run("createapp", "R", "--from", "../other").status == 0)
    let again = try sample.run("update-template", in: "work/R")
    #expect(again.output.contains("Nothing to do"), "\(again)")
    let packed = try Command.run("tar", ["czf", sample.path + "/o.tgz", "-C", sample.path, "other"])
    #expect(packed.status == 0)
    let archive = try sample.run("createapp", "B", "--from", sample.path + "/o.tgz")
    #expect(archive.status == 0, "\(archive)")
    #expect(sample.text("work/B/s.txt") == "B", "\(archive)")
    try sample.git("init", "--quiet", "-b", "main", in: "other")
    try sample.git("add", ".", in: "other")
    try sample.git("commit", "--quiet", "-m", "one", in: "other")
    try sample.git("checkout", "--quiet", "-b", "next", in: "other")
    try sample.write("other/special/files/s.txt.mustache", "next {{name}}")
    try sample.git("commit", "--quiet", "-am", "two", in: "other")
    let branch = try sample.run("createapp", "C", "--from", "file://\(sample.path)/other#next")
    #expect(branch.status == 0, "\(branch)")
    #expect(sample.text("work/C/s.txt") == "next C", "\(branch)")
    let missing = try sample.run("createapp", "D", "--from", "file://\(sample.path)/other#none", "--json")
    #expect(missing.status == 69, "\(missing)")
    #expect(missing.errors.contains("template-git-failed"), "\(missing)")
    // Nothing that was fetched stays.
    #expect(try sample.names(".").filter { $0.contains("mpaas-template") }.isEmpty)
  }

  @Test("an archive whose paths lead elsewhere is refused", .tool("python3"))
  func hostile() throws {
    let sample = try TemplateHome()
    let script =
      "import zipfile; z = zipfile.ZipFile('h.zip', 'w'); z.writestr('template.toml', 'name = \"t\"'); z.writestr('../../evil', 'x')"
    #expect(try Command.run("python3", ["-c", script], directory: sample.home.url).status == 0)
    let outcome = try sample.run("createapp", "A", "--from", sample.path + "/h.zip", "--json")
    #expect(outcome.status == 77, "\(outcome)")
    #expect(outcome.errors.contains("module-archive-path-outside"), "\(outcome)")
    #expect(try sample.names("work") == ["x"])
  }

  @Test("interrupted at any time leaves the whole project or nothing")
  func interrupted() throws {
    let sample = try TemplateHome()
    for number in 0..<1500 { try sample.file("many/\(number % 40)/\(number).txt", "\(number)") }
    for delay in [3, 15, 40, 80, 160, 320] as [UInt32] {
      let process = Process()
      process.executableURL = Command.mpaas
      process.arguments = ["createapp", "A", "--quiet"]
      process.environment = [
        "MPAAS_HOME": sample.path + "/home", "MPAAS_KIT": sample.path + "/kit", "PATH": "/usr/bin:/bin",
      ]
      process.currentDirectoryURL = sample.home.url.appending(path: "work")
      try withNoSignalsBlocked { try process.run() }
      usleep(delay * 1000)
      process.interrupt()
      process.waitUntilExit()
      let names = try sample.names("work")
      #expect(names == ["x"] || names == ["A", "x"], "\(names)")
      guard names.contains("A") else { continue }
      let files = try FileManager.default.subpathsOfDirectory(atPath: sample.path + "/work/A")
      #expect(files.filter { $0.hasSuffix(".txt") }.count == 1500)
      try FileManager.default.removeItem(atPath: sample.path + "/work/A")
    }
  }

  @Test("places public keys of the store and of files")
  func keys() throws {
    let sample = try TemplateHome()
    try sample.file("keys.txt.mustache", "{{#hotpatch_keys}}{{key_name}} {{key_base64}}\n{{/hotpatch_keys}}")
    #expect(try sample.run("key", "generate", "--name", "release", "--unencrypted").status == 0)
    let pem = try sample.run("key", "export", "--name", "release", "--public").output
    try sample.write("other.pem", pem)
    let made = try sample.run(
      "createapp", "A", "--hotpatch-key", "release", "--hotpatch-key", sample.path + "/other.pem")
    #expect(made.status == 0, "\(made.errors)")
    let lines = (sample.text("work/A/keys.txt") ?? "").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { $0.first ?? "" } == ["release", "other"])
    try #require(lines.count == 2)
    #expect(lines[0].last == lines[1].last)
    #expect(pem.contains(lines[0].last ?? "?"))
  }
}

@Suite("mpaas template and update-template") struct UpdateTemplateTests {
  @Test("list, show and check tell of templates; check names what is wrong with its place")
  func templates() throws {
    let sample = try TemplateHome()
    #expect(try sample.run("template", "list").output.contains("An app"))
    #expect(try sample.run("template", "list", "--lang", "zh-Hans").output.contains("应用"))
    #expect(try sample.run("template", "show", "tabs").output.contains("bundle_id"))
    let folder = sample.path + "/kit/templates/tabs"
    #expect(try sample.run("template", "check", folder).status == 0)
    try sample.file("bad.mustache", "a\n{{nmae}}\n")
    let checked = try sample.run("template", "check", folder, "--json")
    let findings = try json(checked.output)["findings"] as? [[String: Any]] ?? []
    #expect(checked.status == 1)
    #expect(findings.first?["code"] as? String == "template-variable-unknown")
    #expect((findings.first?["place"] as? String)?.hasSuffix("bad.mustache:2") == true)
  }

  @Test("brings what changed, shows it first, and marks what both sides changed", .tool("git"))
  func update() throws {
    let sample = try TemplateHome()
    try sample.file("notes.txt", "one\ntwo\nthree\nfour\nfive\n")
    #expect(try sample.run("createapp", "Shop").status == 0)
    #expect(try sample.run("update-template", in: "work/Shop").output.contains("Nothing to do"))
    try sample.manifest(version: "1.1.0")
    try sample.file("notes.txt", "one\ntwo\nthree\nfour\nFIVE\n")
    try sample.file("new.txt.mustache", "{{name}}\n")
    try sample.file("run", "#!/bin/sh\nexit 1\n")
    try sample.write("work/Shop/notes.txt", "ONE\ntwo\nthree\nfour\nfive\n")
    try FileManager.default.removeItem(atPath: sample.path + "/work/Shop/README.md")
    let planned = try sample.run("update-template", "--dry-run", in: "work/Shop")
    #expect(planned.status == 0, "\(planned)")
    #expect(planned.output.contains("+FIVE"), "\(planned)")
    #expect(sample.text("work/Shop/new.txt") == nil)
    let done = try sample.run("update-template", "--json", in: "work/Shop/Sources")
    #expect(done.status == 0, "\(done)")
    #expect(sample.text("work/Shop/notes.txt") == "ONE\ntwo\nthree\nfour\nFIVE\n")
    #expect(sample.text("work/Shop/new.txt") == "Shop\n")
    #expect(sample.text("work/Shop/README.md") == nil)
    #expect(sample.text("work/Shop/.mpaas/template.toml")?.contains("version = \"1.1.0\"") == true)
    #expect(try sample.run("update-template", in: "work/Shop").output.contains("Nothing to do"))
    try sample.file("notes.txt", "uno\ntwo\nthree\nfour\nFIVE\n")
    let clash = try sample.run("update-template", "--json", in: "work/Shop")
    #expect(clash.status == 1)
    #expect(try (json(clash.output)["conflicts"] as? [String]) == ["notes.txt"])
    #expect(sample.text("work/Shop/notes.txt")?.contains("<<<<<<<") == true)
  }

  @Test("refuses a working copy with changes that are not committed", .tool("git"))
  func uncommitted() throws {
    let sample = try TemplateHome()
    #expect(try sample.run("createapp", "Shop").status == 0)
    try sample.git("init", "--quiet", in: "work/Shop")
    try sample.git("add", ".", in: "work/Shop")
    try sample.git("commit", "--quiet", "-m", "one", in: "work/Shop")
    try sample.file("new.txt", "x")
    try sample.write("work/Shop/README.md", "changed")
    let refused = try sample.run("update-template", "--json", in: "work/Shop")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("project-uncommitted"))
    #expect(try sample.run("update-template", "--dry-run", in: "work/Shop").status == 0)
    #expect(try sample.run("update-template", "--force", in: "work/Shop").status == 0)
    let nowhere = try sample.run("update-template", "--json")
    #expect(nowhere.status == 66)
    #expect(nowhere.errors.contains("template-record-missing"))
  }
}
