import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("The server's store") struct ServerStoreTests {
  private static let table = "CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT;"

  private func store(_ place: Engine.Place, limit: Int = 10_000) throws -> ServerStore {
    try ServerStore(place.text, steps: [Self.table], limit: limit)
  }

  @Test("keeps what many write at once, and readers see what was answered", arguments: Engine.installed)
  func group(engine: Engine) async throws {
    let place = try Engine.Place(engine)
    let store = try store(place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          try await store.write { try $0.run("INSERT INTO notes (text) VALUES (?)", [.text("\(number)")]) }
          let seen = try await store.read {
            try $0.row("SELECT 1 FROM notes WHERE text = ?", [.text("\(number)")]) { _ in true } ?? false
          }
          #expect(seen)
        }
      }
      try await group.waitForAll()
    }
    let count = try await store.read { try $0.row("SELECT count(*) FROM notes") { $0.integer(0) } }
    #expect(count == 300)
  }

  @Test(
    "takes back a change that throws, and nothing of its neighbours in the same transaction",
    arguments: Engine.installed)
  func savepoints(engine: Engine) async throws {
    struct Trouble: Error {}
    let place = try Engine.Place(engine)
    let store = try store(place)
    let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            try await store.write { database in
              try database.run("INSERT INTO notes (text) VALUES (?)", [.text("\(number)")])
              if number % 3 == 0 { throw Trouble() }
              // A rule of the table, broken in the middle of a group.
              if number % 3 == 1 { try database.run("INSERT INTO notes (text) VALUES (?)", [.text("\(number)")]) }
            }
            return (number, true)
          } catch {
            return (number, false)
          }
        }
      }
      return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
    }
    for (number, isDone) in outcomes { #expect(isDone == (number % 3 == 2)) }
    let kept = try await store.read { try $0.rows("SELECT text FROM notes") { Int($0.text(0)) ?? -1 } }
    #expect(Set(kept) == Set((0..<60).filter { $0 % 3 == 2 }))
  }

  @Test("refuses a change where too many wait, and says so", arguments: Engine.installed)
  func busy(engine: Engine) async throws {
    let place = try Engine.Place(engine)
    let store = try store(place, limit: 1)
    let gate = DispatchSemaphore(value: 0)
    let inside = DispatchSemaphore(value: 0)
    let first = Task {
      try await store.write { _ in
        inside.signal()
        gate.wait()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        inside.wait()
        continuation.resume()
      }
    }
    let second = Task { try await store.write { try $0.run("INSERT INTO notes (text) VALUES ('second')") } }
    while store.backlog == 0 { await Task.yield() }
    await #expect(throws: ServerError(.busy)) { try await store.write { _ in } }
    gate.signal()
    try await first.value
    try await second.value
    let count = try await store.read { try $0.row("SELECT count(*) FROM notes") { $0.integer(0) } }
    #expect(count == 1)
  }

  @Test("does a change again whose transaction was in the way of another one", arguments: Engine.installed)
  func contention(engine: Engine) async throws {
    let place = try Engine.Place(engine)
    let store = try store(place)
    let tries = Atomic<Int>(0)
    async let other: Void = store.write { try $0.run("INSERT INTO notes (text) VALUES ('other')") }
    let value = try await store.write { database -> Int in
      try database.run("INSERT INTO notes (text) VALUES ('one')")
      let count = tries.add(1, ordering: .relaxed).newValue
      if count < 3 { throw SQLError(.contention, ["file": "", "reason": "40001"]) }
      return count
    }
    try await other
    #expect(value == 3)
    let kept = try await store.read { try $0.rows("SELECT text FROM notes ORDER BY text") { $0.text(0) } }
    #expect(kept == ["one", "other"])
  }

  @Test("says that its server is away, loses nothing that was answered, and goes on once it is back", .postgres)
  func away() async throws {
    let server = try PostgresServer()
    let store = try ServerStore(try server.database(), steps: [Self.table])
    var kept: [String] = []
    for round in 0..<3 {
      let name = "before \(round)"
      try await store.write { try $0.run("INSERT INTO notes (text) VALUES (?)", [.text(name)]) }
      kept.append(name)
      server.stop()
      for _ in 0..<2 {
        await #expect { try await store.write { try $0.run("INSERT INTO notes (text) VALUES ('lost')") } } throws: {
          ($0 as? SQLError)?.code == .unavailable
        }
        await #expect { try await store.checkServer() } throws: { ($0 as? SQLError)?.code == .unavailable }
      }
      try server.start()
      while (try? await store.checkServer()) == nil { try await Task.sleep(for: .milliseconds(50)) }
      let again = "after \(round)"
      while true {
        do {
          try await store.write { try $0.run("INSERT INTO notes (text) VALUES (?)", [.text(again)]) }
          break
        } catch { try await Task.sleep(for: .milliseconds(50)) }
      }
      kept.append(again)
    }
    let found = try await store.read { try $0.rows("SELECT text FROM notes ORDER BY text") { $0.text(0) } }
    #expect(found == kept.sorted())
    server.stop()
  }

  @Test("waits at its start for a server that is not there yet, and not for ever", .postgres)
  func patience() async throws {
    let server = try PostgresServer()
    let address = try server.database()
    server.stop()
    let error = #expect(throws: SQLError.self) { _ = try ServerStore(address, steps: [Self.table], patience: 0.3) }
    #expect(error?.code == .unavailable && error?.code.exit.rawValue == 69)
    async let started: Void = TestConnection.elsewhere { try server.start() }
    _ = try await TestConnection.elsewhere { try ServerStore(address, steps: [Self.table], patience: 60) }
    try await started
    server.stop()
  }
}

