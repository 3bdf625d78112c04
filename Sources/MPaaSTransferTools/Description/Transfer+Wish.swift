import MPaaSSupport
package import MPaaSTransfer

extension Transfer {
  /// A download to a file.
  ///
  /// - Parameters:
  ///   - file: The path of the file; nil for the address's last part in the current folder.
  ///   - replaces: Takes the name of a file that is there, too.
  /// - Throws: `FileError` where the folder is missing; `TransferError` `transfer-file-exists`.
  package init(downloading url: String, to file: String?, replaces: Bool) throws {
    let name = file ?? Self.name(in: url)
    let folder = FileSystem.folder(of: name)
    // The queue outlives this folder's being the current one.
    guard let place = FileSystem.resolved(folder) else { throw FileError.missing(folder) }
    let path = (place == "/" ? "" : place) + "/" + FileSystem.name(of: name)
    if !replaces, FileStatus(path) != nil { throw TransferError(.fileExists, ["path": name]) }
    self.init(.get, url, file: path)
  }

  /// An upload of a file.
  ///
  /// - Parameter method: nil for the usual one of the address: `s3` for `s3://…`, else `tus`.
  /// - Throws: `TransferError` `transfer-description` for a method that downloads.
  package init(uploading file: String, to url: String, by method: Method?) throws(TransferError) {
    guard method != .get else { throw TransferError(.badDescription, ["field": "method", "value": "get"]) }
    // The queue outlives this folder's being the current one.
    self.init(
      method ?? (url.hasPrefix("s3://") ? .s3 : .tus), url, file: FileSystem.resolved(file) ?? file)
  }

  /// The last part of an address, without its query; `index.html` where there is none that a file can be called.
  private static func name(in url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").dropFirst(2).last.map(String.init) ?? ""
    return last.isEmpty || last == "." || last == ".." ? "index.html" : last
  }
}

extension TransferQueue {
  /// Adds a transfer, and moves it unless it shall wait.
  ///
  /// - Parameter run: Moves the transfer; nil leaves it in the queue.
  /// - Returns: The transfer as it is then.
  /// - Throws: `TransferError` `transfer-unknown` where another process has removed it; as `add`; what `run` throws.
  package func bring(
    _ transfer: Transfer, run: ((TransferID) async throws -> Void)?
  ) async throws -> TransferRecord {
    let id = try add(transfer)
    try await run?(id)
    guard let record = try record(id) else { throw TransferError(.unknown, ["id": id.description]) }
    return record
  }
}
