import CommandKit
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// Shows the file of a channel that comes now, and tells of differences that were of no use.
struct KitUpdateProgress {
  private let context: Context
  private let files: FileProgress

  init(_ context: Context) {
    self.context = context
    files = FileProgress(context.catalogue.text("text.kitupdate-fetching"), on: context.terminal)
  }

  @Sendable func show(_ event: KitUpdater.Event) {
    switch event {
    case .differenceFailed(let reason):
      let sentence = context.catalogue.text("diagnostic.\(reason.id.name)", reason.values)
      let text = context.catalogue.text("text.kitupdate-difference-failed", ["reason": sentence])
      context.terminal.note(StyledText(text, .faint))
    case .fetching(let file, let progress):
      files.show(file, received: progress.received, total: progress.total)
    }
  }
}
