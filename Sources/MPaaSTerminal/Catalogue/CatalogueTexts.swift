#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The texts of one language in the program's own data, found by a search in sorted keys: nothing is read at start.
///
/// The literal that `CatalogueTool` writes: the number of entries, the offset of each entry and the end of the last one,
/// all in eight decimal digits; then the entries in the order of their keys' bytes, each `KEY TAB TEXT LF`.
struct CatalogueTexts: Sendable {
  /// `nonisolated(unsafe)`: the bytes are a literal, which stays as it is while the program runs.
  private nonisolated(unsafe) let start: UnsafePointer<UInt8>
  private let count: Int

  init(_ language: Language) {
    start = CatalogueLiterals.texts(language.rawValue).utf8Start
    count = Self.number(start)
  }

  subscript(key: String) -> String? {
    var key = key
    return key.withUTF8 { key in
      let index = lowerBound(key)
      guard index < count, compare(index, key) == 0 else { return nil }
      let begin = offset(index) + key.count + 1
      return String(decoding: bytes(begin, offset(index + 1) - 1), as: UTF8.self)
    }
  }

  /// The keys that start with a text, in the order of their bytes.
  func keys(startingWith prefix: String) -> [String] {
    var prefix = prefix
    let first = prefix.withUTF8 { lowerBound($0) }
    var found: [String] = []
    for index in first..<count {
      let key = String(decoding: key(index), as: UTF8.self)
      guard key.hasPrefix(prefix) else { break }
      found.append(key)
    }
    return found
  }

  /// The first entry whose key is not before a given one.
  private func lowerBound(_ wanted: UnsafeBufferPointer<UInt8>) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if compare(middle, wanted) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Below, equal to or above zero where an entry's key is before, equal to or behind a given one.
  private func compare(_ index: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Int {
    let key = key(index)
    let shorter = min(key.count, wanted.count)
    if shorter > 0, let own = key.baseAddress, let other = wanted.baseAddress {
      let order = memcmp(own, other, shorter)
      if order != 0 { return Int(order) }
    }
    return key.count - wanted.count
  }

  private func key(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let begin = offset(index)
    let entry = bytes(begin, offset(index + 1))
    let tab = memchr(start + begin, Int32(UInt8(ascii: "\t")), entry.count)
    return UnsafeBufferPointer(
      rebasing: entry.prefix(tab.map { UnsafeRawPointer(start + begin).distance(to: $0) } ?? 0))
  }

  private func bytes(_ begin: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start + begin, count: end - begin)
  }

  private func offset(_ index: Int) -> Int { Self.number(start + 8 + 8 * index) }

  private static func number(_ digits: UnsafePointer<UInt8>) -> Int {
    var value = 0
    var index = 0
    while index < 8 {
      value = value * 10 + Int(digits[index] & 15)
      index += 1
    }
    return value
  }
}
