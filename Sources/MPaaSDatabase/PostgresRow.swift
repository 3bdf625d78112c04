import CPostgres

/// The result of a statement; it is given back with its last owner.
final class PostgresResult {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { mp_postgres_clear(pointer) }

  var rowCount: Int32 { mp_postgres_row_count(pointer) }

  /// The words by which it says what was done.
  var tag: String { String(cString: mp_postgres_tag(pointer)) }

  /// The number of rows that it changed; nil for statements that change none: `INSERT 0 1`, `UPDATE 3`, `DELETE 2`.
  var changes: Int? {
    let tag = tag
    guard let first = tag.first, "IUD".contains(first) else { return nil }
    return tag.split(separator: " ").last.flatMap { Int($0) }
  }
}

/// A row of a result, in binary formats, which become one another as they do in SQLite.
struct PostgresRow {
  let result: OpaquePointer
  let row: Int32

  var count: Int { Int(mp_postgres_column_count(result)) }

  func name(_ column: Int) -> String {
    mp_postgres_column_name(result, Int32(column)).map { String(cString: $0) } ?? ""
  }

  func isNull(_ column: Int) -> Bool { mp_postgres_is_null(result, row, Int32(column)) }
  func bytes(_ column: Int) -> Int { Int(mp_postgres_length(result, row, Int32(column))) }
  func blob(_ column: Int) -> [UInt8] { Array(raw(column)) }

  func text(_ column: Int) -> String {
    switch self[column] {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  func integer(_ column: Int) -> Int64 {
    switch self[column] {
    case .null: 0
    case .integer(let number): number
    case .real(let number): Self.whole(number)
    case .text(let text): Int64(text) ?? Double(text).map(Self.whole) ?? 0
    case .blob(let bytes): Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  func real(_ column: Int) -> Double {
    switch self[column] {
    case .null: 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text): Double(text) ?? 0
    case .blob(let bytes): Double(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  subscript(column: Int) -> SQLValue {
    guard !isNull(column) else { return .null }
    let raw = raw(column)
    switch mp_postgres_type(result, Int32(column)) {
    case PostgresType.int8, PostgresType.int4, PostgresType.int2: return .integer(Self.integer(raw))
    case PostgresType.bool: return .integer(raw.first == 1 ? 1 : 0)
    case PostgresType.float8: return .real(Double(bitPattern: UInt64(bitPattern: Self.integer(raw))))
    case PostgresType.float4: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.integer(raw)))))
    case PostgresType.numeric: return Self.numeric(raw)
    case PostgresType.bytes: return .blob(Array(raw))
    default: return .text(String(decoding: raw, as: UTF8.self))
    }
  }

  private func raw(_ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: mp_postgres_value(result, row, Int32(column)), count: bytes(column))
  }

  /// A number of two, four or eight bytes.
  private static func integer(_ bytes: some Collection<UInt8>) -> Int64 {
    let sign: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  private static func whole(_ number: Double) -> Int64 {
    number.isNaN ? 0 : Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  /// A decimal number, as sums of whole numbers are: a whole one where it has no fraction.
  ///
  /// Four numbers of two bytes (digits, weight of the first, sign, digits behind the point), then the digits of base
  /// 10,000.
  private static func numeric(_ bytes: UnsafeRawBufferPointer) -> SQLValue {
    func part(_ index: Int) -> Int64 {
      index * 2 + 2 <= bytes.count ? integer(bytes[(index * 2)..<(index * 2 + 2)]) : 0
    }
    let (count, weight, isNegative) = (Int(part(0)), Int(part(1)), part(2) == 0x4000)
    var whole: Int64? = 0
    var real = 0.0
    for index in 0..<max(count, weight + 1, 0) {
      let digit = index < count ? part(4 + index) : 0
      real = real * 10_000 + Double(digit)
      guard index <= weight else {
        if digit != 0 { whole = nil }
        continue
      }
      whole = whole.flatMap { value in
        let (product, isLarge) = value.multipliedReportingOverflow(by: 10_000)
        let (sum, isLarger) = product.addingReportingOverflow(digit)
        return isLarge || isLarger ? nil : sum
      }
    }
    if let whole { return .integer(isNegative ? -whole : whole) }
    for _ in 0..<max(count - weight - 1, 0) { real /= 10_000 }
    return .real(isNegative ? -real : real)
  }
}