@Suite("The folder of blobs") struct BlobFolderTests {
  @Test("keeps bytes under their SHA-256 once, and takes no name that leads elsewhere")
  func store() throws {
    let folder = try TemporaryFolder()
    let blobs = try BlobFolder(folder.path + "/blobs")
    let first = try blobs.store(Array("abc".utf8))
    #expect(first.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(!first.isKnown)
    #expect(try blobs.store(Array("abc".utf8)).isKnown)
    #expect(try blobs.bytes(of: first.sha256) == Array("abc".utf8))
    #expect(blobs.size(of: first.sha256) == 3)
    #expect(blobs.size(of: "../../etc/passwd") == nil)
    try blobs.remove(first.sha256)
    #expect(blobs.size(of: first.sha256) == nil)
  }
}

@Suite("A folder of blobs on another file system") struct OtherFileSystemTests {
  private static let memory = "/dev/shm"

  @Test(
    "takes a copy of a file that it cannot give a second name to",
    .enabled(
      if: FileManager.default.isWritableFile(atPath: memory), "there is no other file system to write to"))
  func copy() throws {
    let folder = try TemporaryFolder()
    let place = "\(Self.memory)/mpaas-\(UInt64.random(in: 0...(.max)))"
    defer { try? FileManager.default.removeItem(atPath: place) }
    let blobs = try BlobFolder(place)
    let bytes = Sample.bytes(700_000)
    let (name, file) = (Sample.sha256(bytes).hexadecimal, folder.path + "/file")
    try Data(bytes).write(to: URL(filePath: file))
    #expect(try !blobs.link(file, sha256: name, size: Int64(bytes.count)).isKnown)
    #expect(try blobs.bytes(of: name) == bytes)
    #expect(FileManager.default.fileExists(atPath: file))
  }
}

@Suite("A database and its data folder") struct DataFolderNameTests {
  @Test("belong together: another folder cannot have it, at the same time or later")
  func taken() async throws {
    let folder = try TemporaryFolder()
    let shared = folder.path + "/shared.sqlite"
    let first = try await TestServer(in: folder) { $0.database = shared }
    func second() async throws { _ = try await TestServer { $0.database = shared } }
    await #expect { try await second() } throws: { ($0 as? ServerError)?.code == .databaseTaken }
    await first.end()
    await #expect { try await second() } throws: { ($0 as? ServerError)?.code == .databaseTaken }
    let again = try await TestServer(in: folder) { $0.database = shared }
    await again.end()
  }

  @Test("find each other again where the folder's name was lost with the database in the folder", .inFile)
  func lost() async throws {
    let folder = try TemporaryFolder()
    let first = try await TestServer(in: folder)
    await first.end()
    try FileManager.default.removeItem(atPath: folder.path + "/data/name")
    let again = try await TestServer(in: folder)
    await again.end()
    #expect(FileManager.default.fileExists(atPath: folder.path + "/data/name"))
  }
}
