/// A conversion of bytes to bytes that takes its input in pieces of any size.
package protocol PinyinByteStream: ~Copyable {
  /// Takes a piece of the input and hands on what is whole with it.
  ///
  /// - Throws: `PinyinError.Code.invalidUTF8`, after what stood before the place was handed on.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void) throws

  /// Hands on the rest and gets ready for another text.
  mutating func finish(_ write: (UnsafeRawBufferPointer) -> Void) throws

  /// Converts a text as one that is whole, and closes it with a line feed.
  mutating func add(_ text: String, _ write: (UnsafeRawBufferPointer) -> Void) throws
}

extension PinyinTextStream: PinyinByteStream {
  package mutating func add(_ text: String, _ write: (UnsafeRawBufferPointer) -> Void) throws {
    var text = text + "\n"
    try text.withUTF8 { try feed(UnsafeRawBufferPointer($0), write) }
    try finish(write)
  }
}

extension PinyinLineStream: PinyinByteStream {}
