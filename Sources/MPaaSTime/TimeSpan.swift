/// A length of time, to the nanosecond; it can be negative.
///
/// It stands for `Duration`, which iOS has only since 16 while apps run on iOS 15, and is written in the same way:
/// `.seconds(30)`. Lengths beyond 292 years are taken as the longest.
public struct TimeSpan: Sendable, Hashable, Comparable, AdditiveArithmetic {
  /// All of the length.
  public let nanoseconds: Int64

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time at all.
  public static let zero = TimeSpan(nanoseconds: 0)

  /// Creates a length of whole seconds.
  public static func seconds(_ count: some BinaryInteger) -> TimeSpan { .units(count, 1_000_000_000) }

  /// Creates a length of seconds and their parts.
  public static func seconds(_ count: Double) -> TimeSpan { .units(count, 1e9) }

  /// Creates a length of whole milliseconds.
  public static func milliseconds(_ count: some BinaryInteger) -> TimeSpan { .units(count, 1_000_000) }

  /// Creates a length of milliseconds and their parts.
  public static func milliseconds(_ count: Double) -> TimeSpan { .units(count, 1e6) }

  /// Creates a length of whole microseconds.
  public static func microseconds(_ count: some BinaryInteger) -> TimeSpan { .units(count, 1000) }

  /// Creates a length of nanoseconds.
  public static func nanoseconds(_ count: some BinaryInteger) -> TimeSpan { .units(count, 1) }

  /// The whole seconds, and what is left in 10⁻¹⁸ seconds, with the same sign.
  public var components: (seconds: Int64, attoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (seconds, rest * 1_000_000_000)
  }

  /// The whole milliseconds.
  package var milliseconds: Int { Int(clamping: nanoseconds / 1_000_000) }

  private static func units(_ count: some BinaryInteger, _ unit: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: Int64(clamping: count).saturatingProduct(unit))
  }

  private static func units(_ count: Double, _ unit: Double) -> TimeSpan {
    let product = (count * unit).rounded()
    return TimeSpan(nanoseconds: Int64(exactly: product) ?? (product < 0 ? .min : .max))
  }

  /// Orders lengths of time from the shortest; negative ones come first.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Adds two lengths of time; what is beyond 292 years is the longest.
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return TimeSpan(nanoseconds: overflow ? (right.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Subtracts a length of time from another; what is beyond 292 years is the longest.
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return TimeSpan(nanoseconds: overflow ? (right.nanoseconds < 0 ? .max : .min) : difference)
  }

  /// Multiplies a length of time; what is beyond 292 years is the longest.
  public static func * (span: TimeSpan, factor: Int) -> TimeSpan {
    TimeSpan(nanoseconds: span.nanoseconds.saturatingProduct(Int64(factor)))
  }

  /// Multiplies a length of time, rounded to the nanosecond; what is beyond 292 years is the longest.
  public static func * (span: TimeSpan, factor: Double) -> TimeSpan { .units(Double(span.nanoseconds), factor) }

  /// Multiplies a length of time in place; what is beyond 292 years is the longest.
  public static func *= (span: inout TimeSpan, factor: Int) { span = span * factor }

  /// Divides a length of time, rounded toward zero to the nanosecond.
  ///
  /// - Precondition: The divisor is not 0.
  public static func / (span: TimeSpan, divisor: Int) -> TimeSpan {
    TimeSpan(nanoseconds: span.nanoseconds / Int64(divisor))
  }

  /// The times that a length goes into another one.
  public static func / (span: TimeSpan, part: TimeSpan) -> Double {
    Double(span.nanoseconds) / Double(part.nanoseconds)
  }
}

extension Int64 {
  /// The product, or the greatest or least number where it is beyond that.
  fileprivate func saturatingProduct(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The length in seconds: `1.5 seconds`.
  public var description: String { "\(Double(nanoseconds) / 1e9) seconds" }
}
