import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Backups of a console") struct BackupTests {
  private static func configuration(_ folder: TemporaryFolder, _ name: String) -> ServerConfiguration {
    ServerConfiguration(data: "\(folder.path)/\(name)", listen: "127.0.0.1:0")
  }

  private static func backup(_ server: TestServer) throws -> String {
    let file = server.folder.path + "/console.tar.zst"
    let backup = ServerBackup(configuration(server.folder, "data"), known: Schema.steps.count)
    _ = try backup.write(to: file, at: 1_790_000_000)
    return file
  }

  @Test("are made while the server runs, and restored to a folder that another goes on with", .inFile, .inFolder)
  func roundTrip() async throws {
    let server = try await TestServer()
    for number in 0..<20 {
      try await server.send(error: "E\(number % 3)", user: "u\(number)", more: ["extra": ["n": "\(number)"]])
    }
    #expect(try await server.put(Array("a log".utf8), metadata: ["kind": "log", "filename": "a.log"]) == 204)
    let file = try Self.backup(server)
    try await server.send(error: "Later")
    let restoration = ServerRestoration(Self.configuration(server.folder, "again"), known: Schema.steps.count)
    let report = try restoration.restore(file)
    #expect(report.blobs == 1 && report.schema == Schema.steps.count)
    let places = try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/again").sorted()
    #expect(places == ["blobs", "lock", "mpaas.sqlite", "name"])
    let again = try await ServerRun(Self.configuration(server.folder, "again"))
    let counts = try await again.services.store.read { database in
      try ["crashes", "uploads", "crash_groups", "tokens"].map { table in
        try database.row("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0
      }
    }
    #expect(counts == [20, 1, 3, 1])
    #expect(try await again.services.access.grant(for: server.token) != nil)
    let blob = try await again.services.store.read { try $0.row("SELECT blob FROM uploads") { $0.text(0) } }
    #expect(try await again.services.blobs.bytes(of: blob ?? "") == Array("a log".utf8))
    await again.end()
    await server.end()
  }

  @Test("hold what was answered before, whatever comes and goes meanwhile", .inFile, .inFolder)
  func busy() async throws {
    let server = try await TestServer()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<40 {
            let bytes = Array("log \(sender) \(number)".utf8)
            #expect(try await server.put(bytes, metadata: ["kind": "log", "user": "u\(sender)"]) == 204)
            if number % 8 == 7 { _ = try await server.send("DELETE", "\(ConsolePaths.users)/u\(sender)/data") }
          }
        }
      }
      group.addTask {
        for number in 0..<5 {
          let file = try Self.backup(server)
          let name = "copy\(number)"
          let copy = ServerRestoration(Self.configuration(server.folder, name), known: Schema.steps.count)
          _ = try copy.restore(file)
          let folder = "\(server.folder.path)/\(name)"
          let database = try DatabaseAddress.sqlite(path: folder + "/mpaas.sqlite").open(.readOnly)
          let blobs = try database.rows("SELECT blob FROM uploads WHERE blob IS NOT NULL") { $0.text(0) }
          let lost = try blobs.filter { try BlobFolder(folder + "/blobs").size(of: $0) == nil }
          #expect(lost.isEmpty, "\(lost.count) of \(blobs.count)")
        }
      }
      try await group.waitForAll()
    }
    await server.end()
  }

  @Test(
    "are refused where they were cut, changed, or are of a newer release; then nothing is there", .inFile, .inFolder)
  func refused() async throws {
    let server = try await TestServer()
    #expect(try await server.put(Array("a log".utf8), metadata: ["kind": "log"]) == 204)
    let file = try Self.backup(server)
    await server.end()
    let target = Self.configuration(server.folder, "target")
    func code(_ bytes: Data, known: Int = Schema.steps.count) throws -> String {
      let changed = server.folder.path + "/changed.tar.zst"
      try bytes.write(to: URL(filePath: changed))
      do {
        _ = try ServerRestoration(target, known: known).restore(changed)
      } catch {
        #expect(FileStatus(target.data + "/mpaas.sqlite") == nil && FileStatus(target.data + "/blobs") == nil)
        #expect(FileStatus(target.data + "/restore") == nil)
        return (error as? ServerError)?.code.id.name ?? "\(error)"
      }
      return "none"
    }
    let whole = try Data(contentsOf: URL(filePath: file))
    #expect(try code(whole, known: Schema.steps.count - 1) == "server-schema-newer")
    for size in [0, 10, whole.count / 2, whole.count - 20] {
      #expect(try code(whole.prefix(size)) == "backup-malformed", "\(size)")
    }
    var flipped = whole
    flipped[whole.count / 2] ^= 0x10
    #expect(try code(flipped) == "backup-malformed")
    #expect(try code(Data("not a backup".utf8)) == "backup-malformed")
    #expect(ServerError.Code.schemaNewer.exit == .badConfiguration)
    #expect(try code(whole) == "none")
    // There is a console now.
    do {
      _ = try ServerRestoration(target, known: Schema.steps.count).restore(file)
      Issue.record("it was restored over another")
    } catch {
      #expect((error as? ServerError)?.code == .restoreTaken)
    }
  }

  @Test("do not begin with members that lead elsewhere")
  func names() {
    #expect(BackupMember.blob("blobs/../" + String(repeating: "a", count: 62)) == nil)
    #expect(BackupMember.blob("/etc/passwd") == nil)
    #expect(BackupMember.blob("blobs/ab/" + String(repeating: "c", count: 61)) == nil)
    #expect(
      BackupMember.blob("blobs/ab/" + String(repeating: "c", count: 62)) == "ab" + String(repeating: "c", count: 62))
  }

  @Test("have a server refuse to start over a newer schema, which it does not change", .inFile, .inFolder)
  func newer() async throws {
    let server = try await TestServer()
    await server.end()
    let path = server.folder.path + "/data/mpaas.sqlite"
    try DatabaseAddress.sqlite(path: path).open().run("PRAGMA user_version = 9999")
    do {
      _ = try await TestServer(in: server.folder)
      Issue.record("it started")
    } catch {
      #expect((error as? ServerError)?.code == .schemaNewer, "\(error)")
    }
    #expect(try DatabaseAddress.sqlite(path: path).open(.readOnly).row("PRAGMA user_version") { $0.integer(0) } == 9999)
  }
}
