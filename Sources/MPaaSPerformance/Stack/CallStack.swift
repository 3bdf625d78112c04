import CPerformance

/// The functions that are under way on a thread, as addresses.
///
/// Names are put to them where there are symbols: `mpaas symbols lookup` takes addresses of an image, reports with stacks
/// are symbolicated as a whole. Where a function is exported the system knows its name, and `lines` shows it.
public struct CallStack: Sendable, Hashable {
  /// Return addresses, innermost first; the first may be a program counter.
  public let addresses: [UInt64]

  /// Creates a stack of addresses.
  public init(addresses: [UInt64]) { self.addresses = addresses }

  /// The stack of the calling thread, without this function.
  ///
  /// - Parameter limit: The number of frames at most.
  @inline(never)
  public static func current(limit: Int = 64) -> CallStack {
    let capacity = min(max(limit, 0), 1024) + 1
    let found = [UInt64](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = buffer.baseAddress.map { mp_call_stack($0, capacity) } ?? 0
    }
    return CallStack(addresses: Array(found.dropFirst().prefix(max(limit, 0))))
  }
}
