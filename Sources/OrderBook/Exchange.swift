import CrashReporter
import MPaaSPerformance
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Four threads around a book: orders come in, are matched, checked and published.
final class Exchange: Sendable {
  struct Quote {
    var bid: Int64 = 0
    var ask: Int64 = 0
    var matched = 0
    var isClosed = false
  }

  /// The times at which the book is counted anew.
  enum Recount: String, Sendable {
    case never, always, forever
  }

  private let orders = Channel<Order>()
  private let trades = Channel<Trade>()
  private let quote = Mutex(Quote())
  private let feed: OrderFeed
  private let recount: Recount
  /// Watches the matcher, where hangs are looked for.
  private let monitor: HangMonitor?

  init(feed: OrderFeed, recount: Recount = .never, monitor: HangMonitor? = nil) {
    self.feed = feed
    self.recount = recount
    self.monitor = monitor
  }

  /// Runs until the feed has no more orders; returns how many were matched.
  func run() -> Int {
    let threads = [
      NamedThread("feed") { self.receiveOrders() }, NamedThread("matcher") { self.matchOrders() },
      NamedThread("risk") { self.checkExposure() }, NamedThread("publisher") { self.publishQuotes() },
    ]
    for thread in threads { thread.join() }
    return quote.withLock { $0.matched }
  }

  private func receiveOrders() {
    for order in feed {
      if order.id % 100 == 0 { CrashReporter.leaveBreadcrumb("feed: order \(order.id)") }
      orders.send(order)
      usleep(150)
    }
    orders.close()
  }

  private func matchOrders() {
    let book = Book(bestBid: 9_995, bestAsk: 10_000, depth: 24)
    let watch = monitor?.watchCurrentThread(named: "matcher")
    while let batch = orders.receive() {
      for order in batch {
        if order.quantity >= 10_000 {
          CrashReporter.leaveBreadcrumb("matcher: block order \(order.id), \(order.quantity) pieces")
        }
        watch?.begin()
        for trade in book.match(order) { trades.send(trade) }
        count(book, behind: order)
        watch?.done()
        quote.withLock {
          $0.bid = book.bids.best ?? 0
          $0.ask = book.asks.best ?? 0
          $0.matched += 1
        }
      }
    }
    trades.close()
    quote.withLock { $0.isClosed = true }
  }

  private func count(_ book: Book, behind order: Order) {
    switch recount {
    case .never: break
    case .always: book.recount(3_000)
    // Nothing closes the market meanwhile.
    case .forever: while order.id == 100, quote.withLock({ !$0.isClosed }) { book.recount(1_000_000) }
    }
  }

  private func checkExposure() {
    var exposure: [Int: Int64] = [:]
    while let batch = trades.receive() {
      for trade in batch {
        exposure[trade.buyer, default: 0] += trade.price * trade.quantity
        exposure[trade.seller, default: 0] -= trade.price * trade.quantity
      }
    }
  }

  private func publishQuotes() {
    var last: (bid: Int64, ask: Int64) = (0, 0)
    while true {
      let current = quote.withLock { $0 }
      if current.isClosed { return }
      if (current.bid, current.ask) != last {
        last = (current.bid, current.ask)
        CrashReporter.leaveBreadcrumb("publisher: bid \(current.bid), ask \(current.ask)")
      }
      usleep(5_000)
    }
  }
}
