import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number of a writer among those of its folder: the lowest one whose lock file nobody holds.
final class LaneLock {
  private static let most = 64

  let lane: Int
  private var descriptor: Int32

  /// - Throws: `FileError`; `LogError` `log-writers-too-many`.
  init(_ folder: LogFolder) throws {
    for lane in 0..<Self.most {
      let path = Self.path(folder, lane)
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FileError.last(.create, path) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        self.lane = lane
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw LogError(.tooManyWriters, ["path": folder.path, "count": String(Self.most)], at: .file(folder.path))
  }

  deinit {
    release()
  }

  func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private static func path(_ folder: LogFolder, _ lane: Int) -> String {
    folder.path + "/" + LogFolder.named(".writer", lane)
  }

  /// Calls `body` with each number that was a writer's and is nobody's now, holding it meanwhile.
  static func others(_ folder: LogFolder, than own: Int, _ body: (Int) -> Void) {
    for lane in 0..<most where lane != own {
      let descriptor = open(path(folder, lane), O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { body(lane) }
    }
  }
}
