package import MPaaSSupport

/// The state of a server that is kept, so that the next one goes on where it ended.
package struct KeptState: Sendable, Equatable {
  /// The proxies with their real addresses and toxics.
  package var proxies: [ProxyDefinition]
  /// The profile and the buttons that hold, by their layers.
  package var layers: [String: AppliedLayer]
  /// Tells whether the server ended because somebody wished so.
  package var hasEnded: Bool

  package init(proxies: [ProxyDefinition], layers: [String: AppliedLayer] = [:], hasEnded: Bool = false) {
    self.proxies = proxies
    self.layers = layers
    self.hasEnded = hasEnded
  }

  package var json: JSONValue {
    [
      "format": 1, "ended": .bool(hasEnded), "proxies": .array(proxies.map(\.json)),
      "layers": .object(layers.mapValues(\.json)),
    ]
  }

  /// Reads what a server left; nil where none did.
  ///
  /// - Throws: `net-state-malformed`.
  package init?(at path: String) throws(NetworkError) {
    guard let bytes = try? Bytes.reading(path, limit: 64 << 20) else { return nil }
    do {
      let value = try JSONValue(reading: bytes.buffer)
      guard let object = value.object, let list = object["proxies"]?.array, object["format"]?.integer() == 1 else {
        throw NetworkError(.stateMalformed, ["file": path, "reason": "format"], at: .file(path))
      }
      hasEnded = object["ended"]?.bool ?? false
      proxies = try list.map { try ProxyDefinition(kept: $0.object ?? [:]) }
      layers = try (object["layers"]?.object ?? [:]).mapValues { try AppliedLayer($0.object ?? [:]) }
    } catch {
      let reason: String
      switch error {
      case let error as NetworkError where error.code == .stateMalformed: throw error
      case let error as JSONError: reason = "\(error.code.rawValue) at line \(error.line)"
      case let error as ControlFailure: reason = error.message
      default: reason = ErrorWords.of(error)
      }
      throw NetworkError(.stateMalformed, ["file": path, "reason": reason], at: .file(path))
    }
  }
}

extension ProxyDefinition {
  /// Reads a proxy with its toxics.
  package init(kept object: JSONValue.Object) throws {
    try self.init(object)
    guard !name.isEmpty else { throw ControlFailure.missing("name") }
    toxics = try (object["toxics"]?.array ?? []).map { try Toxic($0.object ?? [:]) }
  }
}

/// Keeps a server's state in a file: each change is in it before it is answered, so that a killed server loses none.
///
/// The file is renamed into place, but not forced onto the disk: what it is to survive is the end of a process.
package actor StateKeeper {
  package nonisolated let path: String
  /// Held as long as the server lives; the system lets it go with the process.
  private let lock: LockFile
  private var wanted: UInt64 = 0
  private var written: UInt64 = 0
  private var isWriting = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// The reason why the last write failed.
  package private(set) var failure: FileError?

  /// - Throws: `net-state-in-use` where another server keeps its state there, or a `FileError`.
  package init(path: String) throws {
    try Directories.create(FileSystem.folder(of: path))
    lock = try LockFile(path + ".lock")
    guard lock.take() == .taken else { throw NetworkError(.stateInUse, ["file": path]) }
    self.path = path
  }

  /// Returns when the state is written as it is now or later; calls that come at the same time share a write.
  package func keep(_ state: @Sendable () async -> KeptState) async {
    wanted += 1
    let mine = wanted
    while written < mine {
      guard !isWriting else {
        await withCheckedContinuation { waiting.append($0) }
        continue
      }
      isWriting = true
      let target = wanted
      write(await state())
      written = target
      isWriting = false
      let all = waiting
      waiting = []
      for continuation in all { continuation.resume() }
    }
  }

  /// Writes down that the server ends as it was told to.
  package func end(_ state: KeptState) {
    var state = state
    state.hasEnded = true
    write(state)
  }

  private func write(_ state: KeptState) {
    let bytes = Array((state.json.line + "\n").utf8)
    let temporary = path + ".new"
    do throws(FileError) {
      let file = try OpenFile(temporary, .emptying(0o600))
      try file.append(bytes)
      try FileSystem.rename(temporary, to: path)
      failure = nil
    } catch {
      failure = error
    }
  }
}
