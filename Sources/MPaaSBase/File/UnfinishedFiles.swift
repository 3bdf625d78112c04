import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that are being written beside their final place, so that an interrupted program can leave none behind.
package enum UnfinishedFiles {
  /// A fixed table of C strings, readable from a signal handler: no lock, no allocation.
  package nonisolated(unsafe) static let table: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?> = {
    let table = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 64)
    table.initialize(repeating: nil)
    return table
  }()

  private static let guardian = Lock(())

  /// Remembers a path until `forget`; with more than 64 at once the others are not remembered.
  static func remember(_ path: String) {
    guardian.withLock { _ in
      guard let free = table.firstIndex(where: { $0 == nil }) else { return }
      table[free] = strdup(path)
    }
  }

  static func forget(_ path: String) {
    guardian.withLock { _ in
      guard let place = table.firstIndex(where: { $0.map { strcmp($0, path) == 0 } ?? false }) else { return }
      // The string is not freed: a signal handler may be reading it.
      table[place] = nil
    }
  }
}
