import MPaaSTime
import Synchronization

@testable import MPaaSLogReading
@testable import MPaaSLogs

/// Pauses that are over at once; after the last of them the task that asks is cancelled.
final class CountedPauses: Sendable {
  private let count: Int
  private let length: TimeSpan
  private let during: @Sendable (_ number: Int) -> Void
  private let passed = Mutex(0)

  /// - Parameters:
  ///   - length: Time that each takes, where something else needs it.
  ///   - during: Happens in each; numbers begin with 1.
  init(_ count: Int, length: TimeSpan = .zero, during: @escaping @Sendable (_ number: Int) -> Void = { _ in }) {
    self.count = count
    self.length = length
    self.during = during
  }

  var polling: Polling {
    Polling(every: .seconds(3600)) { [self] _ in
      let number = passed.withLock { passed in
        passed += 1
        return passed
      }
      during(number)
      if length > .zero { try? await Task.sleep(for: length) }
      if number >= count { withUnsafeCurrentTask { $0?.cancel() } }
    }
  }
}
