/// The binary bytes of an age file from the first to the last, be it armoured or not.
struct AgeSource {
  private let file: UnsafeRawBufferPointer
  private var armor: AgeArmorReader?
  /// Bytes that were decoded and not taken yet.
  private var pending: [UInt8] = []
  /// Bytes of the file that were used up.
  private(set) var used = 0

  /// - Parameter isArmored: Looked up in the file's first bytes where nothing is said.
  init(_ file: UnsafeRawBufferPointer, isArmored: Bool? = nil) throws(TrustError) {
    self.file = file
    if isArmored ?? AgeArmorReader.looksArmored(file) { armor = try AgeArmorReader(file) }
  }

  /// Makes at least `count` bytes pending, fewer only at the end.
  private mutating func fill(_ count: Int) throws(TrustError) {
    if armor == nil {
      let end = min(file.count, used + max(count - pending.count, 0))
      pending += UnsafeRawBufferPointer(rebasing: file[used..<end])
      used = end
    } else {
      while pending.count < count, let piece = try armor?.next() { pending += piece }
      used = armor?.offset ?? used
    }
  }

  /// The next bytes without taking them, fewer than `count` only at the end.
  mutating func peek(_ count: Int) throws(TrustError) -> ArraySlice<UInt8> {
    try fill(count)
    return pending.prefix(count)
  }

  /// Takes the next bytes, fewer than `count` only at the end.
  mutating func take(_ count: Int) throws(TrustError) -> [UInt8] {
    try fill(count)
    let taken = Array(pending.prefix(count))
    pending.removeFirst(taken.count)
    return taken
  }

  /// Whether all bytes were taken; an armoured file has been read to its end then.
  mutating func isAtEnd() throws(TrustError) -> Bool {
    try peek(1).isEmpty
  }
}
