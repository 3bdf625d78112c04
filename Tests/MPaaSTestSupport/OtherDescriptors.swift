import Foundation
import Synchronization

/// The descriptors of another thread, which code that closes one of its own twice would close.
public enum OtherDescriptors {
  /// Runs `body` again and again while another thread opens and closes files.
  ///
  /// - Returns: How many of that thread's descriptors were closed by somebody else.
  public static func lost(rounds: Int = 30_000, _ body: () throws -> Void) rethrows -> Int {
    let other = Other()
    let thread = Thread { other.work() }
    thread.start()
    defer { other.end() }
    for _ in 0..<rounds { try body() }
    other.end()
    return other.lost
  }

  private final class Other: Sendable {
    private let isOver = Atomic(false)
    private let count = Atomic(0)
    private let hasEnded = DispatchSemaphore(value: 0)

    var lost: Int { count.load(ordering: .acquiring) }

    func work() {
      var held: [Int32] = []
      while !isOver.load(ordering: .relaxed) {
        held.append(open("/dev/null", O_RDONLY | O_CLOEXEC))
        if held.count == 64 { letGo(&held) }
      }
      letGo(&held)
      hasEnded.signal()
    }

    private func letGo(_ held: inout [Int32]) {
      for descriptor in held where close(descriptor) != 0 { count.add(1, ordering: .relaxed) }
      held = []
    }

    /// Returns when the thread has ended.
    func end() {
      guard !isOver.exchange(true, ordering: .relaxed) else { return }
      hasEnded.wait()
    }
  }
}
