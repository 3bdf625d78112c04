package import Hummingbird
import MPaaSObjectStore
import MPaaSSupport
import MPaaSTransfer
package import NIOCore

/// Blobs as objects of a bucket, `ab/cdef…` below its prefix, as in a folder.
///
/// A request that waits for the bucket has a thread of its own, and there are few at once.
package struct S3Blobs: BlobStore {
  /// Bytes of one request of a body that is read in pieces.
  private static let piece: Int64 = 1 << 20
  /// Bytes of a blob that is taken into memory as a whole: of a report, or what came with it.
  private static let largestRead = 1 << 30
  /// Below that, one more PUT costs less than asking first.
  private static let leastAsked = 256 << 10

  let store: S3Store
  package let isNotedFirst = true
  private let turns = Turns(32)

  init(_ store: S3Store) { self.store = store }

  /// The name of a blob's object.
  private static func name(_ sha256: String) -> String { "\(sha256.prefix(2))/\(sha256.dropFirst(2))" }

  package func store(_ bytes: [UInt8], as sha256: String) async throws {
    try await request { store throws(S3Error) in
      let name = Self.name(sha256)
      if bytes.count >= Self.leastAsked, try store.size(of: name) == Int64(bytes.count) { return }
      try store.put(name, .bytes(Bytes(bytes)), sha256: sha256)
    }
  }

  package func store(file: String, as sha256: String, size: Int64) async throws {
    try await request { store throws(S3Error) in
      let name = Self.name(sha256)
      if size >= Self.leastAsked, try store.size(of: name) == size { return }
      try store.put(name, file: file, sha256: sha256, size: size)
    }
  }

  package func size(of sha256: String) async throws -> Int64? {
    guard BlobFolder.isName(sha256) else { return nil }
    return try await request { store throws(S3Error) in try store.size(of: Self.name(sha256)) }
  }

  package func bytes(of sha256: String) async throws -> [UInt8]? {
    guard BlobFolder.isName(sha256) else { return nil }
    return try await request { store throws(S3Error) in
      try store.bytes(of: Self.name(sha256), limit: Self.largestRead)
    }
  }

  package func bytes(of sha256: String, _ range: Range<Int64>) async throws -> [UInt8] {
    guard BlobFolder.isName(sha256) else { return [] }
    return try await request { store throws(S3Error) in
      try store.bytes(of: Self.name(sha256), range, limit: range.count) ?? []
    }
  }

  package func body(
    of sha256: String, _ range: Range<Int64>, _ turns: Turns, to channel: any Channel
  ) async throws -> ResponseBody {
    ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { writer in
      var place = range.lowerBound
      while place < range.upperBound {
        // Nothing at all waits for room too, and a slow reader keeps no turn.
        if !channel.isWritable { try await writer.write(ByteBuffer()) }
        let part = place..<min(place + Self.piece, range.upperBound)
        try await turns {
          // One that is gone cannot be told any more: the connection ends before the announced length.
          let piece = try await bytes(of: sha256, part)
          guard !piece.isEmpty else { throw ServerError(.notFound) }
          try await writer.write(ByteBuffer(bytes: piece))
          try await channel.eventLoop.submit {}.get()
        }
        place = part.upperBound
      }
      try await writer.finish(nil)
    }
  }

  package func remove(_ sha256: String) async throws {
    guard BlobFolder.isName(sha256) else { return }
    try await request { store throws(S3Error) in try store.remove(Self.name(sha256)) }
  }

  package func check() async throws {
    _ = try await request { store throws(S3Error) in try store.bytes(of: BlobOwner.name, limit: BlobOwner.limit) }
  }

  package func usedBytes() async throws -> Int64? { nil }

  /// Does what waits for the bucket on a thread of its own.
  ///
  /// - Throws: `server-blobs-away`: a client can do nothing about any fault but try again.
  private func request<Value: Sendable>(
    _ body: @escaping @Sendable (S3Store) throws(S3Error) -> Value
  ) async throws -> Value {
    let store = store
    let result: Result<Value, S3Error> = await turns {
      await withCheckedContinuation { continuation in
        DetachedThread.run {
          do throws(S3Error) {
            continuation.resume(returning: .success(try body(store)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    }
    do { return try result.get() } catch { throw ServerError(.blobsAway, ["reason": error.reason]) }
  }
}
