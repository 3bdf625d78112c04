import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of reports that are on their way: copies, so that nothing depends on what becomes of the originals.
struct ReportCopies: Sendable {
  private let folder: String
  /// Seconds after which a copy that no transfer knows is nobody's.
  private static let age: Int64 = 3600

  init(_ folder: String) throws(FileError) {
    self.folder = folder
    try Directories.create(folder)
  }

  /// Writes the copy of a report for one server; one that is there is left as it is, since it may be on its way.
  ///
  /// - Returns: Its path; when it is given, the copy survives a loss of power.
  func keep(_ bytes: Bytes, _ digest: String, for server: LogServer) throws(FileError) -> String {
    let name = FileDigest.sha256(Bytes("\(server.url)\n\(digest)".utf8)).prefix(32)
    let path = "\(folder)/\(name)"
    if isWhole(path, digest) { return path }
    let new = "\(path).\(UUID().uuidString.prefix(8)).new"
    try bytes.write(to: new, mode: 0o600)
    if try !FileSystem.place(new, at: path), !isWhole(path, digest) {
      // What a failing disk left of it.
      try FileSystem.remove(path)
      try bytes.write(to: path, mode: 0o600)
    }
    FileSystem.settle(folder)
    return path
  }

  private func isWhole(_ path: String, _ digest: String) -> Bool {
    guard FileStatus(path)?.kind == .file, let found = try? FileDigest.sha256(path) else { return false }
    return found.hexadecimal == digest
  }

  /// Removes what commands that were killed have left, and what belonged to transfers that were forgotten.
  func sweep(_ queue: TransferQueue, now: Double) throws {
    let names = try FileSystem.names(in: folder)
    guard !names.isEmpty else { return }
    let needed = Set(try queue.records().filter { $0.state != .done }.map(\.transfer.file))
    for path in names.map({ "\(folder)/\($0)" }) where !needed.contains(path) {
      guard let status = FileStatus(ofLink: path), Double(status.modified + Self.age) < now else { continue }
      try FileSystem.remove(path)
    }
  }
}
