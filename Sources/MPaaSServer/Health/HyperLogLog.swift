#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An estimate of how many different members there are, in 12,288 bytes; its standard error is 0.81 %.
///
/// 2¹⁴ registers of six bits each, over members that are evenly spread 64-bit values already. The estimator needs no
/// tables and no other way for few members.
///
/// - Source: Flajolet et al., "HyperLogLog" (2007); Ertl, "New cardinality estimation algorithms for HyperLogLog
///   sketches" (2017), the improved raw estimator.
package struct HyperLogLog: Sendable, Equatable {
  private static let precision = 14
  private static let registers = 1 << precision
  /// The greatest value of a register is one more.
  private static let depth = 64 - precision
  /// The size of its form in bytes.
  package static let size = registers * 6 / 8

  /// The registers, a byte each.
  private var values: [UInt8]

  package init() { values = [UInt8](repeating: 0, count: Self.registers) }

  /// Reads what `bytes` gave; nil for anything of another size, or with a register that cannot be.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    values = [UInt8](unsafeUninitializedCapacity: Self.registers) { values, count in
      bytes.withUnsafeBufferPointer { bytes in
        for group in 0..<Self.registers / 4 {
          let word = UInt32(bytes[3 * group]) | UInt32(bytes[3 * group + 1]) << 8 | UInt32(bytes[3 * group + 2]) << 16
          values[4 * group] = UInt8(truncatingIfNeeded: word & 63)
          values[4 * group + 1] = UInt8(truncatingIfNeeded: word >> 6 & 63)
          values[4 * group + 2] = UInt8(truncatingIfNeeded: word >> 12 & 63)
          values[4 * group + 3] = UInt8(truncatingIfNeeded: word >> 18)
        }
      }
      count = Self.registers
    }
    guard values.allSatisfy({ $0 <= Self.depth + 1 }) else { return nil }
  }

  /// The form for a row: four registers in three bytes each, the lowest bits first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    for place in stride(from: 0, to: Self.registers, by: 4) {
      let word =
        UInt32(values[place]) | UInt32(values[place + 1]) << 6 | UInt32(values[place + 2]) << 12
        | UInt32(values[place + 3]) << 18
      bytes.append(UInt8(truncatingIfNeeded: word))
      bytes.append(UInt8(truncatingIfNeeded: word >> 8))
      bytes.append(UInt8(truncatingIfNeeded: word >> 16))
    }
    return bytes
  }

  /// Adds a member, an evenly spread value; says whether that changed anything.
  @discardableResult
  package mutating func insert(_ member: UInt64) -> Bool {
    let register = Int(member >> (64 - Self.precision))
    let rank = UInt8(min((member << Self.precision).leadingZeroBitCount, Self.depth) + 1)
    guard rank > values[register] else { return false }
    values[register] = rank
    return true
  }

  /// Adds all members of another one.
  package mutating func formUnion(_ other: HyperLogLog) {
    values.withUnsafeMutableBytes { own in
      other.values.withUnsafeBytes { more in
        for place in stride(from: 0, to: Self.registers, by: 64) {
          let (left, right) = (
            own.loadUnaligned(fromByteOffset: place, as: SIMD64<UInt8>.self),
            more.loadUnaligned(fromByteOffset: place, as: SIMD64<UInt8>.self)
          )
          own.storeBytes(of: pointwiseMax(left, right), toByteOffset: place, as: SIMD64<UInt8>.self)
        }
      }
    }
  }

  /// The estimated number of members.
  package var estimate: Int64 {
    var histogram = [Int](repeating: 0, count: Self.depth + 2)
    for value in values { histogram[Int(value)] += 1 }
    let count = Double(Self.registers)
    var sum = count * Self.tau(1 - Double(histogram[Self.depth + 1]) / count)
    for rank in stride(from: Self.depth, through: 1, by: -1) { sum = 0.5 * (sum + Double(histogram[rank])) }
    sum += count * Self.sigma(Double(histogram[0]) / count)
    let estimate = count * count / (2 * log(2)) / sum
    return estimate < 1e18 ? Int64(estimate.rounded()) : .max
  }

  private static func sigma(_ share: Double) -> Double {
    guard share < 1 else { return .infinity }
    var (x, y, sum, last) = (share, 1.0, share, -1.0)
    while sum != last {
      x *= x
      last = sum
      sum += x * y
      y += y
    }
    return sum
  }

  private static func tau(_ share: Double) -> Double {
    guard share > 0, share < 1 else { return 0 }
    var (x, y, sum, last) = (share, 1.0, 1 - share, -1.0)
    while sum != last {
      x = x.squareRoot()
      last = sum
      y *= 0.5
      sum -= (1 - x) * (1 - x) * y
    }
    return sum / 3
  }
}
