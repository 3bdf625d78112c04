import MPaaSDatabase
import MPaaSSupport

/// The table of blobs that no row names any more, and that are to be removed.
enum BlobRemovalTables {
  static let first = """
    CREATE TABLE blob_removals (
      blob TEXT PRIMARY KEY
    ) STRICT;
    """
}

/// Removes blobs that no row names: noted in the transaction that removes the last row, and before they are stored in a
/// bucket, so that one whose place is away meanwhile, or whose server is killed, goes later.
struct BlobRemovals: Sendable {
  private static let batch = 200
  private static let atOnce = 16

  private let store: ServerStore
  private let blobs: any BlobStore
  private let holds: BlobHolds
  private let session: ServerSession?

  init(_ store: ServerStore, _ blobs: any BlobStore, _ holds: BlobHolds, _ session: ServerSession?) {
    (self.store, self.blobs, self.holds, self.session) = (store, blobs, holds, session)
  }

  /// Notes those of the blobs that no row names.
  static func note(_ blobs: some Sequence<String>, in database: any SQLDatabase) throws {
    for blob in blobs where BlobFolder.isName(blob) {
      guard try !BlobFolder.isNamed(blob, in: database) else { continue }
      try database.run("INSERT INTO blob_removals (blob) VALUES (?) ON CONFLICT (blob) DO NOTHING", [.text(blob)])
    }
  }

  /// Removes what is noted, but for what is being stored; of several servers one does so.
  ///
  /// - Throws: `server-blobs-away`, `FileError`, `SQLError`; what is left stays noted.
  func run() async throws {
    if let session, await !session.does(.removals) { return }
    var last = ""
    while true {
      let after = last
      let names = try await store.read { database in
        try database.rows(
          "SELECT blob FROM blob_removals WHERE blob > ? ORDER BY blob LIMIT \(Self.batch)", [.text(after)]
        ) { $0.text(0) }
      }
      guard let end = names.last else { return }
      last = end
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, name) in names.enumerated() {
          if place >= Self.atOnce { _ = try await group.next() }
          group.addTask { try await remove(name) }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Removes blobs whose rows did not come to be, unless others name them; what fails is left for later.
  func forget(_ names: [String]) async {
    guard !names.isEmpty, (try? await store.write { try Self.note(names, in: $0) }) != nil else { return }
    try? await run()
  }

  private func remove(_ name: String) async throws {
    try await holds.removing(name) {
      if let session {
        let server = session.number
        guard try await begin(name, server) else { return }
        do {
          try await blobs.remove(name)
        } catch {
          // It stays noted, and may be stored again meanwhile.
          try? await store.write { database in
            try database.run(
              "UPDATE blob_removals SET remover = NULL WHERE blob = ? AND remover = ?", [.text(name), .integer(server)])
          }
          throw error
        }
      } else {
        // It may have come again since it was noted.
        let isNamed = try await store.read { try BlobFolder.isNamed(name, in: $0) }
        if !isNamed { try await blobs.remove(name) }
      }
      try await store.write { try $0.run("DELETE FROM blob_removals WHERE blob = ?", [.text(name)]) }
    }
  }
}

/// Several servers: the database has who is storing a blob, and who is removing it.
extension BlobRemovals {
  /// The time for which what a server that is gone was removing is left alone: a request of it may still be on its way.
  private static let grace = Duration.seconds(60)
  /// Tries to hold a blob that is being removed, and the time between two.
  private static let mostTries = 100
  private static let pause = Duration.milliseconds(100)

  /// Notes a blob that is about to be stored, and that this server does so; waits while another one removes it.
  ///
  /// - Throws: `server-busy` where that takes long, `SQLError`.
  func hold(_ name: String) async throws {
    let server = session?.number
    for _ in 0..<Self.mostTries {
      let isFree = try await store.write { database in
        if let server, try !Self.hold(name, server, in: database) { return false }
        try Self.note([name], in: database)
        return true
      }
      if isFree { return }
      try await Task.sleep(for: Self.pause)
    }
    throw ServerError(.busy)
  }

  /// Keeps that a server is storing a blob; false where one is removing it.
  private static func hold(_ name: String, _ server: Int64, in database: any SQLDatabase) throws -> Bool {
    let sql = "SELECT 1 FROM blob_removals WHERE blob = ? AND remover IS NOT NULL"
    guard try database.row(sql, [.text(name)], { _ in true }) == nil else { return false }
    try database.run(
      "INSERT INTO blob_holds (blob, server) VALUES (?, ?) ON CONFLICT (blob, server) DO NOTHING",
      [.text(name), .integer(server)])
    return true
  }

  /// Tells the other servers what this one has stored, or will not store.
  func tellReleased() async {
    guard let server = session?.number else { return }
    let names = holds.takeReleased()
    guard !names.isEmpty else { return }
    let holds = holds
    do {
      try await store.write { database in
        // One that is held again was noted before this change, or will be behind it.
        for name in names.sorted() where !holds.isHeld(name) {
          try database.run(
            "DELETE FROM blob_holds WHERE blob = ? AND server = ?", [.text(name), .integer(server)])
        }
      }
    } catch {
      holds.giveBack(names)
    }
  }

  /// Begins to remove a blob that no row names and no server is storing; false where it stays.
  private func begin(_ name: String, _ server: Int64) async throws -> Bool {
    let remover = try await store.read { database in
      try database.row("SELECT remover FROM blob_removals WHERE blob = ?", [.text(name)]) { $0.optionalInteger(0) }
    }
    guard let remover else { return false }
    if let remover, remover != server, !holds.isOld(name, remover, Self.grace) { return false }
    return try await store.write { database in
      if try BlobFolder.isNamed(name, in: database) {
        try database.run("DELETE FROM blob_removals WHERE blob = ?", [.text(name)])
        return false
      }
      // Holds of this server are known in memory: its name would not be free.
      let isHeld = try database.row(
        "SELECT 1 FROM blob_holds h JOIN servers s ON s.number = h.server WHERE h.blob = ? AND h.server <> ? LIMIT 1",
        [.text(name), .integer(server)]
      ) { _ in true }
      if isHeld == true { return false }
      try database.run("UPDATE blob_removals SET remover = ? WHERE blob = ?", [.integer(server), .text(name)])
      return database.changes > 0
    }
  }
}
