import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The files of a disk cache's values, each for its owner alone to read.
struct DiskFiles: Sendable {
  let folder: String
  private let key: SymmetricKey?

  init(folder: String, key: StorageKey?) {
    self.folder = folder
    self.key = key?.derived("mpaas-disk-cache v1", salt: [])
  }

  /// Writes a value into a file of a new name.
  func write(_ value: [UInt8], expiry: Int64) throws(StorageError) -> DiskEntry {
    let file = (0..<DiskEntry.nameSize).map { _ in UInt8.random(in: .min ... .max) }
    let stored = try sealed(value, file)
    let entry = DiskEntry(file: file, size: UInt64(stored.count), checksum: Self.checksum(stored), expiry: expiry)
    let path = path(entry)
    do throws(FileError) {
      try OpenFile(path, .making(0o600), followsLinks: false).append(stored)
    } catch {
      try? FileSystem.remove(path)
      throw StorageError(error)
    }
    return entry
  }

  /// Reads a value; nil where its file is missing, or not as it was written.
  func read(_ entry: DiskEntry) -> [UInt8]? {
    guard let file = try? OpenFile(path(entry), .reading, followsLinks: false), let status = file.status,
      status.kind == .file, status.size == entry.size
    else { return nil }
    var stored = [UInt8](repeating: 0, count: Int(entry.size))
    let count = stored.withUnsafeMutableBytes { file.fill($0, at: 0) }
    guard count == stored.count, Self.checksum(stored) == entry.checksum else { return nil }
    return opened(stored, entry.file)
  }

  func remove(_ entry: DiskEntry) { try? FileSystem.remove(path(entry)) }

  /// Removes the files that are none of these entries'.
  func removeStrays(except entries: some Sequence<DiskEntry>) {
    let known = Set(entries.map(\.name))
    for name in (try? FileSystem.names(in: folder)) ?? [] where !known.contains(name) {
      try? FileSystem.remove(folder + "/" + name)
    }
  }

  private func path(_ entry: DiskEntry) -> String { folder + "/" + entry.name }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }

  private func sealed(_ value: [UInt8], _ name: [UInt8]) throws(StorageError) -> [UInt8] {
    guard let key else { return value }
    guard let sealed = try? AES.GCM.seal(value, using: key, authenticating: name).combined else {
      throw StorageError(.cipherFailed)
    }
    return Array(sealed)
  }

  private func opened(_ stored: [UInt8], _ name: [UInt8]) -> [UInt8]? {
    guard let key else { return stored }
    guard let box = try? AES.GCM.SealedBox(combined: stored),
      let value = try? AES.GCM.open(box, using: key, authenticating: name)
    else { return nil }
    return Array(value)
  }
}
