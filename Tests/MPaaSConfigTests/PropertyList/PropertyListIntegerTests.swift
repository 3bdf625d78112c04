import Testing

@testable import MPaaSConfig

@Suite("A whole number of a property list") struct PropertyListIntegerTests {
  static let numbers: [Int128] = {
    var numbers: [Int128] = [0, 1, -1, 7, -1_000_000_000_000_000_000, 1_000_000_000_000_000_000, .max, .min, .min + 1]
    for bits in [31, 32, 52, 53, 59, 60, 62, 63, 64, 65, 100, 119, 120, 126] {
      let power = Int128(1) << bits
      for step: Int128 in [-3, -1, 0, 1, 3] { numbers += [power + step, -power + step] }
    }
    return numbers
  }()

  private static func own(_ number: Int128) -> PropertyListInteger {
    PropertyListInteger(high: Int64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
  }

  @Test("is told, compared and turned into others as the standard library's is")
  func same() {
    for number in Self.numbers {
      let own = Self.own(number)
      #expect("\(own)" == "\(number)")
      #expect(Int64(exactly: own) == Int64(exactly: number))
      #expect(Int(exactly: own) == Int(exactly: number))
      #expect(UInt64(exactly: own) == UInt64(exactly: number))
      #expect(Double(own) == Double(number), "\(number)")
      for other in Self.numbers { #expect((own < Self.own(other)) == (number < other)) }
    }
  }

  @Test("is made of smaller ones, of either sign")
  func making() {
    #expect(PropertyListInteger(Int64.min) == Self.own(Int128(Int64.min)))
    #expect(PropertyListInteger(UInt64.max) == Self.own(Int128(UInt64.max)))
    #expect(PropertyListInteger(UInt8(5)) == Self.own(5))
    #expect(PropertyListInteger(-1) == Self.own(-1))
    #expect(PropertyListInteger(minus: 0) == Self.own(0))
    #expect(PropertyListInteger(minus: .max) == Self.own(-Int128(UInt64.max)))
  }
}
