import COrderBook
import MPaaSHotpatch

/// The orders of one instrument, and the rules by which they meet.
final class Book {
  private(set) var bids: PriceLadder
  private(set) var asks: PriceLadder
  private var incoming: Order?
  private var trades: [Trade] = []

  init(bestBid: Int64, bestAsk: Int64, depth: Int) {
    bids = PriceLadder(side: .buy, best: bestBid, depth: depth)
    asks = PriceLadder(side: .sell, best: bestAsk, depth: depth)
  }

  /// Fills an order from the other side as far as its limit reaches, and lets the rest of it rest.
  func match(_ order: Order) -> [Trade] {
    trades.removeAll(keepingCapacity: true)
    var order = order
    order.quantity = Int64(Hotpatches.accepted(Int(order.quantity), order.participant))
    incoming = order
    order.quantity = sweep(order)
    if order.quantity > 0 { _ = order.side == .buy ? bids.rest(order) : asks.rest(order) }
    return trades
  }

  /// Has the ladder's arithmetic go through the other side; gives what is left of the order.
  private func sweep(_ order: Order) -> Int64 {
    let ladder = order.side == .buy ? asks : bids
    guard let best = ladder.best else { return order.quantity }
    return ob_sweep(
      ladder.levels.count, best, order.limit, PriceLadder.tick, ladder.side.c, order.quantity,
      { context, level, wanted in
        guard let context else { return 0 }
        return Unmanaged<Book>.fromOpaque(context).takeUnretainedValue().fill(level: level, wanted: wanted)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Fills a part of the incoming order from a level of the other side.
  private func fill(level: Int, wanted: Int64) -> Int64 {
    guard let order = incoming else { return 0 }
    let isBuy = order.side == .buy
    let (resting, quantity) = isBuy ? asks.take(wanted, at: level) : bids.take(wanted, at: level)
    guard quantity > 0 else { return 0 }
    trades.append(
      Trade(
        buyer: isBuy ? order.participant : resting.participant,
        seller: isBuy ? resting.participant : order.participant, price: resting.price, quantity: quantity))
    return quantity
  }

  /// The sum of both sides, as often as is asked for: the work that makes a version slow.
  @inline(never) @discardableResult
  func recount(_ times: Int) -> Int64 {
    var sum: Int64 = 0
    for _ in 0..<times {
      for level in bids.levels { sum = (sum ^ level.quantity) &* 31 &+ level.price }
      for level in asks.levels { sum = (sum ^ level.quantity) &* 31 &+ level.price }
    }
    return sum
  }
}
