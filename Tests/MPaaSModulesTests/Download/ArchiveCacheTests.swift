import Crypto
import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSModules

/// An archive of a test, which is only bytes here.
struct TestBlob {
  let bytes: [UInt8]

  init(_ seed: UInt64, size: Int) {
    var random = SeededRandom(seed: seed)
    bytes = (0..<(size / 8)).map { _ in random.next() }.withUnsafeBytes { Array($0) }
  }

  var sha256: String {
    SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  func blob(_ urls: String...) -> ModuleBlob {
    ModuleBlob(sha256: sha256, size: UInt64(bytes.count), urls: urls, name: "APLog 3.0.2")
  }
}

@Suite("The cache of archives") struct ArchiveCacheTests {
  let folder: TemporaryFolder
  let archive = TestBlob(1, size: 80_000)
  static let times = TransferTimes(now: { .zero }, jitter: { _ in .zero }, skip: { _ in })

  init() throws {
    folder = try TemporaryFolder()
  }

  private var cache: ArchiveCache {
    ArchiveCache(folder: folder.path + "/archives", downloads: .archives(times: Self.times))
  }
  private var names: [String] { (try? FileSystem.names(in: cache.folder)) ?? [] }

  private func content(_ path: String) -> [UInt8]? { (try? Data(contentsOf: URL(filePath: path))).map(Array.init) }

  private func server() throws -> ScriptedServer {
    let bytes = archive.bytes
    return try ScriptedServer { [ScriptedServer.file(bytes, to: $0)] }
  }

  @Test("an archive comes once, under its digest, and is told of from its first to its last byte")
  func once() async throws {
    let server = try server()
    let seen = Mutex<[ArchiveProgress]>([])
    let wanted = [archive.blob(server.url + "/a"), archive.blob(server.url + "/a")]
    for _ in 0..<2 {
      let paths = try await cache.fetch(wanted) { new in seen.withLock { $0.append(new) } }
      #expect(paths == [cache.path(of: archive.sha256), cache.path(of: archive.sha256)])
      #expect(content(paths[0]) == archive.bytes)
    }
    #expect(server.requests.count == 1)
    #expect(names == [archive.sha256])
    let steps = seen.withLock { $0 }
    #expect(steps.first?.step == .receiving)
    #expect(steps.filter { $0.step == .done(isNew: true) }.count == 2)
    #expect(steps.filter { $0.step == .done(isNew: false) }.count == 2)
    #expect(steps.allSatisfy { $0.totalSize == 160_000 && $0.totalReceived <= 160_000 })
    #expect(steps.last?.totalReceived == 160_000)
  }

  @Test("an archive that was damaged in the cache, or is wanted anew, is fetched again")
  func damaged() async throws {
    let server = try server()
    let wanted = [archive.blob(server.url + "/a")]
    let path = try await cache.fetch(wanted)[0]
    try Data(archive.bytes.dropLast() + [archive.bytes.last.map { ~$0 } ?? 0]).write(to: URL(filePath: path))
    #expect(content(try await cache.fetch(wanted)[0]) == archive.bytes)
    #expect(server.requests.count == 2)
    #expect(content(try await cache.fetch(wanted, anew: true)[0]) == archive.bytes)
    #expect(server.requests.count == 3)
    #expect(names == [archive.sha256])
  }

  @Test("what does not come says why, with its identifier, and the others come nevertheless")
  func failures() async throws {
    let other = TestBlob(2, size: 80_000).bytes
    let wrong = try ScriptedServer { _ in [ScriptedServer.answer("200 OK", body: other)] }
    let absent = try ScriptedServer { _ in [ScriptedServer.answer("404 Not Found")] }
    let broken = try ScriptedServer { _ in [ScriptedServer.answer("500 Broken")] }
    let good = TestBlob(3, size: 800)
    let server = try ScriptedServer { _ in [ScriptedServer.answer("200 OK", body: good.bytes)] }
    let cases: [(ScriptedServer, String, Int32)] = [
      (wrong, "archive-digest-mismatch", 77), (absent, "archive-missing", 69), (broken, "archive-not-fetched", 75),
    ]
    for (bad, id, exit) in cases {
      let error = await #expect(throws: ModuleError.self) {
        try await cache.fetch([archive.blob(bad.url + "/a"), good.blob(server.url + "/b")])
      }
      #expect("\(error?.code.id ?? "")" == id)
      #expect(error?.code.exit.rawValue == exit)
      #expect(names == [good.sha256])
    }
    #expect(server.requests.count == 1)
    let named = ModuleBlob(sha256: "../../etc/passwd", size: 1, urls: [], name: "x")
    let error = await #expect(throws: ModuleError.self) { try await cache.fetch([named]) }
    #expect(error?.code == .archiveDigestMalformed)
  }

  @Test("an archive of a folder is linked once its digest is checked, and another one is refused")
  func local() async throws {
    let source = folder.path + "/source.zip"
    try Data(archive.bytes).write(to: URL(filePath: source))
    let path = try await cache.fetch([archive.blob(folder.path + "/none.zip", source)])[0]
    #expect(FileStatus(path)?.identity == FileStatus(source)?.identity)
    #expect(names == [archive.sha256])
    let other = TestBlob(2, size: 80_000)
    let mismatch = await #expect(throws: ModuleError.self) { try await cache.fetch([other.blob(source)]) }
    #expect(mismatch?.code == .archiveDigestMismatch)
    let missing = await #expect(throws: ModuleError.self) { try await cache.fetch([other.blob(source + "x")]) }
    #expect(missing?.code == .archiveMissing)
    #expect(names == [archive.sha256])
  }

  @Test("who waits for another process says for whom, and takes over when that one goes without bringing it")
  func takeOver() async throws {
    let server = try server()
    try Directories.create(cache.folder)
    var lock = try ArchiveLock.take(cache.lockPath(of: archive.sha256))
    #expect(lock != nil)
    #expect(try ArchiveLock.take(cache.lockPath(of: archive.sha256)) == nil)
    let owner = Mutex<Int32?>(nil)
    let (cache, wanted) = (cache, [archive.blob(server.url + "/a")])
    async let paths = cache.fetch(wanted) { event in
      if case .waiting(let pid) = event.step { owner.withLock { $0 = pid } }
    }
    let deadline = ContinuousClock.now + .seconds(900)
    while owner.withLock({ $0 }) == nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(owner.withLock { $0 } == getpid())
    #expect(server.requests.isEmpty)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(content(try await paths[0]) == archive.bytes)
    #expect(names == [archive.sha256])
  }

  @Test("a cancelled wait ends at once")
  func cancelledWait() async throws {
    try Directories.create(cache.folder)
    let lock = try ArchiveLock.take(cache.lockPath(of: archive.sha256))
    let (cache, wanted) = (cache, [archive.blob("http://127.0.0.1:1/a")])
    let task = Task { try await cache.fetch(wanted) }
    try await Task.sleep(for: .milliseconds(20))
    let start = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: ModuleError.self) { try await task.value }
    #expect(error?.code == .archiveFetchCancelled)
    #expect(ContinuousClock.now - start < .seconds(600))
    withExtendedLifetime(lock) {}
  }
}
