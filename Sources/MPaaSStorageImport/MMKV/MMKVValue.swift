import MPaaSStorage
import MPaaSSupport

/// The bytes of a value, which do not tell its kind.
///
/// Texts and bytes have their length in front of them, whole numbers and yes or no are varints, numbers with a fraction 8
/// or 4 bytes, little endian. Source: MMKV 2.4, `CodedOutputData.cpp`.
struct MMKVValue {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value as the kind that was said, else as it looks.
  ///
  /// - Returns: The value, and whether another kind would have the same bytes.
  func stored(
    _ kind: ImportKinds.Kind?, _ entry: MMKVFile.Entry, _ file: String
  ) throws(StorageError) -> (StoredValue, Bool) {
    guard let kind else { return look }
    guard let value = read(as: kind) else {
      let values = ["key": entry.key, "kind": kind.rawValue, "path": file]
      throw StorageError(.importKind, values, at: .bytes(file: file, offset: UInt64(entry.offset)))
    }
    return (value, false)
  }

  private func read(as kind: ImportKinds.Kind) -> StoredValue? {
    switch kind {
    case .string: content.flatMap { String(validUTF8: $0) }.map(StoredValue.string)
    case .integer: number.map(StoredValue.integer)
    case .bool: number.map { StoredValue.bool($0 != 0) }
    case .double: real(8).map(StoredValue.double)
    case .float: real(4).map(StoredValue.double)
    case .data: content.map { StoredValue.data(Array($0)) }
    }
  }

  /// The kind that the bytes look like most.
  private var look: (StoredValue, Bool) {
    // One byte of 0 is a text without characters as well.
    if let number { return (.integer(number), bytes == [0] || bytes.count == 8 || bytes.count == 4) }
    if let content { return (Self.object(content), bytes.count == 8 || bytes.count == 4) }
    if let real = real(8) ?? real(4) { return (.double(real), false) }
    return (.data(bytes), true)
  }

  private static func object(_ content: ArraySlice<UInt8>) -> StoredValue {
    if content.starts(with: Array("bplist00".utf8)) {
      let isArchive = Array(content).has(Array("$archiver".utf8))
      return isArchive ? .archive(Array(content)) : .propertyList(Array(content))
    }
    return String(validUTF8: content).map(StoredValue.string) ?? .data(Array(content))
  }

  /// The bytes behind a length that is theirs.
  private var content: ArraySlice<UInt8>? {
    var reader = VarintReader(bytes)
    guard let size = reader.next(), size == UInt64(bytes.count - reader.offset) else { return nil }
    return bytes[reader.offset...]
  }

  /// The whole number that all bytes are; one below 0 has ten of them.
  private var number: Int64? {
    var reader = VarintReader(bytes)
    guard let number = reader.next(), reader.offset == bytes.count else { return nil }
    return Int64(bitPattern: number)
  }

  private func real(_ size: Int) -> Double? {
    guard bytes.count == size else { return nil }
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
  }
}

/// Reads a varint that is as short as it can be.
private struct VarintReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      guard shift < 63 || byte & 0x7e == 0 else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return shift > 0 && byte == 0 ? nil : value }
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func has(_ word: [UInt8]) -> Bool {
    guard count >= word.count else { return false }
    return (0...count - word.count).contains { self[$0] == word[0] && self[$0..<$0 + word.count].elementsEqual(word) }
  }
}
