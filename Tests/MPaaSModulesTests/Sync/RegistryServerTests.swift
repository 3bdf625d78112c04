import Foundation
import MPaaSModuleTools
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSModules

/// Holds `mpaas sdk` to what it does with a registry on a web server.
@Suite("Registries on web servers") struct RegistryServerTests {
  private static let small = Result {
    try SignedModules([
      .init("APLog", "1.0.0", needs: ["UTDID": "*"]), .init("APLog", "1.1.0", needs: ["UTDID": "*"]),
      .init("APLog", "2.0.0"), .init("UTDID", "1.0.0"), .init("Bound", "1.0", needs: ["APLog": "<2"]),
    ])
  }

  /// A registry of modules that are not downloaded.
  private static func indexes(_ count: Int) throws -> SignedModules {
    let registry = try SignedModules()
    try registry.edit { draft throws(TrustError) in
      var contents: ExactMap<TargetContent> = [:]
      for number in 0..<count {
        let index = ModuleIndex(name: "M\(number)")
        contents[ModuleShelf.target("M\(number)")] = .bytes(index.encoded)
      }
      try draft.add(contents)
    }
    return registry
  }

  @Test("ninety indexes come at the same time, each once, and not again")
  func together() async throws {
    let registry = try Self.indexes(90)
    let server = try ModulesServer(registry.path, delay: 0.02)
    let user = try registry.user(at: [server.url])
    #expect(try await user.catalog().names.count == 90)
    #expect(server.requests(ending: "index.json") == 90)
    #expect(server.overlap >= 8, "\(server.overlap)")
    #expect(try await user.catalog().names.count == 90)
    #expect(server.requests(ending: "index.json") == 90)
    #expect(try FileSystem.names(in: user.directories.registries + "/main/incoming").isEmpty)
  }

