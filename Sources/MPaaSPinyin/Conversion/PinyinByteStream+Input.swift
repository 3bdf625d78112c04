package import MPaaSSupport

/// Bytes taken at once.
private let pieceSize = 1 << 16

extension PinyinByteStream where Self: ~Copyable {
  /// Converts a whole input that is in memory, a piece after another.
  ///
  /// - Parameter name: The input's name in errors.
  /// - Throws: `PinyinError.Code.invalidUTF8` with the input and the offset in it.
  package mutating func convert(
    _ bytes: Bytes, named name: String, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws {
    do {
      var rest = bytes.buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(pieceSize))
        rest = rest.dropFirst(pieceSize)
        try feed(piece, write)
      }
      try finish(write)
      withExtendedLifetime(bytes) {}
    } catch {
      throw Self.naming(error, name)
    }
  }

  /// Converts an input as it comes: the result of one read is handed on before the next, so that a program which waits
  /// for an answer before it goes on gets it.
  ///
  /// - Parameters:
  ///   - name: The input's name in errors.
  ///   - read: Fills the buffer from its start and gives the number of bytes, 0 at the end.
  /// - Throws: `PinyinError.Code.invalidUTF8` with the input and the offset in it; errors of `read`.
  package mutating func convert(
    named name: String, reading read: (inout [UInt8]) throws -> Int, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws {
    do {
      var buffer = [UInt8](repeating: 0, count: pieceSize)
      while case let count = try read(&buffer), count > 0 {
        try buffer.withUnsafeBytes { try feed(UnsafeRawBufferPointer(rebasing: $0[..<count]), write) }
      }
      try finish(write)
    } catch {
      throw Self.naming(error, name)
    }
  }

  /// The error with the input in it, where it is about bytes that are no UTF-8.
  private static func naming(_ error: any Error, _ name: String) -> any Error {
    guard let error = error as? PinyinError, error.code == .invalidUTF8,
      let offset = error.values["offset"].flatMap(UInt64.init)
    else { return error }
    return PinyinError(error.code, error.values, at: .bytes(file: name, offset: offset))
  }
}
