/// A file that code is in: a program, a library.
///
/// pprof calls it a mapping.
package struct ProfileImage: Sendable, Hashable {
  /// The last part of the path.
  package var name: String
  package var path: String
  /// The build id or UUID, as it is shown; empty where it is not known.
  package var uuid: String
  /// The address of its first byte in memory.
  package var start: UInt64
  /// The address behind its last byte; 0 where it is not known.
  package var end: UInt64
  /// The place in the file of what `start` holds.
  package var offset: UInt64

  package init(
    name: String, path: String = "", uuid: String = "", start: UInt64 = 0, end: UInt64 = 0, offset: UInt64 = 0
  ) {
    self.name = name
    self.path = path
    self.uuid = uuid
    self.start = start
    self.end = end
    self.offset = offset
  }
}

/// Functions in columns, each once; what is not known is 0 (strings, lines) or -1 (images).
package struct FunctionTable: Sendable {
  /// Numbers of strings.
  package private(set) var names: [Int32] = []
  /// Places in `Profile.images`.
  package private(set) var images: [Int32] = []
  /// Numbers of strings: source files.
  package private(set) var files: [Int32] = []
  /// Lines on which the functions begin.
  package private(set) var lines: [Int32] = []
  private var index = RowIndex()

  package var count: Int { names.count }

  mutating func add(name: Int32, image: Int32, file: Int32, line: Int32) -> Int {
    let hash = RowIndex.hash(Self.pair(name, image), Self.pair(file, line))
    let row = index.row(hash) {
      names[$0] == name && images[$0] == image && files[$0] == file && lines[$0] == line
    }
    if let row { return row }
    names.append(name)
    images.append(image)
    files.append(file)
    lines.append(line)
    index.append(hash)
    return names.count - 1
  }

  static func pair(_ first: Int32, _ second: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
  }
}

/// Frames in columns, each once: a place in a function.
package struct FrameTable: Sendable {
  /// Rows of the function table.
  package private(set) var functions: [Int32] = []
  /// 0 where it is not known.
  package private(set) var addresses: [UInt64] = []
  /// Lines that were being run; 0 where it is not known.
  package private(set) var lines: [Int32] = []
  private var index = RowIndex()

  package var count: Int { functions.count }

  mutating func add(function: Int32, address: UInt64, line: Int32) -> Int {
    let hash = RowIndex.hash(FunctionTable.pair(function, line), address)
    let row = index.row(hash) { functions[$0] == function && addresses[$0] == address && lines[$0] == line }
    if let row { return row }
    functions.append(function)
    addresses.append(address)
    lines.append(line)
    index.append(hash)
    return functions.count - 1
  }
}

/// Stacks in columns, each once: a frame, and the stack that called it.
///
/// A prefix always stands before what it is a prefix of, so that one pass from front to back or back to front is enough.
package struct StackTable: Sendable {
  /// Rows of this table; -1 for outermost frames.
  package private(set) var prefixes: [Int32] = []
  /// Rows of the frame table.
  package private(set) var frames: [Int32] = []
  /// The number of frames, from 1.
  package private(set) var depths: [Int32] = []
  private var index = RowIndex()

  package var count: Int { frames.count }

  @inline(__always)
  mutating func add(prefix: Int32, frame: Int32) -> Int {
    let hash = RowIndex.hash(FunctionTable.pair(prefix, frame))
    if let row = index.row(hash, { prefixes[$0] == prefix && frames[$0] == frame }) { return row }
    prefixes.append(prefix)
    frames.append(frame)
    depths.append(prefix < 0 ? 1 : depths[Int(prefix)] &+ 1)
    index.append(hash)
    return frames.count - 1
  }
}
