#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension OpenFile {
  /// Reads at most as many bytes as `target` has room for.
  ///
  /// - Returns: How many came; 0 at the end of the file.
  package func read(_ target: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int {
    while true {
      let count = pread(descriptor, target.baseAddress, target.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last(.read, name) }
    }
  }

  /// Reads from `offset` until `target` is full, the file ends or cannot be read, and says how much came.
  package func fill(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    FileSystem.readAll(descriptor, target, at: offset)
  }

  /// Hands over the bytes of a range in order, piece by piece; a piece is valid only inside `take`.
  ///
  /// - Parameter isWanted: Asked before each piece; what is not wanted is no error.
  /// - Throws: `FileError`; its code is `ioError` where the file ends before the range does.
  package func pass(
    _ range: Range<UInt64>, while isWanted: () -> Bool = { true }, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    var place = range.lowerBound
    try pass(range.lowerBound..., before: range.upperBound, while: isWanted) { piece in
      place += UInt64(piece.count)
      take(piece)
    }
    guard place == range.upperBound || !isWanted() else { throw FileError(.read, name, .ioError) }
  }

  /// Hands over the bytes from a place to the file's end in order, piece by piece; a piece is valid only inside `take`.
  ///
  /// - Parameter buffer: Memory for a piece; its own where there is none.
  package func pass(
    _ range: PartialRangeFrom<UInt64>, through buffer: UnsafeMutableRawBufferPointer? = nil,
    _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    try pass(range, before: .max, through: buffer, while: { true }, take)
  }

  private func pass(
    _ range: PartialRangeFrom<UInt64>, before end: UInt64, through given: UnsafeMutableRawBufferPointer? = nil,
    while isWanted: () -> Bool, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    let buffer = given ?? .allocate(byteCount: 1 << 18, alignment: 16)
    defer { if given == nil { buffer.deallocate() } }
    var place = range.lowerBound
    while place < end, isWanted() {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: end - place)))
      let count = try read(room, at: place)
      if count == 0 { return }
      take(UnsafeRawBufferPointer(rebasing: room[..<count]))
      place += UInt64(count)
    }
  }
}

extension FileSystem {
  /// Reads from `offset` until `target` is full or the file ends, and says how much came.
  package static func readAll(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var done = 0
    while done < target.count {
      let count = pread(descriptor, target.baseAddress.map { $0 + done }, target.count - done, off_t(offset + done))
      if count == 0 || (count < 0 && errno != EINTR) { break }
      if count > 0 { done += count }
    }
    return done
  }
}
