import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal
import Synchronization

extension IndexEvents {
  /// Tells with `--verbose` what is done with indexes, and shows a bar while one is made.
  static func shown(in context: Context) -> IndexEvents {
    let terminal = context.terminal
    let catalogue = context.catalogue
    let bar = IndexProgress()
    var events = IndexEvents()
    events.tell = { event in
      terminal.detail(StyledText(event.text(catalogue), .faint))
    }
    events.begin = { file in
      let label = catalogue.text("text.index-making", ["name": FileSystem.name(of: file)])
      return { done, total in
        bar.show(done) { terminal.progress(label, total: UInt64(total), isBytes: true) }
      }
    }
    events.end = { bar.finish() }
    return events
  }
}

/// The bar of the index that is being made.
private final class IndexProgress: Sendable {
  private struct State {
    var bar: Progress?
    var done = 0
  }

  private let state = Mutex(State())

  func show(_ done: Int, _ start: () -> Progress) {
    let (bar, step) = state.withLock { state in
      let bar = state.bar ?? start()
      let step = max(done - state.done, 0)
      state = State(bar: bar, done: max(done, state.done))
      return (bar, step)
    }
    bar.advance(by: UInt64(step))
  }

  func finish() {
    state.withLock { state in
      state.bar?.finish()
      state = State()
    }
  }
}

extension IndexEvents.Event {
  func text(_ catalogue: Catalogue) -> String {
    switch self {
    case .used(let path): catalogue.text("text.index-used", ["path": path])
    case .made(let path): catalogue.text("text.index-made", ["path": path])
    case .outdated(let path): catalogue.text("text.index-outdated", ["path": path])
    case .damaged(let path): catalogue.text("text.index-damaged", ["path": path])
    case .notWritten(let path): catalogue.text("text.index-not-written", ["path": path])
    case .notMade(let file, let error):
      catalogue.text("text.index-not-made-\(error.word)", ["file": file])
    }
  }
}

extension IndexBuildError {
  fileprivate var word: String {
    switch self {
    case .cancelled: "cancelled"
    case .tooLarge: "too-large"
    case .incomplete: "incomplete"
    }
  }
}
