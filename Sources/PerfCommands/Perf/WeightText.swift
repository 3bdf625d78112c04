import MPaaSProfile
import MPaaSSupport
import MPaaSToolSupport

/// Weights of samples in words: times and sizes with their units, counts as they are.
enum WeightText {
  static func text(_ weight: Int64, _ unit: SampleUnit) -> String {
    switch unit {
    case .nanoseconds: return TraceTime.text(weight)
    case .bytes: return (weight < 0 ? "-" : "") + ByteCount(weight.magnitude).description
    default: return "\(weight)"
    }
  }

  /// The same with a sign.
  static func change(_ weight: Int64, _ unit: SampleUnit) -> String {
    (weight > 0 ? "+" : "") + text(weight, unit)
  }

  /// Per cent with one decimal.
  static func share(_ part: Int64, of whole: Int64) -> String { TraceTime.share(part, of: whole) }

  /// Per cent of growth, with its sign.
  static func growth(_ percent: Double) -> String {
    let tenths = Int(max(-1e15, min(1e15, (percent * 10).rounded())))
    return "\(tenths < 0 ? "-" : "+")\(tenths.magnitude / 10).\(tenths.magnitude % 10) %"
  }
}
