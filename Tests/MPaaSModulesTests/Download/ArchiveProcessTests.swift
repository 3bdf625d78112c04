import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSModules

/// Processes that share a cache, one of which may be killed at any moment.
@Suite("Archives over processes") struct ArchiveProcessTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var cache: String { folder.path + "/archives" }
  private var names: [String] { (try? FileSystem.names(in: cache)) ?? [] }

  private func start(_ blobs: [TestBlob], _ url: String, environment: [String: String] = [:]) throws -> Process {
    let list = folder.path + "/list"
    if !FileManager.default.fileExists(atPath: list) {
      let lines = blobs.enumerated().map { "\($1.sha256) \($1.bytes.count) \(url)/\($0)\n" }
      try lines.joined().write(toFile: list, atomically: true, encoding: .utf8)
    }
    let process = Process()
    process.executableURL = Command.products.appending(path: "DownloadSubject")
    process.arguments = ["cache", cache]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: list))
    process.standardOutput = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    return process
  }

  private func server(_ blobs: [TestBlob], pace: UInt32) throws -> ScriptedServer {
    let bodies = blobs.map(\.bytes)
    return try ScriptedServer { request in
      let number = Int(request.path.split(separator: "/").last ?? "") ?? 0
      return [.pace(microseconds: pace), ScriptedServer.file(bodies[number], to: request)]
    }
  }

  @Test("twenty processes at the same time fetch each of eight archives once")
  func twenty() throws {
    let blobs = (0..<8).map { TestBlob($0, size: 400_000) }
    let server = try server(blobs, pace: 2000)
    let processes = try (0..<20).map { _ in try start(blobs, server.url) }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(server.requests.map(\.path).sorted() == (0..<8).map { "/\($0)" })
    #expect(names == blobs.map(\.sha256).sorted())
  }

  @Test("killed at any moment, it leaves no wrong file under a name, and goes on with at most 1 MiB fetched again")
  func kills() throws {
    let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 30
    let blobs = (0..<4).map { TestBlob($0, size: 3 << 20) }
    let digests = Set(blobs.map(\.sha256))
    let size = blobs.map(\.bytes.count).reduce(0, +)
    let server = try server(blobs, pace: 300)
    var random = SeededRandom(seed: 5)
    var (kills, seen, before, asked) = (0, 0, 0, 0)
    for round in 0...rounds {
      let process = try start(blobs, server.url)
      // Some are killed before they ask for anything, most while archives come; the last one may end.
      let deadline = ContinuousClock.now + .seconds(30)
      while server.requests.count == seen, process.isRunning, !round.isMultiple(of: 5), ContinuousClock.now < deadline {
        usleep(1000)
      }
      if round < rounds {
        usleep(UInt32.random(in: 0..<60_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
        kills += 1
      }
      process.waitUntilExit()
      if round == rounds { #expect(process.terminationStatus == 0) }
      seen = server.requests.count
      for name in names where digests.contains(name) {
        #expect(ArchiveDigest.matches(cache + "/" + name, size: 3 << 20, sha256: name), "round \(round)")
      }
      if digests.isSubset(of: names) {
        // The heads of answers, and what was on its way when it was killed.
        let heads = 300 * (server.requests.count - asked)
        let extra = server.sent - before - size - heads
        #expect(extra <= kills << 20, "\(extra) bytes were fetched again after \(kills) kills")
        (kills, before, asked) = (0, server.sent, server.requests.count)
        if round < rounds { try FileManager.default.removeItem(atPath: cache) }
      }
    }
    // The files beside an archive may be left where a process was killed between the archive's name and its own end.
    #expect(names.filter { !$0.hasSuffix(".lock") && !$0.hasSuffix(".partial.source") } == digests.sorted())
  }

  @Test("the proxy that the environment names is asked, but not for what it is not for")
  func proxy() throws {
    let blobs = [TestBlob(1, size: 8000)]
    let proxy = try server(blobs, pace: 0)
    let through = try start(blobs, "http://registry.invalid", environment: ["http_proxy": proxy.url, "no_proxy": ""])
    through.waitUntilExit()
    #expect(through.terminationStatus == 0)
    #expect(proxy.requests.map(\.path) == ["http://registry.invalid/0"])
    try FileManager.default.removeItem(atPath: cache)
    try FileManager.default.removeItem(atPath: folder.path + "/list")
    let direct = try server(blobs, pace: 0)
    let past = try start(blobs, direct.url, environment: ["http_proxy": proxy.url, "no_proxy": "127.0.0.1"])
    past.waitUntilExit()
    #expect(past.terminationStatus == 0)
    #expect(proxy.requests.count == 1)
    #expect(direct.requests.count == 1)
  }
}
