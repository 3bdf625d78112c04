import Foundation
import MPaaSTestSupport
import Testing

/// A kit of this build that was installed below a prefix, and a channel over HTTP that offers version 9.0.0.
struct InstalledKit {
  let home: RegistryHome
  let server: ScriptedServer
  /// The version of this build.
  let version: String
  /// The content of version 9.0.0 beside its program.
  let bulk: Data

  var folder: String { home.home.path + "/prefix/opt/mpaas" }
  var program: String { folder + "/current/bin/mpaas" }

  init() throws {
    home = try RegistryHome(keys: "anna")
    var random = SeededRandom(seed: 3)
    bulk = Data((0..<2_000_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    version = try Self.words(mpaas("--version", home: home.home)).last ?? ""
    #expect(try home.initialize("--key", "anna").status == 0)
    let repository = home.repository
    server = try ScriptedServer { request in
      guard let body = FileManager.default.contents(atPath: repository + request.path) else {
        return [ScriptedServer.answer("404 Not Found")]
      }
      return [ScriptedServer.file(Array(body), to: request)]
    }
    try FileManager.default.copyItem(at: Command.mpaas.resolvingSymlinksInPath(), to: base)
    try publish()
    try install()
  }

  private var base: URL { home.home.url.appending(path: "mpaas-of-this-build") }

  static func words(_ outcome: Command.Outcome) -> [String] {
    outcome.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Makes the archive of version 9.0.0, and has the channel offer it as a publisher does.
  private func publish() throws {
    let packages = home.home.url.appending(path: "packages")
    let tree = packages.appending(path: "mpaas-9.0.0-linux-test")
    try FileManager.default.createDirectory(at: tree.appending(path: "bin"), withIntermediateDirectories: true)
    let program = tree.appending(path: "bin/mpaas")
    try Data("#!/bin/sh\necho mpaas 9.0.0\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    try bulk.write(to: tree.appending(path: "bulk"))
    let machine = try Self.words(Command.run("uname", ["-m"])).first ?? ""
    let archive = packages.path + "/mpaas-9.0.0-linux-\(machine).tar.zst"
    let made = try Command.run(
      "sh", ["-c", "tar -cf - -C \"$0\" mpaas-9.0.0-linux-test | zstd -q >\"$1\"", packages.path, archive])
    #expect(made.status == 0, "\(made.errors)")
    let notes = try home.file("notes", "Faster.")
    let published = try Command.run(
      Fixture.package.path + "/scripts/kit-channel",
      [
        "--repository", home.repository, "--packages", packages.path, "--key", "anna", "--notes", notes,
        "--programs", Command.mpaas.deletingLastPathComponent().path,
      ], environment: ["MPAAS_HOME": home.home.path])
    #expect(published.status == 0, "\(published.errors)\(published.output)")
  }

  /// Puts the kit in place as `scripts/get` does.
  func install() throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    let place = folder + "/versions/" + version
    for path in ["/bin", "/share/mpaas/channel"] {
      try files.createDirectory(atPath: place + path, withIntermediateDirectories: true)
    }
    try files.linkItem(atPath: base.path, toPath: place + "/bin/mpaas")
    try files.copyItem(
      atPath: home.repository + "/metadata/1.root.json", toPath: place + "/share/mpaas/channel/root.json")
    try Data(#"{"channel": "stable", "urls": ["\#(server.url)"]}"#.utf8)
      .write(to: URL(filePath: place + "/share/mpaas/channel/channel.json"))
    try files.createSymbolicLink(atPath: folder + "/current", withDestinationPath: "versions/" + version)
  }

  var environment: [String: String] { ["MPAAS_HOME": home.home.path, "LC_ALL": "C", "MPAAS_LANG": ""] }

  func update(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(folder + "/versions/\(version)/bin/mpaas", ["kitupdate"] + arguments, environment: environment)
  }

  /// Expects the version in use to run, and to be whole.
  @discardableResult
  func expectWhole(_ note: String = "") throws -> String {
    let shown = try Command.run(program, ["--version"], environment: environment)
    #expect(shown.status == 0, "\(note)")
    let found = Self.words(shown).last ?? ""
    #expect([version, "9.0.0"].contains(found), "\(note)")
    if found == "9.0.0" {
      #expect(FileManager.default.contents(atPath: folder + "/current/bulk") == bulk, "\(note)")
    } else {
      #expect(FileManager.default.contentsEqual(atPath: program, andPath: base.path), "\(note)")
    }
    return found
  }
}

@Suite("mpaas kitupdate of an installed kit") struct KitUpdateChannelTests {
  @Test("tells, updates, tells what is new, and goes back")
  func update() throws {
    let kit = try InstalledKit()
    let check = try kit.update("--check", "--json")
    #expect(check.status == 0, "\(check.errors)")
    let told = try json(check.output)
    #expect(told["kind"] as? String == "available")
    #expect(told["after"] as? String == "9.0.0")
    #expect(try kit.expectWhole() == kit.version)
    let updated = try kit.update()
    #expect(updated.status == 0, "\(updated.errors)")
    #expect(updated.output.contains("to 9.0.0 of channel stable"))
    #expect(updated.output.contains("Faster."))
    #expect(try kit.expectWhole() == "9.0.0")
    let back = try kit.update("--rollback", "--json")
    #expect(try json(back.output)["kind"] as? String == "rolled_back", "\(back.errors)")
    #expect(try kit.expectWhole() == kit.version)
  }

  @Test("killed at any moment leaves one whole version that runs, and the next update ends what was begun")
  func kill() throws {
    let kit = try InstalledKit()
    var random = SeededRandom(seed: 5)
    let program = kit.folder + "/versions/\(kit.version)/bin/mpaas"
    var longest = 0.05
    var killed = 0
    var round = 0
    let kills = SeededRandom.rounds(or: 10)
    while killed < kills, round < kills * 8 {
      defer { round += 1 }
      if round % 5 != 3 { try kit.install() }
      let start = Date()
      let arguments = ["kitupdate"] + (round % 5 == 3 ? ["--rollback"] : [])
      let running = try RunningProgram(program, arguments, environment: kit.environment, waitsForLine: false)
      // Every fifth runs to its end, to know how long that takes on this machine now.
      if round % 5 == 2 {
        running.process.waitUntilExit()
        longest = min(10, Date().timeIntervalSince(start) * 1.1)
        #expect(try kit.expectWhole("round \(round)") == "9.0.0")
      } else {
        usleep(UInt32(Double.random(in: 0...longest, using: &random) * 1e6))
        if running.end(SIGKILL) == SIGKILL { killed += 1 }
        try kit.expectWhole("round \(round)")
      }
    }
    #expect(killed == kills)
    try kit.install()
    #expect(try kit.update().status == 0)
    #expect(try kit.expectWhole() == "9.0.0")
  }

  @Test("on a full disk says so, and leaves the version before")
  func fullDisk() throws {
    let kit = try InstalledKit()
    let program = kit.folder + "/versions/\(kit.version)/bin/mpaas"
    // No file may be larger, which is what a full disk does to the one that is written.
    let outcome = try Command.run(
      "sh", ["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" kitupdate", program], environment: kit.environment)
    #expect(outcome.status == 74 || outcome.status == 73, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.errors.contains("error: "))
    #expect(try kit.expectWhole() == kit.version)
    #expect(try kit.update().status == 0)
    #expect(try kit.expectWhole() == "9.0.0")
  }

  @Test("refuses a kit of Homebrew, and one that was built, with a word on how to update there")
  func refused() throws {
    let folder = try TemporaryFolder()
    for (path, code, help) in [
      ("Cellar/mpaas/1/bin", "kit-packaged", "brew upgrade mpaas"), (".build/release", "kit-build-folder", "kitupdate"),
    ] {
      let place = folder.url.appending(path: path)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let copy = place.appending(path: "mpaas")
      try FileManager.default.copyItem(at: Command.mpaas.resolvingSymlinksInPath(), to: copy)
      let outcome = try Command.run(
        copy.path, ["kitupdate", "--check", "--json"], environment: ["MPAAS_HOME": folder.path, "LC_ALL": "C"])
      #expect(outcome.status == 77)
      let error = try json(outcome.errors)["error"] as? [String: Any]
      #expect(error?["code"] as? String == code)
      #expect((error?["help"] as? String)?.contains(help) == true)
    }
  }

  @Test("takes --rollback alone")
  func rollbackAlone() throws {
    #expect(try mpaas("kitupdate", "--rollback", "--check").status == 64)
  }
}
