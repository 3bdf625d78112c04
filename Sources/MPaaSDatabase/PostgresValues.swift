/// The values of a statement as PostgreSQL's binary formats have them: numbers with the most significant byte first.
///
/// Source: PostgreSQL 15, 55.7 "Message Formats", `Bind`; the sizes are those of the types' `send` functions.
struct PostgresValues {
  private(set) var bytes: [UInt8] = []
  private(set) var lengths: [Int32] = []
  /// All are binary.
  var formats: [Int32] { [Int32](repeating: 1, count: lengths.count) }
  private var starts: [Int] = []

  init(_ values: [SQLValue], _ places: [Int]) {
    for place in places {
      starts.append(bytes.count)
      append(values[place])
      lengths.append(Int32(clamping: bytes.count - (starts.last ?? 0)))
    }
    // A value without bytes needs an address, too.
    bytes.append(0)
  }

  /// Hands out an address of each value.
  func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { bytes in
        body(starts.map { start in bytes.baseAddress.map { $0 + start } })
      }
    }
  }

  private mutating func append(_ value: SQLValue) {
    switch value {
    case .null: break
    case .integer(let number): append(UInt64(bitPattern: number))
    case .real(let number): append(number.bitPattern)
    case .blob(let blob): bytes += blob
    case .text(let text):
      // PostgreSQL has no texts with NUL.
      if text.utf8.contains(0) {
        for byte in text.utf8 { if byte == 0 { bytes += "\u{2400}".utf8 } else { bytes.append(byte) } }
      } else {
        bytes += text.utf8
      }
    }
  }

  private mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}

/// The types of columns and values by their numbers in `pg_type`.
enum PostgresType {
  static let bool: UInt32 = 16
  static let bytes: UInt32 = 17
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
  static let numeric: UInt32 = 1700

  /// The type that a value is sent as; 0 has the server find it out.
  static func of(_ value: SQLValue) -> UInt32 {
    switch value {
    case .null: 0
    case .integer: int8
    case .real: float8
    case .text: text
    case .blob: bytes
    }
  }
}
