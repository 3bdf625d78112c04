import MPaaSSupport

/// The number of a writer among those of its folder: the lowest one whose lock file is free.
final class LaneLock {
  private static let most = 64

  let lane: Int
  private var file: LockFile?

  /// - Throws: `FileError`; `LogError` `log-writers-too-many`.
  init(_ folder: LogFolder) throws {
    for lane in 0..<Self.most {
      let file = try LockFile(Self.path(folder, lane))
      if file.take() == .taken {
        self.lane = lane
        self.file = file
        return
      }
    }
    throw LogError(.tooManyWriters, ["path": folder.path, "count": String(Self.most)], at: .file(folder.path))
  }

  func release() { file = nil }

  private static func path(_ folder: LogFolder, _ lane: Int) -> String {
    folder.path + "/" + LogFolder.named(".writer", lane)
  }

  /// Calls `body` with each number that was a writer's and is free now, holding it meanwhile.
  static func others(_ folder: LogFolder, than own: Int, _ body: (Int) -> Void) {
    for lane in 0..<most where lane != own {
      guard let file = LockFile.locking(path(folder, lane), .writing) else { continue }
      withExtendedLifetime(file) { body(lane) }
    }
  }
}
