#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The different tokens of sources: each text of a language family has one number.
///
/// Two texts have the same number only where their bytes are the same; the hash finds candidates.
final class TokenTable {
  struct Entry {
    var hash: UInt64
    /// The place of the text in `texts`.
    var offset: Int
    var length: UInt32
    var kind: TokenKind
    var family: UInt8
  }

  private(set) var entries: [Entry] = []
  private var texts: [UInt8] = []
  /// High half of the hash and number + 1; 0 is an empty place.
  private var slots: [UInt64]
  private var mask: Int
  private static let languages = Dictionary(
    SourceLanguage.allCases.map { ($0.family, Syntax.of($0).keywords) }, uniquingKeysWith: { $0.union($1) })

  init(capacity: Int = 1 << 12) {
    slots = [UInt64](repeating: 0, count: capacity)
    mask = capacity - 1
  }

  var count: Int { entries.count }

  /// The number of a text, which is new where it was not there.
  func number(_ kind: TokenKind, _ text: UnsafePointer<UInt8>, _ length: Int, _ family: UInt8) -> UInt32 {
    let hash = TokenHash.of(text, length) ^ (UInt64(family) &* 0x9e37_79b9_7f4a_7c15)
    return number(hash, kind, text, length, family)
  }

  private func number(
    _ hash: UInt64, _ kind: TokenKind, _ text: UnsafePointer<UInt8>, _ length: Int, _ family: UInt8
  ) -> UInt32 {
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { break }
      if slot >> 32 == hash >> 32 {
        let number = UInt32(truncatingIfNeeded: slot) - 1
        let entry = entries[Int(number)]
        let isSame =
          entry.hash == hash && entry.family == family && Int(entry.length) == length
          && texts.withUnsafeBufferPointer { texts in
            texts.baseAddress.map { memcmp($0 + entry.offset, text, length) == 0 } ?? (length == 0)
          }
        if isSame { return number }
      }
      place = (place + 1) & mask
    }
    let number = UInt32(entries.count)
    entries.append(
      Entry(
        hash: hash, offset: texts.count, length: UInt32(clamping: length), kind: known(kind, text, length, family),
        family: family))
    texts.append(contentsOf: UnsafeBufferPointer(start: text, count: length))
    slots[place] = (hash >> 32) << 32 | UInt64(number + 1)
    if entries.count * 2 > slots.count { grow() }
    return number
  }

  /// A word that the language keeps for itself is a keyword.
  private func known(_ kind: TokenKind, _ text: UnsafePointer<UInt8>, _ length: Int, _ family: UInt8) -> TokenKind {
    guard kind == .word, length <= 20, let words = Self.languages[family] else { return kind }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
    return words.contains(word) ? .keyword : kind
  }

  private func grow() {
    slots = [UInt64](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for (number, entry) in entries.enumerated() {
      var place = Int(truncatingIfNeeded: entry.hash) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = (entry.hash >> 32) << 32 | UInt64(number + 1)
    }
  }

  /// Takes in the tokens of another table.
  ///
  /// - Returns: The number here of each of its tokens.
  func merge(_ other: TokenTable) -> [UInt32] {
    other.texts.withUnsafeBufferPointer { texts in
      other.entries.map { entry in
        guard let base = texts.baseAddress else { return 0 }
        return number(entry.hash, entry.kind, base + entry.offset, Int(entry.length), entry.family)
      }
    }
  }

  func text(_ number: UInt32) -> ArraySlice<UInt8> {
    let entry = entries[Int(number)]
    return texts[entry.offset..<entry.offset + Int(entry.length)]
  }
}

/// The hash of a text, eight bytes at a time.
enum TokenHash {
  @inline(__always)
  static func of(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: length) &* 0x9e37_79b9_7f4a_7c15
    var place = 0
    let raw = UnsafeRawPointer(text)
    while place + 8 <= length {
      hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while place < length {
      rest |= UInt64(text[place]) << shift
      shift += 8
      place += 1
    }
    return mix(hash ^ rest &+ 0x1234_5678_9abc_def1)
  }

  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
