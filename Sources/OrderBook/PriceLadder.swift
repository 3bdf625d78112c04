import COrderBook

/// The resting orders of one side, by price, the best price first.
struct PriceLadder {
  struct Level {
    let price: Int64
    var quantity: Int64 = 0
    var participant = 0
  }

  static let tick: Int64 = 5

  let side: Side
  private(set) var levels: [Level]

  /// A ladder of `depth` prices from the best one on.
  init(side: Side, best: Int64, depth: Int) {
    let step = side == .sell ? Self.tick : -Self.tick
    self.side = side
    levels = (0..<depth).map { Level(price: best + Int64($0) * step) }
  }

  var best: Int64? { levels.first?.price }

  @inline(__always)
  func level(at index: Int) -> Level {
    levels[index]
  }

  /// Adds an order's rest to the level of its price; prices outside the ladder are turned away.
  mutating func rest(_ order: Order) -> Bool {
    guard let best else { return false }
    let price = ob_round(order.limit, Self.tick, order.side.c)
    let index = Int(ob_distance(best, price, Self.tick, side.c))
    guard levels.indices.contains(index) else { return false }
    levels[index].quantity += order.quantity
    levels[index].participant = order.participant
    return true
  }

  /// Takes up to `wanted` from a level, and drops levels that are used up.
  mutating func take(_ wanted: Int64, at index: Int) -> (level: Level, quantity: Int64) {
    let level = level(at: index)
    let quantity = min(wanted, level.quantity)
    levels[index].quantity -= quantity
    if levels[index].quantity == 0 { levels.remove(at: index) }
    return (level, quantity)
  }
}
