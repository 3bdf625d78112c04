import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSSymbols

@Suite("Symbol servers") struct SymbolServersTests {
  /// A world of URLs and files, and what was asked.
  final class World: Sendable {
    let files: [String: String]
    let failing: [String: HTTPError.Code]
    let asked = Mutex<[String]>([])
    let problems = Mutex<[DiagnosticID]>([])

    init(_ files: [String: String], failing: [String: HTTPError.Code] = [:]) {
      self.files = files
      self.failing = failing
    }

    var client: HTTPClient {
      HTTPClient { [self] download throws(HTTPError) in
        let url = download.request.url
        asked.withLock { $0.append(url) }
        if let failure = failing.first(where: { url.hasPrefix($0.key) }) { throw HTTPError(failure.value, url: url) }
        guard let path = files[url] else { throw HTTPError(.status(404), url: url) }
        guard download.accept(path) else { throw HTTPError(.notAccepted, url: url) }
        do throws(FileError) {
          let bytes = try Bytes.mapping(path)
          try bytes.write(to: download.target)
          return HTTPResponse(status: 200, size: UInt64(bytes.count))
        } catch {
          throw HTTPError(.file(error), url: url)
        }
      }
    }
  }

  let folder: TemporaryFolder
  let id: BuildID

  init() throws {
    folder = try TemporaryFolder()
    id = try #require(BuildID(hex: "66e3a80360e8331595a9cb3e3efa06786f23111f"))
  }

  private func search(
    _ world: World, _ servers: [SymbolServer], now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) -> DebugFileSearch {
    var search = DebugFileSearch(roots: [], debuginfodCache: folder.path + "/debuginfod")
    search.servers = SymbolServers(
      SymbolServers.Settings(
        servers: servers, debuginfodCache: folder.path + "/debuginfod", cache: folder.path + "/servers"),
      client: world.client, now: now, problem: { problem in world.problems.withLock { $0.append(problem.id) } })
    return search
  }

  private let debuginfod = SymbolServer(url: "http://d", layout: .debuginfod)
  private var debugURL: String { "http://d/buildid/\(id.hex)/debuginfo" }

  @Test("what debuginfod gives is kept where its client keeps it, and asked for once", .fixtures)
  func debuginfodCache() throws {
    let world = World([debugURL: try Fixture.path("crash/elf/matrix/split.debug")])
    let finding = search(world, [debuginfod]).find(path: "/gone/split", buildID: id)
    #expect(finding.status == .complete)
    #expect(finding.debugFile?.place == .server)
    #expect(finding.debugFile?.path == folder.path + "/debuginfod/\(id.hex)/debuginfo")
    #expect(finding.searched.last?.path == debugURL)
    let again = search(world, [debuginfod]).find(path: "/gone/split", buildID: id)
    #expect(again.debugFile?.place == .debuginfod)
    #expect(world.asked.withLock { $0 } == [debugURL])
  }

  @Test("nothing is asked where this machine has it, or where no server is named", .fixtures)
  func notAsked() throws {
    let world = World([:])
    let path = try Fixture.path("crash/elf/matrix/gcc-dwarf5")
    #expect(search(world, [debuginfod]).find(path: path, buildID: nil).status == .complete)
    #expect(search(world, []).find(path: "/gone", buildID: id).status == .missing)
    #expect(world.asked.withLock { $0.isEmpty })
  }

  @Test("a file of another build is refused, told and not kept", .fixtures)
  func wrongBuild() throws {
    let world = World([debugURL: try Fixture.path("crash/elf/dump_syms/basic.full")])
    let finding = search(world, [debuginfod]).find(path: "/gone/split", buildID: id)
    #expect(finding.debugFile == nil)
    #expect(finding.nearMisses.map(\.path) == [debugURL])
    #expect(world.problems.withLock { $0 } == ["transfer-not-accepted"])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/debuginfod/\(id.hex)/debuginfo"))
  }

