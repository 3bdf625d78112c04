import MPaaSLock
import MPaaSSupport

/// The hotpatches that run, and those of the run before, which a file remembers.
final class RunningPatches: Sendable {
  private struct State {
    /// The patches of this run as a text; nil where they are not known.
    var now: String?
    /// Those of the run before; nil where it did not tell them.
    var before: String?
    var isRead = false
  }

  /// The text for no patches; an empty one would be no field.
  private static let none = "-"
  private static let limit = 8192

  private let path: String
  private let state = Lock(State())

  /// - Parameter folder: Where the file is; nothing is read or written before something is asked for or told, since other
  ///   processes of the app may share it.
  init(_ folder: String) { path = folder + "/patches" }

  /// The patches of this run as a text; nil where they are not known.
  var now: String? { state.withLock { $0.now } }

  /// The patches of the run before as a text; nil where it did not tell them.
  var before: String? {
    state.withLock { state in
      readBefore(&state)
      return state.before
    }
  }

  /// Keeps the versions of patches by their names.
  func run(_ running: [String: String]) {
    let labels = running.map { "\($0.key)@\($0.value)" }.filter { !$0.contains { $0 == "," || $0.isWhitespace } }
    let text = labels.isEmpty ? Self.none : labels.sorted().joined(separator: ",")
    state.withLock { state in
      readBefore(&state)
      state.now = text
      // Without the file the end of this run counts for no patch, and not for devices without one either.
      try? Bytes(text.utf8).write(to: path, mode: 0o600)
    }
  }

  /// Takes what the run before left, so that a run that tells nothing leaves nothing to the next.
  private func readBefore(_ state: inout State) {
    guard !state.isRead else { return }
    state.isRead = true
    state.before = (try? Bytes.reading(path, limit: Self.limit)).map { String(decoding: $0.buffer, as: UTF8.self) }
    if state.before != nil { try? FileSystem.remove(path) }
  }

  /// The labels of a text, `NAME@VERSION` each.
  static func labels(_ text: String) -> [String] {
    text == none ? [] : text.split(separator: ",").map(String.init)
  }
}
