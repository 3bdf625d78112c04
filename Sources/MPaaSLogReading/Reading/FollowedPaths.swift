import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// The files and folders that are followed.
struct FollowedPaths {
  let paths: [String]
  /// Those that are archives.
  private let packs: Set<String>

  /// - Throws: `LogError` where a path is not there or a folder cannot be read.
  init(_ paths: [String]) throws(LogError) {
    self.paths = paths
    packs = Set(
      try LogFiles.files(in: paths).filter { $0.isNamed && (try? ReadFile($0.path))?.isArchive == true }.map(\.path))
  }

  /// The files that are there now, with what rotation made of those that were named; a name may be without a file for a
  /// while.
  func files() -> [LogFiles.File] {
    var files: [LogFiles.File] = []
    for path in paths {
      files += (try? LogFiles.files(in: [path])) ?? []
      if FileStatus(path)?.kind != .folder { files += LogFiles.rotated(from: path) }
    }
    return files
  }

  /// Those that are neither what a writer stages nor archives, which do not grow.
  func loose(among files: [LogFiles.File]) -> [LogFiles.File] {
    files.filter { file in
      !file.path.hasSuffix(LogStaging.suffix) && !LogFiles.isPack(file.path)
        && !(file.isNamed && packs.contains(file.path))
    }
  }
}
