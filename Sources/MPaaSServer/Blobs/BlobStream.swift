import Hummingbird
import MPaaSSupport
import NIOCore

/// A file on its way to a client, a piece at a time: none is read before there is room for it.
///
/// The framework's own stream reads ahead by megabytes for each client, whether the client reads or not.
final class BlobStream: Sendable {
  private static let piece = 64 << 10

  private let file: OpenFile

  /// - Throws: `FileError`.
  init(_ path: String) throws(FileError) {
    do throws(FileError) {
      file = try OpenFile(path, followsLinks: false)
    } catch {
      throw FileError(.read, path, error.code)
    }
  }

  /// The bytes of a range as the body of an answer.
  ///
  /// - Parameter turns: Of those who read and write a piece at once.
  func body(_ range: Range<Int64>, _ disk: DiskWork, _ turns: Turns, to channel: any Channel) -> ResponseBody {
    ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { writer in
      var place = range.lowerBound
      while place < range.upperBound {
        // Nothing at all waits for room too, and a slow reader keeps no turn.
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
    let taken = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
      try file.read(UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count)), at: UInt64(place))
    }
    // A file that has become shorter cannot be told any more: the connection ends before the announced length.
    guard taken > 0 else { throw FileError(.read, file.path, .ioError) }
    return buffer
  }
}
