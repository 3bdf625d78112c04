import NIOCore

/// The items that go through the stages of a stream.
struct StreamItem {
  enum Kind: UInt8 {
    case bytes, end, close
  }

  var kind: Kind
  var bytes: ByteBuffer
  /// The time when it came to the stage that holds it.
  var arrival: Int64
  /// The time when it leaves that stage; stages that reckon piece by piece do not use it.
  var due: Int64

  init(_ kind: Kind, _ bytes: ByteBuffer, at time: Int64) {
    self.kind = kind
    self.bytes = bytes
    arrival = time
    due = time
  }

  /// An end or a close.
  init(_ kind: Kind, at time: Int64) {
    self.init(kind, ByteBuffer(), at: time)
  }
}
