package import MPaaSTime

/// The pauses after failures: a random part of a span that doubles from one second to a minute, or what the server asks
/// for; after ten failures a rest, and then it begins anew.
package struct UploadPauses: Sendable {
  package var first: TimeSpan = .seconds(1)
  package var longest: TimeSpan = .seconds(60)
  package var failuresBeforeRest = 10
  package var rest: TimeSpan = .seconds(600)
  /// 0…1, evenly.
  package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
  private var failures = 0

  package init() {}

  package mutating func succeeded() { failures = 0 }

  package mutating func failed(retryAfter: TimeSpan?) -> TimeSpan {
    failures += 1
    if failures >= failuresBeforeRest {
      failures = 0
      return max(rest, retryAfter ?? .zero)
    }
    if let retryAfter { return max(.zero, retryAfter) }
    var span = first
    for _ in 1..<failures where span < longest { span = span * 2 }
    return min(span, longest) * random()
  }
}
