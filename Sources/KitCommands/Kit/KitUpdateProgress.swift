import CommandKit
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import Synchronization

/// Shows the file of a channel that comes now.
final class KitUpdateProgress: Sendable {
  private struct State {
    var file = ""
    var bar: Progress?
    var received: UInt64 = 0
  }

  private let context: Context
  private let state = Mutex(State())

  init(_ context: Context) {
    self.context = context
  }

  @Sendable func show(_ event: KitUpdater.Event) {
    switch event {
    case .differenceFailed(let reason):
      let sentence = context.catalogue.text("diagnostic.\(reason.id.name)", reason.values)
      let text = context.catalogue.text("text.kitupdate-difference-failed", ["reason": sentence])
      context.terminal.note(StyledText(text, .faint))
    case .fetching(let file, let progress):
      state.withLock { state in
        if state.file != file {
          state.bar?.finish()
          let label = context.catalogue.text("text.kitupdate-fetching")
          state = State(
            file: file, bar: progress.total.map { context.terminal.progress(label, total: $0, isBytes: true) })
        }
        guard progress.received >= state.received else { return }
        state.bar?.advance(by: progress.received - state.received)
        state.received = progress.received
        if progress.received == progress.total { state.bar?.finish() }
      }
    }
  }
}
