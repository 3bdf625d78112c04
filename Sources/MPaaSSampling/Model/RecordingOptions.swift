/// The way a program is sampled.
package struct RecordingOptions: Sendable, Equatable {
  /// The means by which stacks are taken.
  package enum Method: String, Sendable, CaseIterable, Codable {
    /// By the kernel's performance events: the program is not stopped.
    case events
    /// Each thread is stopped for the moment of its look.
    case stops
  }

  /// Samples of a second.
  package var rate: Int
  /// Nanoseconds after which it ends by itself; nil for the program's end.
  package var duration: UInt64?
  /// Nil for the best that is permitted.
  package var method: Method?
  /// Tells whether processes that the program starts are sampled too.
  package var followsChildren: Bool
  /// Bytes of a stack that are copied; by events, frames beyond are missing.
  package var stackSize: Int

  /// Bytes of a stack that are copied by stops where it goes on beyond the first ones; frames beyond are missing.
  package static let deepestStack = 1 << 20
  /// Frames of a stack that are kept.
  package static let deepestFrame = 2048
  package static let rates = 1...20_000

  package init(
    rate: Int = 1000, duration: UInt64? = nil, method: Method? = nil, followsChildren: Bool = true,
    stackSize: Int = 32768
  ) {
    self.rate = rate
    self.duration = duration
    self.method = method
    self.followsChildren = followsChildren
    self.stackSize = stackSize
  }
}

/// The program that is sampled.
package enum RecordingTarget: Sendable {
  /// One that runs.
  case process(Int32)
  /// One that is started for the purpose, from its first instruction to its end.
  case command([String])
}
