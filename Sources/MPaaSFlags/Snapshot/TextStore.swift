import MPaaSBuckets

/// Collects the texts of a snapshot, and tables that find them.
struct TextStore {
  private(set) var texts: [Run] = []
  private(set) var bytes: [UInt8] = []
  private(set) var tables: [Int32] = []
  /// The start of hashes, which differs from one snapshot to the next, so that no state can be made to collide.
  let seed = UInt32.random(in: 0...UInt32.max)

  /// The fewest texts that get a table.
  private static let fewest = 9

  mutating func add(_ text: String, lowercased: Bool = false) -> Int32 {
    let start = Int32(bytes.count)
    if lowercased { text.withLowercaseBytes { bytes += $0 } } else { bytes += text.utf8 }
    texts.append(Run(start: start, count: Int32(bytes.count) - start))
    return Int32(texts.count - 1)
  }

  mutating func add(_ list: [String], lowercased: Bool = false) -> Run {
    let start = Int32(texts.count)
    for text in list { _ = add(text, lowercased: lowercased) }
    return Run(start: start, count: Int32(list.count))
  }

  /// A list that texts are looked up in; of equal ones the last counts.
  mutating func list(_ texts: [String], lowercased: Bool = false, alwaysTable: Bool = false) -> TextList {
    let run = add(texts, lowercased: lowercased)
    guard texts.count >= Self.fewest || alwaysTable else { return TextList(texts: run) }
    var size = 16
    while size < texts.count * 2 { size *= 2 }
    let start = tables.count
    tables += [Int32](repeating: -1, count: size)
    for number in run.range { insert(number, start, size) }
    return TextList(texts: run, table: Run(start: Int32(start), count: Int32(size)))
  }

  private mutating func insert(_ number: Int, _ start: Int, _ size: Int) {
    var hash = MurmurHash3(seed: seed)
    for byte in bytes[texts[number].range] { hash.append(byte) }
    var place = Int(hash.value) & (size - 1)
    while case let other = Int(tables[start + place]), other >= 0 {
      if bytes[texts[other].range].elementsEqual(bytes[texts[number].range]) { break }
      place = (place + 1) & (size - 1)
    }
    tables[start + place] = Int32(number)
  }
}
