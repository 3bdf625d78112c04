import Foundation
import MPaaSTestSupport

/// A file system in memory that is soon full.
final class SmallDisk {
  let path: String
  private let folder: TemporaryFolder

  /// Tells whether this machine lets tests mount one.
  static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

  init(kilobytes: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path
    let outcome = try Command.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    guard outcome.status == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  deinit {
    _ = try? Command.run("umount", ["-l", path])
  }
}
