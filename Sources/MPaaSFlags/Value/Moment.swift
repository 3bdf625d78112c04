import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A moment to the nanosecond.
///
/// - Source: RFC 3339, section 5.6; a space may stand for its `T`.
package struct Moment: Comparable, Sendable {
  /// Seconds since 1970.
  private var seconds: Int
  private var nanoseconds: Int

  package static func < (one: Moment, other: Moment) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }

  private init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The present.
  package static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  /// Reads a moment as constraints have it.
  package init?(constraint text: String) {
    guard let moment = text.withBytes({ Moment($0, isStrict: true) }) else { return nil }
    self = moment
  }

  /// Reads a moment.
  ///
  /// - Parameter isStrict: Whether it must be as constraints have it: `T`, no or three digits of a fraction, and `Z` or an
  ///   offset with a colon.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, isStrict: Bool = false) {
    var reader = MomentReader(bytes)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || (!isStrict && (reader.take("t") || reader.take(" "))),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), hour < 24, minute < 60, second <= 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    nanoseconds = 0
    if reader.take(".") {
      guard let fraction = reader.fraction(), !isStrict || fraction.digits == 3 else { return nil }
      nanoseconds = fraction.nanoseconds
    }
    guard let offset = reader.offset(isStrict: isStrict), reader.isAtEnd else { return nil }
    seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
  }
}

/// Goes through the bytes of a moment.
private struct MomentReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard place < bytes.count, bytes[place] &- 0x30 < 10 else { return nil }
    place += 1
    return Int(bytes[place - 1] - 0x30)
  }

  mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  mutating func fraction() -> (nanoseconds: Int, digits: Int)? {
    var (value, unit, digits) = (0, 100_000_000, 0)
    while let digit = digit() {
      value += digit * unit
      unit /= 10
      digits += 1
    }
    return digits > 0 ? (value, digits) : nil
  }

  /// Seconds before UTC's.
  mutating func offset(isStrict: Bool) -> Int? {
    if take("Z") || (!isStrict && take("z")) { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hours = number(2), take(":") || !isStrict, let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return (isNegative ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
