import MPaaSPushServing
import MPaaSSupport

/// The file that requests to a double are written to, one a line.
final class RecordFile: Sendable {
  private let file: SharedFile

  init(_ path: String) throws(FileError) { file = SharedFile(try OpenFile(path, .appending(0o600))) }

  /// Appends a request; a full disk stops the log, and not the double.
  func append(_ record: DoubleRecord) { try? file.file.append(Array((record.line + "\n").utf8)) }
}

/// The file of an authority's certificate: of a chosen name, which stays, or of one that goes with the program.
struct AuthorityPlace {
  let file: String
  private let folder: String?

  init(_ chosen: String?, in directories: Directories) throws {
    folder = chosen == nil ? try directories.temporary.makeFolder("push-double") : nil
    file = chosen ?? (folder ?? "") + "/ca.pem"
  }

  func remove() {
    if let folder { FileSystem.removeTree(folder) }
  }
}
