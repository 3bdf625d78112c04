import MPaaSLogs
import MPaaSSupport

/// A file of text that is followed, whatever name it has meanwhile.
struct FollowedText {
  /// The name that it is told under.
  var name: String
  /// The path that it was last seen at.
  var path: String
  let type: LogType?
  /// Open while it may still grow: a file that was renamed or removed is read to its end.
  var file: ReadFile?
  /// The end of what was told.
  private(set) var offset = 0
  /// The first bytes of what was told, and the last: a file that has others there was begun anew.
  private(set) var head: [UInt8] = []
  private var tail: [UInt8] = []
  /// The device and number of the file that it is a copy of, as far as is known.
  var original: [UInt64]?
  /// Tells whether it was empty so far, and may become a copy.
  var isEmpty = false
  /// Looks since it grew.
  var quietLooks = 0

  private static let headSize = 1 << 10
  private static let tailSize = 1 << 8

  init(_ file: ReadFile, name: String, path: String, type: LogType?) {
    self.file = file
    self.name = name
    self.path = path
    self.type = type
  }

  /// Notes that all before `end` was told.
  mutating func advance(to end: Int, in file: ReadFile) {
    quietLooks = 0
    offset = end
    head = file.bytes(0..<min(end, Self.headSize))
    tail = file.bytes(max(0, end - Self.tailSize)..<end)
  }

  /// Begins at the front again.
  mutating func restart() {
    (offset, head, tail, original) = (0, [], [], nil)
  }

  /// Tells whether the bytes that were told are still in their places.
  func isContinued(in file: ReadFile) -> Bool {
    file.size >= offset && file.bytes(0..<head.count) == head && file.bytes(offset - tail.count..<offset) == tail
  }

  /// Tells whether another file holds what was told of this one, or the front of it.
  func isCopied(in other: ReadFile) -> Bool {
    guard !head.isEmpty, other.size > 0 else { return false }
    if other.size >= offset { return isContinued(in: other) }
    let size = min(other.size, head.count)
    return other.bytes(0..<size) == Array(head.prefix(size))
  }
}

/// The new part of one file of text.
struct FollowedPiece {
  let file: ReadFile
  let name: String
  let type: LogType?
  let range: Range<Int>
}
