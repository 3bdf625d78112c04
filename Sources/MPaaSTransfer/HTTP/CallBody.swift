import MPaaSSupport

/// The body of a call on its way out: pieces of memory and of files, read as they are sent.
final class CallBody {
  private let pieces: [HTTPCall.Piece]
  private let passing: ((UnsafeRawBufferPointer) -> Void)?
  private var files: [String: SharedFile] = [:]
  /// The position in all of the body where this piece goes on.
  private var position: UInt64 = 0
  /// The most that was given: what goes out again does not pass again.
  private var mark: UInt64 = 0
  private(set) var failure: FileError?
  let size: UInt64

  init(_ pieces: [HTTPCall.Piece], passing: ((UnsafeRawBufferPointer) -> Void)?) throws(FileError) {
    self.pieces = pieces
    self.passing = passing
    size = pieces.reduce(0) { $0 &+ $1.size }
    for case .file(let path, _, _) in pieces where files[path] == nil {
      files[path] = SharedFile(try OpenFile(path))
    }
  }

  /// Copies the next bytes; 0 at the end, and where `failure` says why.
  func give(into target: UnsafeMutableRawBufferPointer) -> Int {
    var start: UInt64 = 0
    for piece in pieces {
      let inside = position - start
      guard inside < piece.size else {
        start += piece.size
        continue
      }
      let count = Int(min(UInt64(target.count), piece.size - inside))
      return give(piece, from: inside, UnsafeMutableRawBufferPointer(rebasing: target[..<count]))
    }
    return 0
  }

  func rewind(to offset: UInt64) -> Bool {
    guard offset <= size else { return false }
    position = offset
    return true
  }

  private func give(_ piece: HTTPCall.Piece, from inside: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    switch piece {
    case .bytes(let bytes):
      let start = Int(inside)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.buffer[start..<start + target.count]))
      move(by: target.count)
      return target.count
    case .file(let path, let offset, _):
      let count = read(path, at: offset &+ inside, target)
      if count > 0 {
        pass(UnsafeRawBufferPointer(rebasing: target[..<count]))
        move(by: count)
      }
      return count
    }
  }

  private func read(_ path: String, at offset: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    guard let source = files[path], Int64(exactly: offset) != nil else { return 0 }
    do throws(FileError) {
      let count = try source.file.read(target, at: offset)
      // A file that became shorter meanwhile.
      if count == 0 { failure = FileError(.read, path, .ioError) }
      return count
    } catch {
      failure = error
      return 0
    }
  }

  private func pass(_ bytes: UnsafeRawBufferPointer) {
    guard let passing, position + UInt64(bytes.count) > mark else { return }
    let known = mark > position ? Int(mark - position) : 0
    passing(UnsafeRawBufferPointer(rebasing: bytes[known...]))
  }

  private func move(by count: Int) {
    position += UInt64(count)
    mark = max(mark, position)
  }
}
