import MPaaSSupport

/// Names and what is kept under them: what a key picture holds.
///
/// Written as: the number of pairs (2 bytes), then each pair, sorted by the bytes of its name: length of the name
/// (2 bytes), name, length of the value (2 bytes), value; then zeros up to a multiple of 256 bytes, so that the size
/// tells little. All numbers are big-endian, all text is UTF-8.
package struct KeyPairs: Sendable, Equatable {
  package private(set) var values: [String: String] = [:]

  /// The most bytes that the written form has: what fits into one segment of a JPEG.
  package static let limit = 65_280
  private static let block = 256

  package init() {}

  package var names: [String] { values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
  package subscript(name: String) -> String? { values[name] }

  /// Puts a value under a name, in place of an earlier one.
  ///
  /// - Throws: `TrustError` `key-pair-name` for a name that is empty, longer than 128 bytes, or has control characters;
  ///   `key-picture-too-large`.
  package mutating func set(_ name: String, _ value: String) throws(TrustError) {
    guard Self.isName(name) else { throw TrustError(.keyPairName, ["name": name]) }
    var changed = self
    changed.values[name] = value
    guard changed.size <= Self.limit else {
      throw TrustError(.keyPictureTooLarge, ["size": String(changed.size), "limit": String(Self.limit)])
    }
    self = changed
  }

  /// Takes a pair away; says whether there was one.
  package mutating func remove(_ name: String) -> Bool { values.removeValue(forKey: name) != nil }

  static func isName(_ name: String) -> Bool {
    (1...128).contains(name.utf8.count) && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
  }

  private var size: Int { values.reduce(2) { $0 + 4 + $1.key.utf8.count + $1.value.utf8.count } }

  /// The written form.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + Self.block)
    Self.append(values.count, to: &bytes)
    for name in names {
      for text in [name, values[name] ?? ""] {
        Self.append(text.utf8.count, to: &bytes)
        bytes += text.utf8
      }
    }
    let excess = bytes.count % Self.block
    if excess > 0 { bytes += repeatElement(0, count: Self.block - excess) }
    return bytes
  }

  /// `number` is at most 65,535, since all of it fits into `limit`.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    bytes += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// The places of the values in a written form, which must be exactly as `encoded` makes it.
  ///
  /// - Throws: `TrustError` `key-picture-damaged`.
  static func places(in bytes: UnsafeRawBufferPointer) throws(TrustError) -> [(name: String, value: Range<Int>)] {
    do throws(ByteError) {
      guard bytes.count <= limit + block, bytes.count % block == 0 else { throw damaged }
      var cursor = ByteCursor(bytes, bigEndian: true)
      var places: [(name: String, value: Range<Int>)] = []
      for _ in 0..<(try cursor.u16()) {
        let name = String(utf8: try cursor.bytes(Int(try cursor.u16())))
        let count = Int(try cursor.u16())
        let start = cursor.offset
        guard String(validUTF8: try cursor.bytes(count)) != nil, isName(name),
          places.last.map({ $0.name.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true
        else { throw damaged }
        places.append((name, start..<start + count))
      }
      let rest = try cursor.bytes(cursor.remaining)
      guard rest.count < block, rest.allSatisfy({ $0 == 0 }) else { throw damaged }
      return places
    } catch {
      throw TrustError(.keyPictureDamaged)
    }
  }

  private static let damaged = ByteError(code: .unsupportedSize, offset: 0)

  init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    for (name, place) in try Self.places(in: bytes) {
      values[name] = String(utf8: UnsafeRawBufferPointer(rebasing: bytes[place]))
    }
  }
}

extension TrustError.Code {
  package static let keyPairName = TrustError.Code("key-pair-name", exit: .usage)
  package static let keyPictureTooLarge = TrustError.Code("key-picture-too-large", exit: .usage)
  package static let keyPictureDamaged = malformed("key-picture-damaged")
}
