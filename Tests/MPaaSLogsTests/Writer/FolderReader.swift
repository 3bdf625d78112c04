import MPaaSTrust

@testable import MPaaSLogReading
@testable import MPaaSLogs

/// All records of a folder, of files and of what is staged.
struct FolderReader {
  private(set) var records: [LogRecord] = []
  private(set) var gaps = 0
  private(set) var files = 0
  private(set) var staged = 0

  init(_ path: String, _ identities: [AgeIdentity] = [], type: LogType = .diagnostic) throws {
    let folder = LogFolder(path), keys = LogKeys(identities)
    let stagings = try folder.stagings(of: type).map { try LogStaging(path: $0) }
    let files = try folder.files(of: type).map { try LogFile(path: $0.path) }
    let buffer = LogBlockBuffer()
    for file in files {
      gaps += file.gaps.count
      for block in file.blocks { records += try file.records(of: block, keys: keys) }
    }
    for staging in stagings {
      for segment in staging.segments where !segment.isSealed(in: files) {
        try staging.decode(segment, keys: keys, into: buffer)
        records += buffer.views.map(buffer.record)
        staged += buffer.views.count
      }
    }
    self.files = files.count
  }
}
