/// The same orders in every run: small ones of eight participants, and one block order that goes through half the book.
struct OrderFeed: Sequence, IteratorProtocol, Sendable {
  /// The number of the block order; the book does not survive it.
  static let blockOrder: UInt64 = 1_500

  private let count: UInt64
  private var made: UInt64 = 0
  private var state: UInt64 = 0x4f42_4f4f_4b21

  init(count: UInt64) {
    self.count = count
  }

  mutating func next() -> Order? {
    guard made < count else { return nil }
    made += 1
    if made == Self.blockOrder {
      return Order(id: made, participant: 7, side: .buy, limit: 10_500, quantity: 1_000_000)
    }
    let side: Side = made % 2 == 0 ? .buy : .sell
    // Mostly behind the best price, so that the book fills up; buyers below 99.95, sellers above 100.00.
    let distance = Int64(random() % 20) * PriceLadder.tick
    let limit = side == .buy ? 9_995 - distance : 10_000 + distance
    return Order(
      id: made, participant: Int(random() % 7), side: side, limit: limit, quantity: Int64(random() % 90 + 10))
  }

  /// Knuth's MMIX generator; the upper bits.
  private mutating func random() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
