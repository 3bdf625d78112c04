import COrderBook

/// The wish of a participant to buy or sell.
struct Order: Sendable {
  let id: UInt64
  let participant: Int
  let side: Side
  /// The worst price that is accepted, in hundredths.
  let limit: Int64
  var quantity: Int64
}

enum Side: Sendable {
  case buy, sell

  var opposite: Side { self == .buy ? .sell : .buy }
  var c: ob_side { self == .buy ? OB_BUY : OB_SELL }
}

/// A part of an order that found its counterpart.
struct Trade: Sendable {
  let buyer: Int
  let seller: Int
  let price: Int64
  let quantity: Int64
}
