import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

/// A registry behind a server that can be told to fail.
private final class ServedRegistry {
  let registry: SDKRegistry
  let server: LoopbackServer
  /// The status line that everything is answered with; nil for the files themselves.
  let failure = Failure()

  final class Failure: Sendable {
    private let line = Mutex<String?>(nil)

    var current: String? { line.withLock { $0 } }

    func set(_ new: String?) { line.withLock { $0 = new } }
  }

  init() throws {
    registry = try SDKRegistry()
    try registry.add("APLog", "1.0.0")
    let (folder, failure) = (registry.repository, failure)
    server = try LoopbackServer { head, _ in
      if let line = failure.current { return LoopbackServer.answer(line, headers: ["Retry-After: 1"]) }
      let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
      if path.hasSuffix(".zst") { usleep(300_000) }
      guard let data = FileManager.default.contents(atPath: folder + path) else {
        return LoopbackServer.answer("404 Not Found")
      }
      return LoopbackServer.answer("200 OK", body: Array(data))
    }
  }

  /// The number of times that archives were asked for.
  var archiveRequests: Int { server.requests.count { $0.hasPrefix("GET") && $0.contains(".zst ") } }

  func project(_ name: String, mirrors: [String] = []) throws -> URL {
    let folder = registry.folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: registry.repository + "/metadata/1.root.json", toPath: folder.path + "/main.root.json")
    let list = mirrors.map { "\"\($0)\"" }.joined(separator: ", ")
    try
      "[registries.main]\nurl = \"\(server.url)\"\nmirrors = [\(list)]\nroot = \"main.root.json\"\n[modules]\nAPLog = \"*\"\n"
      .write(toFile: folder.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    return folder
  }

  func run(_ arguments: String..., in folder: URL? = nil) throws -> Command.Outcome {
    try Command.run("mpaas", arguments, environment: registry.user, directory: folder ?? registry.folder.url)
  }

  /// Brings projects into step at the same time; the exit statuses.
  func syncAtOnce(_ folders: [URL]) throws -> [String] {
    let mpaas = Command.mpaas.path
    let script = "for f; do (cd \"$f\"; \"\(mpaas)\" module sync >/dev/null; echo $?) & done; wait"
    let outcome = try Command.run("sh", ["-c", script, "sh"] + folders.map(\.path), environment: registry.user)
    return outcome.output.split(separator: "\n").map(String.init)
  }
}

@Suite("Registries that fail") struct SDKFaultTests {
  @Test("a server that is down is named, and what was trusted before is still shown")
  func down() throws {
    var served: ServedRegistry? = try ServedRegistry()
    let registry = try #require(served?.registry)
    let url = try #require(served?.server.url)
    let root = registry.repository + "/metadata/1.root.json"
    #expect(try registry.sdk("registry", "add", "main", url, "--root", root).status == 0)
    served?.failure.set("503 Service Unavailable")
    for arguments in [["--refresh"], ["download", "APLog"]] {
      let outcome = try Command.run("mpaas", ["sdk"] + arguments, environment: registry.user)
      #expect(outcome.status == 75)
      #expect(outcome.errors.contains(url))
      #expect(outcome.errors.contains("503"))
    }
    served = nil
    for arguments in [["--refresh"], ["download", "APLog"], ["update"]] {
      let outcome = try Command.run("mpaas", ["sdk"] + arguments, environment: registry.user)
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains(url))
      #expect(outcome.errors.contains("--offline"))
    }
    #expect(try registry.sdk().output.contains("APLog"))
    #expect(try registry.sdk("--refresh", "--offline").status == 64)
    #expect(try registry.sdk("--offline").output.contains("Missing"))
  }

  @Test("a mirror takes over from a server that fails, and the user hears of it")
  func mirror() throws {
    let served = try ServedRegistry()
    let folder = try served.project("shop", mirrors: [served.registry.repository])
    served.failure.set("500 Internal Server Error")
    let outcome = try served.run("module", "sync", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("trying again") || outcome.errors.contains("done"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/MPaaS/Modules/APLog/module.toml"))
  }

  @Test("a proxy that the environment names is used, and not for who is excepted")
  func proxy() throws {
    let served = try ServedRegistry()
    let folder = try served.project("shop")
    var environment = served.registry.user.merging(["http_proxy": "http://127.0.0.1:1", "no_proxy": ""]) { $1 }
    #expect(
      try Command.run("mpaas", ["module", "sync"], environment: environment, directory: folder).status == 69)
    #expect(served.server.requests.isEmpty)
    environment["no_proxy"] = "127.0.0.1"
    #expect(
      try Command.run("mpaas", ["module", "sync"], environment: environment, directory: folder).status == 0)
  }

  @Test("twenty processes with an empty store ask for an archive once, and all have it")
  func atOnce() throws {
    let served = try ServedRegistry()
    let folders = try (0..<20).map { try served.project("shop\($0)") }
    #expect(try served.syncAtOnce(folders) == [String](repeating: "0", count: 20))
    #expect(served.archiveRequests == 1)
    for folder in folders {
      #expect(FileManager.default.fileExists(atPath: folder.path + "/MPaaS/Modules/APLog/module.toml"))
    }
  }

  @Test("two processes in one project wait for each other, and the second finds nothing to do")
  func sameProject() throws {
    let served = try ServedRegistry()
    let folder = try served.project("shop")
    #expect(try served.syncAtOnce([folder, folder, folder]) == ["0", "0", "0"])
    #expect(served.archiveRequests == 1)
    #expect(try served.run("module", "sync", in: folder).output.contains("Nothing to do"))
  }

  @Test("what cannot be read or written is named with its path")
  func permissions() throws {
    let served = try ServedRegistry()
    let folder = try served.project("shop")
    try "[modules\n".write(toFile: folder.path + "/mpaas.toml", atomically: true, encoding: .utf8)
    let broken = try served.run("module", "sync", in: folder)
    #expect(broken.status == 65)
    #expect(broken.errors.contains("mpaas.toml:1:9"))
    // A file where a folder is needed stops root too.
    try "".write(toFile: served.registry.folder.path + "/user", atomically: true, encoding: .utf8)
    let sync = try served.run("sdk", "registry", "add", "main", served.registry.repository, "--root", "x", in: folder)
    #expect(sync.status != 0)
    let blocked = try served.run("module", "sync", in: try served.project("other"))
    #expect([73, 74, 77].contains(blocked.status))
    #expect(blocked.errors.contains(served.registry.folder.path + "/user"))
  }
}
