import MPaaSDigests
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
  /// Seconds after which a copy that no transfer knows has not only been written a moment ago.
  private static let age: Int64 = 60
  private static let longestAge: Int64 = 30 * 86400

  init(_ folder: String) throws(FileError) {
    self.folder = folder
    try PrivateFolder.create(folder)
    try PrivateFolder.close(folder)
  }

  /// Writes the copy of a report for one server; one that is there is left as it is, since it may be on its way.
  ///
  /// - Returns: Its path; when it is given, the copy survives a loss of power.
  func keep(_ bytes: Bytes, _ digest: String, for server: LogServer) throws(FileError) -> String {
    let path = path(digest, server)
    if isWhole(path, digest) { return path }
    let new = "\(path).\(UUID().uuidString.prefix(8)).new"
    try bytes.write(to: new, mode: 0o600)
    if try !FileSystem.place(new, at: path), !isWhole(path, digest) {
      // A failing disk may have left a part of the copy.
      try FileSystem.remove(path)
      try bytes.write(to: path, mode: 0o600)
    }
    FileSystem.settle(folder)
    return path
  }

  private func isWhole(_ path: String, _ digest: String) -> Bool {
    guard FileStatus(path)?.kind == .file, let found = try? DigestAlgorithm.sha256.digest(ofFile: path) else {
      return false
    }
    return found.value.hexadecimal == digest
  }

  /// The path of the copy of a report for one server.
  func path(_ digest: String, _ server: LogServer) -> String {
    folder + "/" + "\(server.url)\n\(digest)".utf8.sha256.hexadecimal.prefix(32)
  }

  /// Copies that no transfer needs; young ones may be on their way into the queue.
  func unknown(to queue: TransferQueue, now: Double) throws -> [String] {
    let names = try FileSystem.names(in: folder)
    guard !names.isEmpty else { return [] }
    let needed = Set(try queue.records().filter { $0.state != .done }.map(\.transfer.file))
    return names.map { "\(folder)/\($0)" }.filter { path in
      guard !needed.contains(path), let status = FileStatus(ofLink: path) else { return false }
      return Double(status.modified + Self.age) < now
    }
  }

  /// Removes a copy that is of no use; one that may be for another server stays a month.
  func discard(_ copy: String, isOurs: Bool, now: Double) throws(FileError) {
    guard let status = FileStatus(ofLink: copy) else { return }
    // A copy whose name has an ending was never finished.
    let isUnfinished = FileSystem.name(of: copy).contains(".")
    if isOurs || isUnfinished || Double(status.modified + Self.longestAge) < now { try FileSystem.remove(copy) }
  }
}
