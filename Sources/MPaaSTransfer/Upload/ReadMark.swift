import MPaaSLock

/// The place in a file of the next bytes that pass by.
final class ReadMark: Sendable {
  private let position: Lock<UInt64>

  init(_ start: UInt64) { position = Lock(start) }

  /// Gives the place of the next `count` bytes, and moves on.
  func advance(_ count: Int) -> UInt64 {
    position.withLock { position in
      defer { position += UInt64(count) }
      return position
    }
  }
}
