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

  init(_ store: ServerStore, _ blobs: any BlobStore, _ holds: BlobHolds) {
    (self.store, self.blobs, self.holds) = (store, blobs, holds)
  }

  /// Notes those of the blobs that no row names.
  static func note(_ blobs: some Sequence<String>, in database: any SQLDatabase) throws {
    for blob in blobs where BlobFolder.isName(blob) {
      guard try !BlobFolder.isNamed(blob, in: database) else { continue }
      try database.run("INSERT INTO blob_removals VALUES (?) ON CONFLICT (blob) DO NOTHING", [.text(blob)])
    }
  }

  /// Removes what is noted, but for what is being stored.
  ///
  /// - Throws: `server-blobs-away`, `FileError`, `SQLError`; what is left stays noted.
  func run() async throws {
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
      // It may have come again since it was noted.
      let isNamed = try await store.read { try BlobFolder.isNamed(name, in: $0) }
      if !isNamed { try await blobs.remove(name) }
      try await store.write { try $0.run("DELETE FROM blob_removals WHERE blob = ?", [.text(name)]) }
    }
  }
}
