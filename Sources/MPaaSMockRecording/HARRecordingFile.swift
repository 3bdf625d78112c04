package import MPaaSHAR
import MPaaSLock
import MPaaSMock
package import MPaaSSupport

/// A file that a recording grows in; it is whole after each exchange.
package final class HARRecordingFile: Sendable {
  private let recorder: Lock<HARRecorder>
  private let path: String

  /// Begins a recording in the place of what the file holds; only its owner may read it.
  ///
  /// - Throws: `FileError` where it cannot be written.
  package init(_ path: String, version: String, rules: MaskRules = .usual) throws(FileError) {
    let recorder = HARRecorder(creator: "mpaas", version: version, rules: rules)
    try Bytes(recorder.begin).write(to: path, mode: 0o600)
    self.path = path
    self.recorder = Lock(recorder)
  }

  /// The number of exchanges so far.
  package var count: Int { recorder.withLock { $0.count } }

  /// Writes an exchange, without its secrets.
  ///
  /// - Throws: `FileError` where the disk is full, or the file went.
  package func add(_ exchange: HARExchange) throws(FileError) {
    // The lock keeps exchanges in their order; a write goes to the system's memory and waits for no disk.
    let result = recorder.withLock { recorder -> Result<Void, FileError> in
      let next = recorder.append(exchange)
      do throws(FileError) {
        try OpenFile(path, .writing).write(next.bytes, at: next.place)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
