import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that are being written beside their final place, so that an interrupted command leaves none behind.
package enum UnfinishedFiles {
  /// A fixed table of C strings, readable from a signal handler: no lock, no allocation.
  private nonisolated(unsafe) static let table: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?> = {
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

  /// From now on, SIGINT, SIGTERM and SIGHUP remove the unfinished files before they end the process as usual.
  package static func removeWhenInterrupted() {
    _ = table.count
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      // What is ignored on purpose (nohup) stays ignored.
      guard sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
      signal(number) { number in
        for path in UnfinishedFiles.table {
          if let path { unlink(path) }
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
