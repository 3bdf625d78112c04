/// The memory of a crashed thread's stack that a record kept, since the handler could not unwind it to its end.
package struct KeptStack {
  package let thread: UInt64
  package let address: UInt64
  package private(set) var bytes: [UInt8]

  init(thread: UInt64, address: UInt64, bytes: [UInt8]) {
    self.thread = thread
    self.address = address
    self.bytes = bytes
  }

  /// Takes in the piece that follows; false where it does not.
  mutating func append(_ piece: [UInt8], at start: UInt64, of owner: UInt64) -> Bool {
    guard owner == thread, start == address &+ UInt64(bytes.count) else { return false }
    bytes += piece
    return true
  }
}