  @Test("that no server has it is remembered for a while")
  func absence() throws {
    let world = World([:])
    let clock = Mutex(Int64(time(nil)))
    let search = search(world, [debuginfod], now: { clock.withLock { $0 } })
    let finding = search.find(path: "/gone/split", buildID: id)
    #expect(finding.status == .missing)
    #expect(finding.searched.filter { $0.place == .server }.map(\.outcome) == [.absent, .absent])
    #expect(world.asked.withLock { $0.count } == 2)
    _ = search.find(path: "/gone/split", buildID: id)
    #expect(world.asked.withLock { $0.count } == 2)
    clock.withLock { $0 += 601 }
    _ = search.find(path: "/gone/split", buildID: id)
    #expect(world.asked.withLock { $0.count } == 4)
    // Debuginfod's own mark of absence is no symbol file.
    try FileManager.default.createDirectory(
      atPath: folder.path + "/debuginfod/\(id.hex)", withIntermediateDirectories: true)
    try Data().write(to: folder.url.appending(path: "debuginfod/\(id.hex)/debuginfo"))
    let marked = search.find(path: "/gone/split", buildID: id)
    #expect(marked.searched.filter { $0.place == .debuginfod }.allSatisfy { $0.outcome == .absent })
  }

  @Test("a server that cannot be reached is left out from then on, and the next one is asked", .fixtures)
  func unreachable() throws {
    let path = try Fixture.path("crash/elf/matrix/split.debug")
    let other = SymbolServer(url: "http://u", layout: .unified)
    let world = World(
      ["http://u/66/\(id.hex.dropFirst(2))/debuginfo": path], failing: ["http://d": .unreachable])
    let search = search(world, [debuginfod, other])
    #expect(search.find(path: "/gone/split", buildID: id).status == .complete)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/servers/66/\(id.hex.dropFirst(2))/debuginfo"))
    _ = search.find(path: "/gone/b", buildID: BuildID(hex: String(repeating: "ab", count: 20)))
    #expect(world.asked.withLock { asked in asked.filter { $0.hasPrefix("http://d") }.count } == 1)
    #expect(world.problems.withLock { $0 } == ["server-unreachable"])
  }

  @Test("Breakpad's text is asked for by the image's name, percent-escaped", .fixtures)
  func breakpad() throws {
    let id = try #require(BuildID(hex: "b060ad20c6b47781552708aa192e7739fac7c84a"))
    let url = "http://b/a%20b%2B%C3%BC/20AD60B0B4C68177552708AA192E77390/a%20b%2B%C3%BC.sym"
    let world = World([url: try Fixture.path("crash/elf/dump_syms/basic.full.inlines.sym")])
    let finding = search(world, [SymbolServer(url: "http://b", layout: .breakpad)]).find(
      path: "/gone/a b+ü", buildID: id)
    #expect(finding.debugFile?.image.format == .breakpad)
    #expect(finding.status == .complete)
    #expect(finding.lookup()?.frames(at: 0x1160).count == 2)
    #expect(world.asked.withLock { $0 } == [url])
  }

  @Test("a section and a source file come from debuginfod under its client's names", .fixtures)
  func artefacts() throws {
    let source = try Fixture.path("crash/elf/matrix/src/a.cpp")
    let world = World([
      "http://d/buildid/\(id.hex)/source/src/elf/a.cpp": source, "http://d/buildid/\(id.hex)/section/.text": source,
    ])
    let servers = try #require(search(world, [debuginfod]).servers)
    #expect(servers.source("/src/elf/a.cpp", of: id) == folder.path + "/debuginfod/\(id.hex)/source##src##elf##a.cpp")
    #expect(servers.section(".text", of: id) == folder.path + "/debuginfod/\(id.hex)/section-.text")
    #expect(servers.section(".nothing", of: id) == nil)
    #expect(servers.section("../../x", of: id) == nil)
  }
}
