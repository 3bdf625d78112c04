package import NIOCore

/// What a client says before it is known where its stream leads.
package protocol StreamOpening {
  /// Reads what there is so far; what it takes is gone from `bytes`.
  mutating func read(_ bytes: inout ByteBuffer) -> OpeningStep
}

/// What follows from the bytes that have come so far.
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

/// Where a stream leads, and what the client is told.
package struct OpeningTarget: Equatable, Sendable {
  package var address: NetworkAddress
  /// What the upstream gets before all else.
  package var first: [UInt8] = []
  /// What the client is told when the upstream answers.
  package var success: [UInt8] = []
  /// What the client is told when it does not: refused, or any other failure.
  package var refused: [UInt8] = []
  package var failed: [UInt8] = []

  package init(_ address: NetworkAddress) { self.address = address }
}
