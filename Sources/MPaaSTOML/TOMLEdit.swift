/// Changes of a TOML text by where its keys stand.
///
/// It knows how people lay out their files, not all that TOML allows: whoever uses it reads the result again and
/// compares.
struct TOMLEdit {
  typealias Step = TOMLOutline.Step
  typealias Entry = TOMLOutline.Entry

  let bytes: [UInt8]
  let outline: TOMLOutline

  init(_ text: String, _ outline: TOMLOutline) {
    bytes = Array(text.utf8)
    self.outline = outline
  }

  /// The text with the value at `path`; nil where there is no place for it.
  func setting(_ path: [Step], _ value: String) -> String? {
    if let entry = outline.value(of: path) { return replacing(entry.value, with: value) }
    for count in stride(from: path.count - 1, to: 0, by: -1) {
      guard let entry = outline.value(of: Array(path.prefix(count))) else { continue }
      // Only into braces: other values hold no keys.
      guard bytes[entry.value.lowerBound] == UInt8(ascii: "{") else { return nil }
      return addingMember(to: entry, path, value)
    }
    let table = Array(path.dropLast())
    let header = outline.entries.firstIndex { $0.kind == .table && $0.path == table }
    if header != nil || table.isEmpty { return addingPair(behind: header, path, value) }
    let kin = outline.entries.indices.filter { index in
      let entry = outline.entries[index]
      return entry.kind == .pair && entry.path.count - entry.ownSteps < table.count && entry.path.starts(with: table)
    }
    if let last = kin.last {
      return addingPair(among: kin.map { outline.entries[$0] }, to: sectionPath(of: last), path, value)
    }
    return addingTable(table, path, value)
  }

  // MARK: - Into tables

  /// Adds a line to the table whose header has this index; nil is the top of the text.
  private func addingPair(behind header: Int?, _ path: [Step], _ value: String) -> String? {
    let first = header.map { $0 + 1 } ?? 0
    let end = outline.entries[first...].firstIndex(where: \.isHeader) ?? outline.entries.count
    let pairs = outline.entries[first..<end].filter { $0.kind == .pair }
    let table = header.map { outline.entries[$0].path } ?? []
    if !pairs.isEmpty { return addingPair(among: pairs, to: table, path, value) }
    let line = key(path.dropFirst(table.count)) + " = " + value
    if let header { return inserting(line, behind: outline.entries[header].end) }
    guard let next = outline.entries.first(where: \.isHeader) else { return inserting(line, behind: bytes.count) }
    return inserting(line + newline + newline, at: startWithComments(next.start))
  }

  private func addingPair(among pairs: [Entry], to table: [Step], _ path: [Step], _ value: String) -> String? {
    let name = key(path.dropFirst(table.count))
    let names = pairs.map { key($0.path.dropFirst(table.count)) }
    let isSorted = zip(names, names.dropFirst()).allSatisfy { $0 <= $1 }
    if isSorted, let next = names.firstIndex(where: { $0 > name }) {
      let place = startWithComments(pairs[next].start)
      return inserting(indentation(pairs[next].start) + "\(name) = \(value)" + newline, at: place)
    }
    guard let last = pairs.last else { return nil }
    return inserting(indentation(last.start) + "\(name) = \(value)", behind: last.end)
  }

  private func sectionPath(of index: Int) -> [Step] {
    let entry = outline.entries[index]
    return Array(entry.path.dropLast(entry.ownSteps))
  }

  private func addingTable(_ table: [Step], _ path: [Step], _ value: String) -> String? {
    let lines = "[\(key(table[...]))]" + newline + key(path.suffix(1)) + " = " + value
    for count in stride(from: table.count, to: 0, by: -1) {
      let kin = outline.entries.indices.filter {
        outline.entries[$0].isHeader && outline.entries[$0].path.starts(with: table.prefix(count))
      }
      guard let first = kin.first, let last = kin.last else { continue }
      if count == table.count {
        return inserting(lines + newline + newline, at: startWithComments(outline.entries[first].start))
      }
      return inserting(newline + lines, behind: sectionEnd(last))
    }
    return inserting((bytes.isEmpty ? "" : newline) + lines, behind: bytes.count)
  }

  /// The end of the last line of a header's table.
  private func sectionEnd(_ header: Int) -> Int {
    let next = outline.entries[(header + 1)...].firstIndex(where: \.isHeader) ?? outline.entries.count
    return outline.entries[header..<next].last { $0.kind != .member }?.end ?? bytes.count
  }

  // MARK: - Into braces

  private func addingMember(to entry: Entry, _ path: [Step], _ value: String) -> String? {
    let name = key(path.dropFirst(entry.path.count))
    let members = members(of: entry)
    let names = members.map { key($0.path.dropFirst(entry.path.count)) }
    let isSorted = zip(names, names.dropFirst()).allSatisfy { $0 <= $1 }
    guard let last = members.last else { return replacing(entry.value, with: "{ \(name) = \(value) }") }
    if isSorted, let next = names.firstIndex(where: { $0 > name }) {
      return inserting("\(name) = \(value), ", at: members[next].start)
    }
    return inserting(", \(name) = \(value)", at: last.value.upperBound)
  }

  /// The entries between the braces of an inline table, without those of tables inside it.
  private func members(of entry: Entry) -> [Entry] {
    outline.entries.filter {
      $0.kind == .member && entry.value.contains($0.start) && $0.path.count - $0.ownSteps == entry.path.count
        && $0.path.starts(with: entry.path)
    }
  }

  // MARK: - Removing

  /// The text without what is at `path` and inside it.
  func removing(_ path: [Step]) -> String? {
    var ranges: [Range<Int>] = []
    for index in outline.indices(within: path) {
      let entry = outline.entries[index]
      if ranges.contains(where: { $0.contains(entry.start) }) { continue }
      switch entry.kind {
      case .pair: ranges.append(lineStart(entry.start)..<entry.end)
      case .table, .element: ranges.append(section(index))
      case .member: ranges.append(memberRange(entry, path))
      }
    }
    var result = bytes
    for range in Self.joined(ranges).reversed() { result.removeSubrange(range) }
    return ranges.isEmpty ? nil : String(decoding: result, as: UTF8.self)
  }

  /// A table's lines, and the empty lines behind them or, at the end of the text, before them.
  private func section(_ header: Int) -> Range<Int> {
    var (start, end) = (lineStart(outline.entries[header].start), sectionEnd(header))
    while let next = emptyLineEnd(end) { end = next }
    if end == bytes.count {
      while let before = emptyLineStart(start) { start = before }
    }
    return start..<end
  }

  private func memberRange(_ entry: Entry, _ path: [Step]) -> Range<Int> {
    let table = outline.entries.last { other in
      !other.isHeader && other.value.contains(entry.start) && other.path.count == entry.path.count - entry.ownSteps
    }
    guard let table else { return entry.start..<entry.value.upperBound }
    let siblings = members(of: table)
    let kept = siblings.filter { !$0.path.starts(with: path) }
    if kept.contains(where: { $0.start > entry.start }), let next = siblings.first(where: { $0.start > entry.start }) {
      return entry.start..<next.start
    }
    if let last = kept.last { return last.value.upperBound..<entry.value.upperBound }
    return (table.value.lowerBound + 1)..<(table.value.upperBound - 1)
  }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
