package import MPaaSStorage
import MPaaSSupport

/// Reads a file of MMKV, plain or encrypted.
///
/// The file has the size of the content 4, little endian, and the content; behind it are zeros. The content, encrypted as
/// a whole or not, is a number of no meaning, and then keys and values, each behind its length; lengths are varints. Of
/// values of one key the last one counts, and one without bytes removes the key. Source: MMKV 2.4, `MMKV_IO.cpp` and
/// `MiniPBCoder.cpp`.
package struct MMKVFile: Sendable {
  /// The place of the content.
  private static let front = 4

  /// A value as it stands, with its place in the file.
  struct Entry: Sendable, Equatable {
    let key: String
    let bytes: [UInt8]
    let offset: Int
    /// Seconds since 1970; 0 for never.
    let expiry: UInt32
  }

  let entries: [Entry]
  private let file: String

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - meta: The bytes of the file of checksums; nil to read without one.
  ///   - key: The bytes of the key; nil for a plain file.
  ///   - file: The name in errors.
  ///   - isChecked: Whether the checksum has to fit.
  /// - Throws: `mmkv-malformed` with the offset, `mmkv-checksum`, `mmkv-meta-missing`, `mmkv-key-wrong`.
  package init(
    _ bytes: [UInt8], meta: [UInt8]?, key: [UInt8]? = nil, file: String, isChecked: Bool = true
  ) throws(StorageError) {
    self.file = file
    let meta = meta.flatMap(MMKVMeta.init)
    guard meta != nil || (!isChecked && key == nil) else {
      throw StorageError(.mmkvMetaMissing, ["path": file + ".crc", "file": file], at: .file(file + ".crc"))
    }
    let content = try Self.content(of: bytes, meta, isChecked, file)
    guard let key else {
      do throws(StorageError) {
        entries = try Self.entries(content, hasExpiry: meta?.hasExpiry ?? false, file)
      } catch {
        // A plain file has no vector.
        guard meta?.vector?.contains(where: { $0 != 0 }) == true else { throw error }
        throw StorageError(.mmkvKeyWrong, ["path": file], at: .file(file))
      }
      return
    }
    for cipher in MMKVCipher.candidates(key, vector: meta?.vector) {
      guard let plain = cipher.decrypt(content),
        let found = try? Self.entries(plain, hasExpiry: meta?.hasExpiry ?? false, file)
      else { continue }
      entries = found
      return
    }
    throw StorageError(.mmkvKeyWrong, ["path": file], at: .file(file))
  }

  /// The content whose checksum fits; its size stands beside it or, in old files, in front of it.
  private static func content(
    of bytes: [UInt8], _ meta: MMKVMeta?, _ isChecked: Bool, _ file: String
  ) throws(StorageError) -> ArraySlice<UInt8> {
    guard bytes.count >= front else { throw malformed(0, file) }
    let written = bytes[..<front].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Newer versions leave the size in front of the content at 0; older ones have it there alone.
    let sizes = meta?.size.map { written > 0 ? [$0, written] : [$0] } ?? [written]
    guard sizes.contains(where: { $0 <= bytes.count - front }) else { throw malformed(0, file) }
    guard meta != nil || written > 0 || bytes.allSatisfy({ $0 == 0 }) else {
      throw StorageError(.mmkvMetaMissing, ["path": file + ".crc", "file": file], at: .file(file + ".crc"))
    }
    for size in sizes where size <= bytes.count - front {
      let content = bytes[front..<front + size]
      if !isChecked || checksum(content) == meta?.checksum { return content }
    }
    throw StorageError(.mmkvChecksum, ["path": file], at: .bytes(file: file, offset: UInt64(front)))
  }

  private static func checksum(_ content: ArraySlice<UInt8>) -> UInt32 {
    content.withUnsafeBytes { Checksum.crc32($0) }
  }

  static func malformed(_ offset: Int, _ file: String) -> StorageError {
    StorageError(.mmkvMalformed, ["path": file], at: .bytes(file: file, offset: UInt64(offset)))
  }

  private static func entries(
    _ content: some Collection<UInt8>, hasExpiry: Bool, _ file: String
  ) throws(StorageError) -> [Entry] {
    var order: [String] = []
    var found: [String: Entry] = [:]
    let bytes = Array(content)
    var reader = MMKVReader(bytes, front: front, file: file)
    if !bytes.isEmpty { _ = try reader.length() }
    while !reader.isAtEnd {
      guard let key = try reader.key() else { continue }
      let entry = try reader.entry(key, hasExpiry: hasExpiry)
      if found[key] == nil { order.append(key) }
      found[key] = entry
    }
    // A key that was removed and set again stands where it came first.
    return order.compactMap { found[$0] }.filter { !$0.bytes.isEmpty }
  }

  /// The values as a key-value store takes them.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970; values that are not there any more are left out.
  ///   - kinds: The kinds of values, which the file does not tell.
  /// - Throws: `kv-import-kind` where a value is not of the kind that was said.
  package func records(
    business: String, kinds: ImportKinds = .none, now: Int64
  ) throws(StorageError) -> ImportedFile {
    var imported = ImportedFile()
    for entry in entries where entry.expiry == 0 || Int64(entry.expiry) > now {
      let (value, isGuess) = try MMKVValue(entry.bytes).stored(kinds.kind(of: entry.key), entry, file)
      imported.records.append(
        ImportedRecord(
          business: business, key: entry.key, value: value, expiry: Int64(entry.expiry) * 1000, isGuess: isGuess))
    }
    return imported
  }
}

/// Reads keys and values one after another.
struct MMKVReader {
  private let bytes: [UInt8]
  private let front: Int
  private let file: String
  private var offset = 0

  /// - Parameter front: The place of the first byte in the file.
  init(_ bytes: [UInt8], front: Int, file: String) { (self.bytes, self.front, self.file) = (bytes, front, file) }

  var isAtEnd: Bool { offset >= bytes.count }

  /// A length: a varint of at most five bytes.
  mutating func length() throws(StorageError) -> Int {
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 35, by: 7) {
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(value) }
    }
    throw MMKVFile.malformed(front + start, file)
  }

  private mutating func piece() throws(StorageError) -> (bytes: ArraySlice<UInt8>, start: Int) {
    let start = offset
    let size = try length()
    guard size <= bytes.count - offset else { throw MMKVFile.malformed(front + start, file) }
    defer { offset += size }
    return (bytes[offset..<offset + size], offset)
  }

  /// The next key; nil for an empty one, which has no value.
  mutating func key() throws(StorageError) -> String? {
    let (piece, start) = try piece()
    guard let key = String(validUTF8: piece) else { throw MMKVFile.malformed(front + start, file) }
    return key.isEmpty ? nil : key
  }

  /// The value of a key.
  mutating func entry(_ key: String, hasExpiry: Bool) throws(StorageError) -> MMKVFile.Entry {
    let (piece, start) = try piece()
    guard hasExpiry, !piece.isEmpty else {
      return MMKVFile.Entry(key: key, bytes: Array(piece), offset: front + start, expiry: 0)
    }
    guard piece.count >= 4 else { throw MMKVFile.malformed(front + start, file) }
    let expiry = piece.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return MMKVFile.Entry(key: key, bytes: Array(piece.dropLast(4)), offset: front + start, expiry: expiry)
  }
}
