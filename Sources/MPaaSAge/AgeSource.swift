/// The binary bytes of an age file from the first to the last, be it armoured or not.
///
/// A file that is not armoured is read without copying.
struct AgeSource {
  private let file: UnsafeRawBufferPointer
  private var armor: AgeArmorReader?
  /// Bytes that were decoded, and how many of them were taken.
  private var decoded: [UInt8] = []
  private var taken = 0
  /// Bytes of the file that were used up.
  private(set) var used = 0

  /// - Parameter isArmored: Looked up in the file's first bytes where nothing is said.
  init(_ file: UnsafeRawBufferPointer, isArmored: Bool? = nil) throws(TrustError) {
    self.file = file
    if isArmored ?? AgeArmorReader.looksArmored(file) { armor = try AgeArmorReader(file) }
  }

  /// Decodes armour until `count` bytes are there, fewer only at the end.
  private mutating func decode(_ count: Int) throws(TrustError) {
    guard decoded.count - taken < count else { return }
    decoded.removeFirst(taken)
    taken = 0
    while decoded.count < count, let piece = try armor?.next() { decoded += piece }
    used = armor?.offset ?? used
  }

  /// Shows the next bytes without taking them, fewer than `count` only at the end.
  mutating func peek<Value>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    if armor == nil {
      return try body(UnsafeRawBufferPointer(rebasing: file[used..<used + min(count, file.count - used)]))
    }
    try decode(count)
    let part = taken..<min(taken + count, decoded.count)
    return try decoded.withUnsafeBytes { bytes in
      Result { () throws(TrustError) in try body(UnsafeRawBufferPointer(rebasing: bytes[part])) }
    }.get()
  }

  /// Takes the next bytes, fewer than `count` only at the end.
  mutating func skip(_ count: Int) throws(TrustError) {
    if armor == nil {
      used += min(count, file.count - used)
    } else {
      try decode(count)
      taken = min(taken + count, decoded.count)
    }
  }

  /// Tells whether there are no bytes behind the next `count`; an armoured file has been read to its end then.
  mutating func ends(behind count: Int) throws(TrustError) -> Bool {
    try peek(count + 1) { bytes in bytes.count <= count }
  }
}
