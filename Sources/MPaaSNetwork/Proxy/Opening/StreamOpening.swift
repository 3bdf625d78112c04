package import NIOCore

/// The words of a client before it is known where its stream leads.
package protocol StreamOpening {
  /// Reads what there is so far; what it takes is gone from `bytes`.
  mutating func read(_ bytes: inout ByteBuffer) -> OpeningStep
}

/// The step that follows from the bytes that have come so far.
package enum OpeningStep: Equatable {
  /// More bytes are needed.
  case more
  /// The client is answered, and goes on.
  case answer([UInt8])
  /// The stream leads to an upstream; what was read and not taken goes there after `first`.
  case lead(OpeningTarget)
  /// The client is answered for the last time.
  case refuse([UInt8], reason: String)
}

/// The destination of a stream, and the words to the client.
package struct OpeningTarget: Equatable, Sendable {
  package var address: NetworkAddress
  /// The first bytes for the upstream.
  package var first: [UInt8] = []
  /// The bytes for the client when the upstream answers.
  package var success: [UInt8] = []
  /// The bytes for the client when it does not: refused, or any other failure.
  package var refused: [UInt8] = []
  package var failed: [UInt8] = []

  package init(_ address: NetworkAddress) { self.address = address }
}
