import MPaaSSupport

extension Transfer {
  /// Removes the file, where it is a copy that was made for the queue.
  func removeCopy() {
    if source != nil, removesFile, !isDownload { try? FileSystem.remove(file) }
  }

  /// Looks whether the description says what can be.
  func check() throws(TransferError) {
    let isStore = method == .s3 && url.hasPrefix("s3://")
    guard isStore || url.hasPrefix("http://") || url.hasPrefix("https://") else { throw refusal("url", url) }
    if let checksum, ChunkChecksum(rawValue: checksum) == nil { throw refusal("checksum", checksum) }
    if let chunk, chunk < 1 { throw refusal("chunk", String(chunk)) }
    guard (1...64).contains(parts) else { throw refusal("parts", String(parts)) }
    if let sha256, [UInt8](hexadecimal: sha256)?.count != 32 { throw refusal("sha256", sha256) }
    // A line break would begin a header of its own.
    for (name, value) in headers where name.isEmpty || (name + value).utf8.contains(where: { $0 < 0x20 && $0 != 9 }) {
      throw refusal("header", name)
    }
  }

  private func refusal(_ field: String, _ value: String) -> TransferError {
    TransferError(.badDescription, ["field": field, "value": value])
  }
}
