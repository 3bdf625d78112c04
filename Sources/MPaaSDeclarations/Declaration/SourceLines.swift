/// Line and column of offsets that are asked for in rising order, or any.
struct SourceLines {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Line and column from 1; the column counts bytes, as compilers do.
  mutating func position(of target: Int) -> (line: Int, column: Int) {
    if target < offset { (offset, line, lineStart) = (0, 1, 0) }
    while offset < target {
      if bytes[offset] == 0x0a {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
    return (line, target - lineStart + 1)
  }
}
