/// Faults that Swift's own checks find; the line that faults is marked `crash: CASE`.
enum SwiftFaults {
  /// Numbers that the optimiser cannot know.
  @inline(never)
  static func number(_ value: Int) -> Int {
    CommandLine.arguments.count > 1000 ? 0 : value
  }

  @inline(never)
  static func fatal() {
    if number(3) == 3 {
      fatalError("the order book is closed")  // crash: swift-fatal-error
    }
  }

  @inline(never)
  static func failPrecondition() {
    precondition(number(3) > 10, "an order needs a size")  // crash: precondition
  }

  @inline(never)
  static func indexArray() -> Int {
    let prices = [number(1), number(2), number(3)]
    return prices[number(7)]  // crash: array-index
  }

  // swift-format-ignore: NeverForceUnwrap
  @inline(never)
  static func unwrap() -> Int {
    let price: Int? = number(3) == 3 ? nil : 5
    return price!  // crash: force-unwrap
  }

  @inline(never)
  static func overflow() -> UInt8 {
    let size = UInt8(truncatingIfNeeded: number(250))
    return size + UInt8(truncatingIfNeeded: number(10))  // crash: integer-overflow
  }

  // swift-format-ignore: NeverForceUnwrap
  @inline(never)
  static func cast() -> String {
    let order: Any = number(3)
    return order as! String  // crash: failed-cast
  }
}
