import Dispatch
import MPaaSDigests
import MPaaSLock
import MPaaSSupport

/// The SHA-256 of a file, computed from what passes by while it is sent.
///
/// The bytes are copied and hashed on a thread of its own, so that sending does not wait for it: a few pieces at most
/// are on their way.
final class FileDigest: Sendable {
  /// Pieces that are copied and not yet hashed.
  private static let mostPieces = 4

  /// Bytes that were taken.
  private let taken = Lock<UInt64>(0)
  /// Pieces that were hashed, to be filled again.
  private let idle = Lock<[Piece]>([])
  private let hashing = Hashing()
  private let queue = DispatchQueue(label: "mpaas.transfer.digest")
  private let slots = DispatchSemaphore(value: mostPieces)

  /// Takes bytes that stand at `offset`; what came before is passed over, and what leaves a gap too.
  func take(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    taken.withLock { position in
      guard offset <= position, offset + UInt64(bytes.count) > position else { return }
      let fresh = UnsafeRawBufferPointer(rebasing: bytes[Int(position - offset)...])
      position += UInt64(fresh.count)
      // Under the lock, so that pieces stand in the queue as they stand in the file.
      slots.wait()
      let used = idle.withLock { $0.popLast() }
      let piece = used.flatMap { $0.room.count >= fresh.count ? $0 : nil } ?? Piece(fresh.count)
      piece.fill(fresh)
      queue.async { [self, hashing, slots] in
        hashing.hash.update(piece.bytes)
        idle.withLock { $0.append(piece) }
        slots.signal()
      }
    }
  }

  /// Reads the file from where it is up to `end`; nothing where that is done.
  func advance(_ path: String, to end: UInt64, isCancelled: () -> Bool = { false }) throws(FileError) {
    var position = position
    guard position < end else { return }
    try OpenFile(path).pass(position..<end, while: { !isCancelled() }) { piece in
      take(piece, at: position)
      position += UInt64(piece.count)
    }
  }

  /// Bytes that are in it.
  var position: UInt64 { taken.withLock { $0 } }

  /// The digest of what is in it.
  var bytes: [UInt8] { queue.sync { hashing.hash.value } }
  var hexadecimal: String { bytes.hexadecimal }

  /// The digest of a whole file.
  static func of(_ path: String, isCancelled: () -> Bool = { false }) throws(FileError) -> FileDigest {
    let digest = FileDigest()
    try digest.advance(path, to: FileMark(path)?.size ?? 0, isCancelled: isCancelled)
    return digest
  }
}

/// Touched on the digest's queue only; hence no other protection.
private final class Hashing: @unchecked Sendable {
  var hash = RunningDigest()
}

/// Memory for bytes on their way to be hashed: in one hand at a time, first that of who fills it, then the queue's.
private final class Piece: @unchecked Sendable {
  let room: UnsafeMutableRawBufferPointer
  private var count = 0

  init(_ count: Int) {
    room = .allocate(byteCount: count, alignment: 64)
  }

  deinit { room.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

  func fill(_ bytes: UnsafeRawBufferPointer) {
    room.copyMemory(from: bytes)
    count = bytes.count
  }
}
