import Synchronization

/// The progress of files that come one after another, of which the one that comes now is drawn.
package final class FileProgress: Sendable {
  private struct State {
    var file = ""
    var bar: Progress?
    var received: UInt64 = 0
  }

  private let terminal: Terminal
  private let label: String
  private let began: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - began: Called with each file that begins, before anything is drawn of it.
  package init(_ label: String, on terminal: Terminal, began: @escaping @Sendable (String) -> Void = { _ in }) {
    self.terminal = terminal
    self.label = label
    self.began = began
  }

  /// Draws how far a file has come.
  ///
  /// - Parameters:
  ///   - file: Its name or address; another than before takes the bar of that one away.
  ///   - received: The bytes that have come. Fewer than before, which a second try begins with, are not drawn.
  ///   - total: The bytes of the whole file; nil where they are not known, and nothing is drawn.
  package func show(_ file: String, received: UInt64, total: UInt64?) {
    state.withLock { state in
      if state.file != file {
        state.bar?.finish()
        began(file)
        state = State(file: file, bar: total.map { terminal.progress(label, total: $0, isBytes: true) })
      }
      guard received >= state.received else { return }
      state.bar?.advance(by: received - state.received)
      state.received = received
      if received == total { state.bar?.finish() }
    }
  }
}
