/// The text of a Lua file: its bytes, and where its lines begin.
package struct LuaSource: Sendable {
  /// The most bytes that a file of a patch has.
  package static let largest = 1 << 20

  /// The name that findings tell: a path.
  package let name: String
  /// Its path inside the patch, by which other files require it: `shop/prices.lua` is the module `shop.prices`.
  package let path: String
  package let bytes: [UInt8]
  /// The offset of each line's first byte.
  ///
  /// A line ends with `\n`, `\r`, `\r\n` or `\n\r`, as Lua's lexer has it.
  package let lines: [Int]
  /// The number of characters before each block of bytes, so that places on long lines are found quickly.
  private let characters: [Int]
  private static let blockSize = 1024

  /// - Parameter path: Its path inside the patch; nil where that is its name.
  package init(_ bytes: [UInt8], name: String, path: String? = nil) {
    self.bytes = bytes
    self.name = name
    self.path = path ?? name
    var lines = [0]
    var characters: [Int] = []
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for (offset, byte) in bytes.enumerated() {
        if offset % Self.blockSize == 0 { characters.append(count) }
        // Bytes that continue a character are none of their own.
        if byte & 0xc0 != 0x80 { count += 1 }
      }
      var offset = 0
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        guard byte == 0x0a || byte == 0x0d else { continue }
        if offset < bytes.count, bytes[offset] == 0x0a || bytes[offset] == 0x0d, bytes[offset] != byte { offset += 1 }
        lines.append(offset)
      }
    }
    self.lines = lines
    self.characters = characters
  }

  /// The number of characters before the byte at `offset`.
  private func characters(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    guard characters.indices.contains(block) else {
      // The end of a file that fills its last block.
      guard block > 0, let last = characters.last else { return 0 }
      return bytes[(block - 1) * Self.blockSize..<offset].reduce(last) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
    }
    return bytes[block * Self.blockSize..<offset].reduce(characters[block]) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
  }

  /// The name that `require` knows it by.
  package var module: String {
    (path.hasSuffix(".lua") ? path.dropLast(4) : path[...]).split(separator: "/").joined(separator: ".")
  }

  /// Tells whether it holds tests of a patch: they stand beside it, and are no part of it.
  package var isTest: Bool { Self.isTest(path) }

  package static func isTest(_ path: String) -> Bool { path.hasSuffix("_test.lua") }

  /// A place in the text; everything counts from 1.
  package struct Position: Sendable, Hashable {
    package var line: Int
    /// In characters (Unicode scalars).
    package var column: Int
    package var byteColumn: Int
  }

  /// The index of the line that holds the byte at `offset`.
  package func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    let column = characters(before: offset) - characters(before: lines[line])
    return Position(line: line + 1, column: column + 1, byteColumn: offset - lines[line] + 1)
  }

  /// The bytes of a line, counted from 0, without its end.
  package func range(ofLine index: Int) -> Range<Int> {
    guard lines.indices.contains(index) else { return bytes.count..<bytes.count }
    var end = index + 1 < lines.count ? lines[index + 1] : bytes.count
    let start = lines[index]
    while end > start, bytes[end - 1] == 0x0a || bytes[end - 1] == 0x0d { end -= 1 }
    return start..<end
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The first byte that is program: behind a byte order mark and a first line that starts with `#`.
  ///
  /// - Source: Lua 5.4, `luaL_loadfilex`.
  var start: Int {
    var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    guard start < bytes.count, bytes[start] == UInt8(ascii: "#") else { return start }
    while start < bytes.count, bytes[start] != 0x0a { start += 1 }
    return start
  }

  /// Tells whether the file holds precompiled code, which begins with ESC.
  var isBytecode: Bool {
    var first = start
    if first > 0, first < bytes.count, bytes[first] == 0x0a { first += 1 }
    return first < bytes.count && bytes[first] == 0x1b
  }
}
