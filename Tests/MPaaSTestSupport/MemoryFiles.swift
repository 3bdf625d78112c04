package import MPaaSSupport
import Synchronization

/// Files and folders of a test, by their paths.
package final class MemoryFiles: Sendable {
  private struct State {
    var texts: [String: String]
    var folders: Set<String>
  }

  private let state: Mutex<State>

  package init(_ texts: [String: String] = [:], folders: Set<String> = []) {
    state = Mutex(State(texts: texts, folders: folders))
  }

  package var texts: [String: String] { state.withLock { $0.texts } }
  package var folders: Set<String> { state.withLock { $0.folders } }

  /// The files as an operation has them; none of them has permissions.
  package var client: FileClient {
    FileClient(
      kind: { path in
        self.state.withLock { $0.folders.contains(path) ? .folder : $0.texts[path] == nil ? nil : .file }
      },
      permissions: { _ in nil },
      read: { path throws(FileError) in
        guard let text = self.texts[path] else { throw FileError(.open, path, .noSuchFileOrDirectory) }
        return Array(text.utf8)
      },
      write: { bytes, path, _ throws(FileError) in
        self.state.withLock { $0.texts[path] = String(decoding: bytes, as: UTF8.self) }
      },
      makeFolder: { path throws(FileError) in self.state.withLock { _ = $0.folders.insert(path) } })
  }
}