  @Test("an index that one mirror has wrong comes from the next, a folder too, and nobody's wrong one is taken")
  func mirrors() async throws {
    let registry = try Self.indexes(3)
    let copy = registry.folder.path + "/copy"
    try FileManager.default.copyItem(atPath: registry.path, toPath: copy)
    for name in ["M0", "M1"] {
      let folder = "\(copy)/targets/sdk/\(name)"
      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        var bytes = try Data(contentsOf: URL(filePath: folder + "/" + file))
        bytes[4] ^= 1
        try bytes.write(to: URL(filePath: folder + "/" + file))
      }
    }
    let bad = try ModulesServer(copy), good = try ModulesServer(registry.path)
    #expect(try await registry.user(at: [bad.url, good.url]).catalog().names.count == 3)
    #expect(good.requests(ending: "index.json") == 2)
    #expect(try await registry.user(at: [bad.url, registry.path]).catalog().names.count == 3)
    #expect(try await registry.user(at: [copy, good.url]).catalog().names.count == 3)
    do {
      _ = try await registry.user(at: [bad.url]).catalog()
      Issue.record("a wrong index was taken")
    } catch {
      #expect((error as? ModuleError)?.code.id == "target-digest-mismatch")
    }
  }

  @Test("a module that is named is downloaded again, one that is not only where it is missing or older")
  func downloads() throws {
    let registry = try Self.small.get()
    let server = try ModulesServer(registry.path)
    let user = try registry.user(at: [server.url])
    func count() -> Int { server.requests(ending: ".tar.zst") }
    let first = try user.mpaas("sdk", "download", "APLog@1.0.0")
    #expect(first.status == 0, "\(first.errors)")
    #expect(count() == 1, "\(first.errors)")
    #expect(first.errors.contains("APLog 1.0.0: downloading"))
    #expect(first.errors.contains("APLog 1.0.0: done"))
    #expect(try user.mpaas("sdk", "download", "APLog@1.0.0", "--quiet").errors.isEmpty)
    #expect(count() == 2)
    #expect(try user.rows("update", "APLog").compactMap { $0["version"] as? String } == ["2.0.0"])
    #expect(count() == 3)
    #expect(try user.rows("update").compactMap { $0["name"] as? String } == ["Bound", "UTDID"])
    #expect(count() == 5)
    #expect(try user.rows("update").isEmpty)
    #expect(count() == 5)
    #expect(try user.rows("update", "UTDID").count == 1, "named, it comes again")
    #expect(count() == 6, "named, it comes again")
    let unknown = try user.mpaas("sdk", "download", "APLgo")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("APLog"))
    #expect(count() == 6)
    #expect(try user.refusal("update", "UTDDI") == "sdk-module-unknown-near")
    #expect(try user.refusal("Nothing") == "sdk-module-unknown")
  }

  @Test("outdated tells what the project's modules allow each other, with the notes in between")
  func outdated() throws {
    let registry = try Self.small.get()
    let user = try registry.user()
    let manifest = URL(filePath: user.folder.path + "/mpaas.toml")
    func write(_ modules: String) throws {
      let text = "[project]\nname = \"Shop\"\n[modules]\n\(modules)\n"
      try Data(text.utf8).write(to: manifest)
    }
    try write("APLog = \"1.0.0\"\nBound = \"1.0\"")
    let synced = try user.mpaas("module", "sync")
    #expect(synced.status == 0, "\(synced.errors)")
    try write("APLog = \"*\"\nBound = \"1.0\"")
    let row = try #require(try user.rows("outdated").first)
    #expect(row["name"] as? String == "APLog")
    #expect(row["current"] as? String == "1.0.0")
    #expect(row["allowed"] as? String == "1.1.0", "Bound keeps it below 2")
    #expect(row["newest"] as? String == "2.0.0")
    #expect((row["notes"] as? [[String: Any]])?.compactMap { $0["version"] as? String } == ["2.0.0", "1.1.0"])
    let told = try user.mpaas("sdk", "outdated", "--exit-code")
    #expect(told.status == 1)
    #expect(told.output.contains("New in 1.1.0"))
    #expect(told.output.contains("2.0.0 的更新"))
    try write("APLgo = \"*\"")
    let near = try user.mpaas("module", "sync")
    #expect(near.status != 0, "\(near.errors)")
    #expect(near.errors.contains("APLog"), "\(near.errors)")
  }

  @Test("a vendored registry serves a project offline on a machine that knows nothing else")
  func vendor() throws {
    let registry = try Self.small.get()
    let server = try ModulesServer(registry.path)
    let user = try registry.user(at: [server.url])
    let made = try user.mpaas("sdk", "vendor", "vendor", "APLog@1.1.0", "UTDID")
    #expect(made.status == 0, "\(made.errors)")
    let other = SDKUser(folder: try TemporaryFolder())
    try FileManager.default.copyItem(
      atPath: user.folder.path + "/vendor", toPath: other.folder.path + "/vendor")
    let text = """
      [project]
      name = "Shop"
      [registries.main]
      url = "vendor"
      root = "vendor/root.json"
      [modules]
      APLog = "1.1.0"

      """
    try Data(text.utf8).write(to: URL(filePath: other.folder.path + "/mpaas.toml"))
    let before = server.server.requests.count
    let synced = try other.mpaas("module", "sync", "--offline")
    #expect(synced.status == 0, "\(synced.errors)")
    #expect(FileSystem.resolved(other.folder.path + "/MPaaS/Modules/UTDID/src/a.c") != nil)
    #expect(try other.mpaas("sdk", "--offline").output.contains("APLog"))
    #expect(server.server.requests.count == before)
  }

  @Test("a download on a terminal has a bar, and marks stand on cyan", .tool("script"))
  func terminal() throws {
    let registry = try SignedModules([.init("Large", "1.0", size: 600_000)])
    let server = try ModulesServer(registry.path, pace: 20_000)
    let user = try registry.user(at: [server.url])
    let environment = user.environment.merging(["TERM": "xterm", "NO_COLOR": ""]) { $1 }
    let table = try Pty.run("mpaas", ["sdk"], environment: environment).output
    #expect(table.contains("\u{1b}[30;46mMissing\u{1b}[0m"), "\(table)")
    let seen = try Pty.run("mpaas", ["sdk", "download", "Large"], environment: environment).output
    #expect(seen.contains("Downloading 1 module"), "\(seen)")
    #expect(seen.contains("%"), "\(seen)")
    #expect(!seen.contains("Large 1.0: downloading"), "lines are for pipes")
    #expect(!(try Pty.run("mpaas", ["sdk"], environment: environment).output.contains("\u{1b}[30;46m")))
  }

  @Test("Ctrl-C ends a slow download at once with status 130, and the next run asks for the rest")
  func interrupted() throws {
    let registry = try SignedModules([.init("Large", "1.0", size: 2_000_000)])
    let slow = try ModulesServer(registry.path, pace: 20_000)
    let user = try registry.user(at: [slow.url])
    let process = try user.start("sdk", "download", "Large")
    let archive = try #require(try registryArchive(of: registry))
    func sent() -> Int {
      slow.server.requests.first { $0.path.hasSuffix(archive) }.map { slow.server.sent($0.number) } ?? 0
    }
    let patience = Date(timeIntervalSinceNow: 20)
    while sent() < 1_300_000, process.isRunning, patience.timeIntervalSinceNow > 0 { usleep(5000) }
    let begun = Date()
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    // The promise is 0.2 s; a machine that is busy with other tests is given more.
    #expect(Date().timeIntervalSince(begun) < 1)
    let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    #expect(status == 130)
    let quick = try ModulesServer(registry.path)
    #expect(try SDKUser(folder: user.folder).mpaas("sdk", "registry", "remove", "main").status == 0)
    try user.trust(registry, as: "main", at: [quick.url])
    let again = try user.mpaas("sdk", "download", "Large")
    #expect(again.status == 0, "\(again.errors)")
    let rest = quick.server.requests.first { $0.path.hasSuffix(archive) }?.start ?? 0
    #expect(rest > 0, "it went on where the first one stopped")
  }

  private func registryArchive(of registry: SignedModules) throws -> String? {
    try FileManager.default.contentsOfDirectory(atPath: registry.path + "/targets/sdk/Large")
      .first { $0.hasSuffix(".tar.zst") }
  }
}
