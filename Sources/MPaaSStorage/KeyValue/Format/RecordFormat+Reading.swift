import CLogRing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RecordFormat {
  /// The outcome of a look at a place where a record may begin.
  enum Found {
    case none
    /// It states so many bytes, more than there are.
    case incomplete(Int)
    /// It is whole by its checksum, and has so many bytes.
    case whole(Int)
  }

  /// Looks whether a record begins at the front of the bytes, which stand at `offset` of the file.
  func find(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Found {
    guard bytes.count >= Self.markerSize else { return .none }
    guard bytes.number(0) as UInt32 == marker else { return .none }
    var place = Self.markerSize
    guard let rest = Varint.read(bytes, &place) else { return .none }
    guard rest >= Self.checkSize + 8 + 3, rest <= Self.longest else { return .none }
    let size = place + rest
    guard size <= bytes.count else { return .incomplete(size) }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.markerSize..<size - Self.checkSize])
    guard let start = checked.baseAddress,
      check(start, checked.count, at: offset) == bytes.number(size - Self.checkSize)
    else { return .none }
    return .whole(size)
  }

  /// Hands over the content of a record that is whole.
  ///
  /// - Returns: Nil where it does not decrypt, or where its lengths are none.
  func read<Result>(
    _ record: UnsafeRawBufferPointer, at offset: UInt64, _ body: (RecordFields) -> Result
  ) -> Result? {
    var place = Self.markerSize
    guard Varint.read(record, &place) != nil else { return nil }
    let inside = UnsafeRawBufferPointer(rebasing: record[place..<record.count - Self.checkSize])
    guard let cipher else {
      return fields(UnsafeRawBufferPointer(rebasing: inside[8...]), inside.number(0)).map(body)
    }
    guard inside.count > RecordCipher.overhead else { return nil }
    return cipher.open(inside, at: offset) { content in fields(content, inside.number(4)).map(body) }
  }

  private func fields(_ content: UnsafeRawBufferPointer, _ sequence: UInt64) -> RecordFields? {
    guard let first = content.first else { return nil }
    let flags = RecordFlags(bits: first)
    var place = 1
    var expiry: Int64 = 0
    if flags.hasExpiry {
      guard content.count >= 9 else { return nil }
      expiry = content.number(1)
      place = 9
    }
    guard let business = Varint.read(content, &place), let key = Varint.read(content, &place),
      business + key <= content.count - place
    else { return nil }
    let middle = place + business, end = middle + key
    return RecordFields(
      flags: flags, sequence: sequence, expiry: expiry,
      business: UnsafeRawBufferPointer(rebasing: content[place..<middle]),
      key: UnsafeRawBufferPointer(rebasing: content[middle..<end]),
      value: UnsafeRawBufferPointer(rebasing: content[end...]))
  }
}
