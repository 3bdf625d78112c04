import MPaaSSupport

/// A part of a section as numbers; what would lie outside of it reads as 0, so that damaged data leads nowhere.
struct DataColumn<Value: FixedWidthInteger & BitwiseCopyable>: @unchecked Sendable {
  // The table that has the column keeps its bytes.
  private let base: UnsafePointer<Value>?
  let count: Int

  static var empty: Self { Self(base: nil, count: 0) }

  private init(base: UnsafePointer<Value>?, count: Int) {
    self.base = base
    self.count = count
  }

  /// Takes `count` numbers and what fills them up to a multiple of `padding` bytes; nil where they do not fit.
  init?(_ cursor: inout ByteCursor, count: Int, padding: Int = 8) {
    guard count >= 0, count <= cursor.remaining,
      let raw = try? cursor.bytes(count * MemoryLayout<Value>.stride)
    else { return nil }
    let rest = raw.count % padding
    guard rest == 0 || (try? cursor.skip(padding - rest)) != nil,
      count == 0 || UInt(bitPattern: raw.baseAddress).isMultiple(of: UInt(MemoryLayout<Value>.alignment))
    else { return nil }
    base = raw.bindMemory(to: Value.self).baseAddress
    self.count = count
  }

  @inline(__always) subscript(index: Int) -> Value {
    guard let base, UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
    return Value(littleEndian: base[index])
  }
}
