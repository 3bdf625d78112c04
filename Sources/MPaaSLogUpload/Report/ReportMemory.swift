import MPaaSLock
import MPaaSSupport

/// The reports that servers are known to have, longer than a queue remembers: a line for each in a file.
final class ReportMemory: Sendable {
  private let path: String
  /// The content of the file when it was read, and what came since.
  private let known = Lock<Set<String>?>(nil)

  init(_ path: String) { self.path = path }

  func knows(_ server: LogServer, _ digest: String) -> Bool {
    known.withLock { known in
      let lines = known ?? read()
      known = lines
      return lines.contains(line(server, digest))
    }
  }

  func remember(_ server: LogServer, _ digest: String) throws(FileError) {
    guard !knows(server, digest) else { return }
    let line = line(server, digest)
    let file = try MonitorFile(appending: path)
    try file.append(Array((line + "\n").utf8))
    try file.settle()
    known.withLock { _ = $0?.insert(line) }
  }

  private func read() -> Set<String> {
    guard let bytes = try? Bytes.reading(path) else { return [] }
    return withExtendedLifetime(bytes) {
      Set(bytes.buffer.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) })
    }
  }

  private func line(_ server: LogServer, _ digest: String) -> String { server.url + " " + digest }
}
