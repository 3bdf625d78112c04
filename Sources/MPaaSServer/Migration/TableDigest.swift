import MPaaSDatabase
import MPaaSDigests

/// The number of a table's rows and a digest of them that does not depend on their order: the sum of the SHA-256 of all
/// rows, each as four numbers of 64 bits.
struct TableDigest: Equatable {
  private(set) var rows: Int64 = 0
  private var sum = SIMD4<UInt64>()

  mutating func add(_ row: [SQLValue]) {
    var bytes: [UInt8] = []
    for value in row { ValueBytes.append(Self.canonical(value), to: &bytes) }
    let digest = bytes.sha256
    var numbers = SIMD4<UInt64>()
    for (place, byte) in digest.enumerated() { numbers[place / 8] = numbers[place / 8] << 8 | UInt64(byte) }
    sum &+= numbers
    rows += 1
  }

  /// A value as each engine may have it: PostgreSQL knows no NUL in texts, SQLite neither a negative zero nor numbers
  /// that are none.
  private static func canonical(_ value: SQLValue) -> SQLValue {
    switch value {
    case .text(let text) where text.utf8.contains(0):
      .text(text.unicodeScalars.reduce(into: "") { $0.unicodeScalars.append($1 == "\0" ? "\u{2400}" : $1) })
    case .real(let number) where number.isNaN: .null
    case .real(let number) where number == 0: .real(0)
    default: value
    }
  }
}

/// Values as bytes: a letter for the kind, then eight bytes with the most significant first, which are the number or the
/// count of the bytes that follow.
enum ValueBytes {
  static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(UInt8(ascii: "n"))
    case .integer(let number): append("i", UInt64(bitPattern: number), to: &bytes)
    case .real(let number): append("r", number.bitPattern, to: &bytes)
    case .text(let text):
      append("t", UInt64(text.utf8.count), to: &bytes)
      bytes += text.utf8
    case .blob(let blob):
      append("b", UInt64(blob.count), to: &bytes)
      bytes += blob
    }
  }

  private static func append(_ kind: Unicode.Scalar, _ number: UInt64, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: kind))
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }

  /// The values that bytes stand for; nil where they are cut or say what cannot be.
  static func values(_ bytes: [UInt8]) -> [SQLValue]? {
    var values: [SQLValue] = []
    var rest = bytes[...]
    while let kind = rest.popFirst() {
      if kind == UInt8(ascii: "n") {
        values.append(.null)
        continue
      }
      guard rest.count >= 8 else { return nil }
      let number = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      switch kind {
      case UInt8(ascii: "i"): values.append(.integer(Int64(bitPattern: number)))
      case UInt8(ascii: "r"): values.append(.real(Double(bitPattern: number)))
      case UInt8(ascii: "t"), UInt8(ascii: "b"):
        guard number <= rest.count else { return nil }
        let content = rest.prefix(Int(number))
        rest = rest.dropFirst(Int(number))
        values.append(
          kind == UInt8(ascii: "b") ? .blob(Array(content)) : .text(String(decoding: content, as: UTF8.self)))
      default: return nil
      }
    }
    return values
  }
}
