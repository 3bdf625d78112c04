import Synchronization

/// Slows wrong logins and tokens: after a few from one address, each further one there has to wait twice as long as the
/// last.
final class LoginBrake: Sendable {
  private struct Tries {
    var count = 0
    /// Seconds of the clock.
    var last: Double
    var free: Double
  }

  /// Logins that may be wrong before the first wait.
  static let free = 5
  /// Seconds of the longest wait, and after which tries are forgotten.
  static let longest = 60.0
  private static let memory = 900.0

  private let most: Int
  private let now: @Sendable () -> Double
  private let tries = Mutex<[String: Tries]>([:])

  /// - Parameters:
  ///   - most: Addresses that are remembered.
  ///   - now: Seconds of a clock that never jumps.
  init(most: Int = 10_000, now: @escaping @Sendable () -> Double) {
    self.most = most
    self.now = now
  }

  /// Addresses that are remembered now.
  var count: Int { tries.withLock { $0.count } }

  /// The seconds to wait until something is tried again; nil where it may be tried now.
  func wait(_ address: String) -> Double? {
    let (name, moment) = (Self.network(of: address), now())
    guard let free = tries.withLock({ $0[name]?.free }), free > moment else { return nil }
    return free - moment
  }

  /// Begins a login, which counts as wrong until it is told to be right; nil, or else the seconds to wait first.
  func begin(_ address: String) -> Double? {
    let (name, moment) = (Self.network(of: address), now())
    return tries.withLock { tries in
      if tries.count >= most, tries[name] == nil { Self.forget(&tries, moment, most) }
      var known = tries[name] ?? Tries(last: moment, free: moment)
      if moment - known.last > Self.memory { known = Tries(last: moment, free: moment) }
      guard known.free <= moment else { return known.free - moment }
      known.count += 1
      known.last = moment
      let over = known.count - Self.free
      if over >= 0 { known.free = moment + min(Double(1 << min(over, 16)), Self.longest) }
      tries[name] = known
      return nil
    }
  }

  /// Tells that a login was right.
  func succeed(_ address: String) {
    let name = Self.network(of: address)
    tries.withLock { tries in tries[name] = nil }
  }

  /// Makes room: what is long ago goes, and the older half where that is not enough.
  private static func forget(_ tries: inout [String: Tries], _ moment: Double, _ most: Int) {
    tries = tries.filter { moment - $0.value.last <= memory }
    guard tries.count >= most else { return }
    let times = tries.values.map(\.last).sorted()
    let middle = times[times.count / 2]
    tries = tries.filter { $0.value.last > middle }
  }

  /// An IPv4 address as it is; of an IPv6 address the first 64 bits, which one customer has all of.
  static func network(of address: String) -> String {
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count > 2, !address.contains(".") else { return address }
    let ends = address.firstRange(of: "::").map { address[..<$0.lowerBound].split(separator: ":") }
    let first = ends ?? groups
    return (0..<4).map { $0 < first.count ? String(first[$0]) : "0" }.joined(separator: ":")
  }
}
