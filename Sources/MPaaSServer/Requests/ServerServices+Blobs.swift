import MPaaSDigests
import MPaaSSupport

extension ServerServices {
  /// Blobs that are to be removed.
  var removals: BlobRemovals { BlobRemovals(store, blobs, holds, session) }

  /// Tells whether this server is to do a work of the console in the background.
  func does(_ work: SharedWork) async -> Bool { await session?.does(work) ?? true }

  /// Has all servers forget what they remember of issues, since rows of theirs were removed.
  func forgetIssues() async {
    issues.forget()
    missing.forget()
    guard session != nil else { return }
    try? await store.write { try SharedEdition.issues.grow(in: $0) }
  }

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
    let hold = await holds.hold(name, isTold: session != nil)
    guard blobs.isNotedFirst else { return hold }
    do {
      try await removals.hold(name)
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
