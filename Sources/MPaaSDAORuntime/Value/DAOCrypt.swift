/// The way in which properties are kept encrypted that the document names in `crypt` elements.
public struct DAOCrypt: Sendable {
  /// Encrypts what is kept of a property of a class.
  public let encrypt: @Sendable (_ bytes: [UInt8], _ className: String, _ property: String) throws -> [UInt8]
  /// Decrypts what `encrypt` gave; it throws for anything else.
  public let decrypt: @Sendable (_ bytes: [UInt8], _ className: String, _ property: String) throws -> [UInt8]

  /// Creates a pair of functions, which must be callable from any thread.
  public init(
    encrypt: @escaping @Sendable (_ bytes: [UInt8], _ className: String, _ property: String) throws -> [UInt8],
    decrypt: @escaping @Sendable (_ bytes: [UInt8], _ className: String, _ property: String) throws -> [UInt8]
  ) {
    self.encrypt = encrypt
    self.decrypt = decrypt
  }
}

/// A value as bytes: a byte for its kind, and what it holds.
///
/// Numbers are little-endian.
enum DAOValueBytes {
  static func encode(_ value: DAOValue) throws(DAOError) -> [UInt8]? {
    switch value {
    case .null: nil
    case .bool(let flag): [1, flag ? 1 : 0]
    case .integer(let number): [2] + bytes(UInt64(bitPattern: number))
    case .real(let number): [3] + bytes(number.bitPattern)
    case .text(let text): [4] + text.utf8
    case .data(let data): [5] + data
    case .list, .dictionary, .object: throw DAOError(.argumentType, ["value": "crypt", "kind": value.kind])
    }
  }

  /// The value of bytes; nil where they are none.
  static func decode(_ bytes: [UInt8]) -> DAOValue? {
    let rest = bytes.dropFirst()
    switch (bytes.first, rest.count) {
    case (1, 1): return .bool(rest.first == 1)
    case (2, 8): return .integer(Int64(bitPattern: number(rest)))
    case (3, 8): return .real(Double(bitPattern: number(rest)))
    case (4, _): return .text(String(decoding: rest, as: UTF8.self))
    case (5, _): return .data(Array(rest))
    default: return nil
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
