import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("The server's store") struct ServerStoreTests {
  private static let table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;"

  private func store(_ folder: TemporaryFolder, limit: Int = 10_000) throws -> ServerStore {
    try ServerStore(folder.path + "/store.sqlite", steps: [Self.table], limit: limit)
  }

  @Test("keeps what many write at once, and readers see what was answered")
  func group() async throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
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

  @Test("takes back a change that throws, and nothing of its neighbours in the same transaction")
  func savepoints() async throws {
    struct Trouble: Error {}
    let folder = try TemporaryFolder()
    let store = try store(folder)
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

  @Test("refuses a change where too many wait, and says so")
  func busy() async throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, limit: 1)
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

  @Test("find each other again where the folder's name was lost with the database in the folder")
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
