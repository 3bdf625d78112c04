import Hummingbird
import MPaaSSupport
import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file on its way to a client, a piece at a time: none is read before there is room for it.
///
/// What the framework has for this reads ahead by megabytes for each client, whether it reads or not.
final class BlobStream: Sendable {
  private static let piece = 64 << 10

  private let path: String
  private let descriptor: Int32

  /// - Throws: `FileError`.
  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileError.last(.read, path) }
  }

  deinit { close(descriptor) }

  /// The bytes of a range as the body of an answer.
  ///
  /// - Parameter turns: Of those who read and write a piece at once.
  func body(_ range: Range<Int64>, _ disk: DiskWork, _ turns: Turns, to channel: any Channel) -> ResponseBody {
    ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { writer in
      var place = range.lowerBound
      while place < range.upperBound {
        // Nothing at all waits for room too, and nobody who reads slowly keeps a turn.
        if !channel.isWritable { try await writer.write(ByteBuffer()) }
        let (start, count) = (place, Int(min(Int64(Self.piece), range.upperBound - place)))
        place += try await turns {
          let piece = try await disk { try self.read(count, at: start) }
          try await writer.write(piece)
          // A piece counts as written once it is handed over; only the loop that writes knows whether there is room for
          // another one.
          try await channel.eventLoop.submit {}.get()
          return Int64(piece.readableBytes)
        }
      }
      try await writer.finish(nil)
    }
  }

  /// Some bytes at a place, at least one.
  private func read(_ count: Int, at place: Int64) throws -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    let taken = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
      var taken = -1
      repeat { taken = pread(descriptor, memory.baseAddress, count, off_t(place)) } while taken < 0 && errno == EINTR
      return max(taken, 0)
    }
    // A file that has become shorter cannot be told any more: the connection ends before the announced length.
    guard taken > 0 else { throw FileError.last(.read, path) }
    return buffer
  }
}
