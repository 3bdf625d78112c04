import MPaaSModules
import MPaaSSupport
import MPaaSTerminal
import Synchronization

/// Tells how modules come: a bar over all of them on a terminal, and a line for each elsewhere.
final class SyncProgress: Sendable {
  private struct State {
    var bar: Progress?
    var label = ""
    var received: UInt64 = 0
    /// Archives whose line was written.
    var begun: Set<Int> = []
    var unpacked = 0
    var count = 0
  }

  private let terminal: Terminal
  private let indexes: CatalogProgress
  private let state = Mutex(State())

  init(_ terminal: Terminal) {
    self.terminal = terminal
    indexes = CatalogProgress(terminal)
  }

  @Sendable func take(_ event: SyncEvent) {
    let catalogue = terminal.catalogue
    switch event {
    case .waiting: terminal.note(StyledText(catalogue.text("text.sdk-waiting"), .faint))
    case .indexes(let fetched, let count): indexes.advance(fetched, of: count)
    case .downloading(let count, let bytes):
      indexes.finish()
      guard count > 0 else { return }
      let bar = terminal.progress(
        catalogue.text("text.sdk-downloading", ["count": String(count)]), total: bytes, isBytes: true)
      state.withLock { state in
        state.bar = bar
        state.count = count
      }
    case .archive(let progress): take(progress)
    case .downloaded: state.withLock { $0.bar?.finish() }
    case .unpacked(let name, let version): terminal.detail(line("\(name) \(version)", "text.sdk-line-unpacked"))
    case .placed(let name, let version): terminal.detail(line("\(name) \(version)", "text.sdk-line-placed"))
    }
  }

  private func take(_ progress: ArchiveProgress) {
    let (delta, bar, isFirst) = state.withLock { state in
      let delta = progress.totalReceived > state.received ? progress.totalReceived - state.received : 0
      state.received = max(state.received, progress.totalReceived)
      return (delta, state.bar, progress.step == .receiving && state.begun.insert(progress.index).inserted)
    }
    if delta > 0 { bar?.advance(by: delta) }
    guard !terminal.errors.isTerminal, !terminal.settings.isJSON else { return }
    switch progress.step {
    case .receiving where isFirst:
      terminal.note(line(progress.name, "text.sdk-line-downloading", ["size": ByteCount(progress.size).description]))
    case .waiting: terminal.note(line(progress.name, "text.sdk-line-waiting"))
    case .retrying(let error, _):
      let reason = terminal.catalogue.clause(error.code.id.name, error.values)
      terminal.note(line(progress.name, "text.sdk-line-retrying", ["reason": reason]))
    case .done(isNew: true):
      // An archive that comes from a folder is there before anybody sees it coming.
      if state.withLock({ $0.begun.insert(progress.index).inserted }) {
        terminal.note(
          line(progress.name, "text.sdk-line-downloading", ["size": ByteCount(progress.size).description]))
      }
      terminal.note(line(progress.name, "text.sdk-line-done"))
    default: break
    }
  }

  private func line(_ name: String, _ key: String, _ values: [String: String] = [:]) -> StyledText {
    StyledText(name) + StyledText(": " + terminal.catalogue.text(key, values), .faint)
  }

  func finish() {
    indexes.finish()
    state.withLock { $0.bar?.finish() }
  }
}
