import MPaaSTerminal
import Synchronization

/// The bar over the indexes that are fetched, made when their number is known.
final class CatalogProgress: Sendable {
  private let terminal: Terminal
  private let bar = Mutex<(bar: Progress, done: Int)?>(nil)

  init(_ terminal: Terminal) {
    self.terminal = terminal
  }

  @Sendable func advance(_ fetched: Int, of count: Int) {
    bar.withLock { state in
      var now = state ?? (terminal.progress(terminal.catalogue.text("text.sdk-indexes"), total: UInt64(count)), 0)
      if fetched > now.done { now.bar.advance(by: UInt64(fetched - now.done)) }
      now.done = max(now.done, fetched)
      state = now
    }
  }

  func finish() {
    bar.withLock { $0?.bar.finish() }
  }
}
