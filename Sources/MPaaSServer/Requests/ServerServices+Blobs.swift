import MPaaSDigests
import MPaaSSupport

extension ServerServices {
  /// Blobs that are to be removed.
  var removals: BlobRemovals { BlobRemovals(store, blobs, holds) }

  /// Stores bytes as a blob, which is not removed until the hold is released: then a row names it.
  ///
  /// - Throws: `server-blobs-away`, `FileError`.
  func keep(_ bytes: [UInt8]) async throws -> BlobHold {
    let name = try await disk { bytes.sha256.hexadecimal }
    let hold = try await hold(name)
    do {
      try await blobs.store(bytes, as: name)
    } catch {
      hold.release()
      throw error
    }
    return hold
  }

  /// Holds the name of a blob that is about to be stored, and notes it where its place wants that.
  ///
  /// - Throws: `SQLError`, `server-busy`.
  func hold(_ name: String) async throws -> BlobHold {
    let hold = await holds.hold(name)
    guard blobs.isNotedFirst else { return hold }
    do {
      try await store.write { try BlobRemovals.note([name], in: $0) }
    } catch {
      hold.release()
      throw error
    }
    return hold
  }

  /// Lets go what was kept: rows name it, or it is removed as no row will.
  func release(_ held: [BlobHold], isNamed: Bool) async {
    for hold in held { hold.release() }
    if !isNamed { await removals.forget(held.map(\.name)) }
  }
}
