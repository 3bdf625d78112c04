import MPaaSConfig

/// Finds the shortest edits of a text by which its values become others.
struct PBXRewrite {
  /// The replacement of a part of the text.
  struct Splice {
    let range: Range<Int>
    let text: String
    /// Renews a comment: it goes away silently where its place does.
    var isComment = false
  }

  let tape: OldStyleTape
  let layout: PBXLayout
  let formatter: PBXFormatter
  private(set) var splices: [Splice] = []

  init(_ tape: OldStyleTape, _ formatter: PBXFormatter) {
    self.tape = tape
    layout = formatter.layout
    self.formatter = formatter
  }

  mutating func add(_ range: Range<Int>, _ text: String, isComment: Bool = false) {
    splices.append(Splice(range: range, text: text, isComment: isComment))
  }

  /// Makes the value on the tape the new one; `key` is the member that it belongs to.
  mutating func change(_ node: Int, to value: PBXValue, key: String, isInline: Bool) {
    switch (tape.nodes[node].kind, value) {
    case (.dictionary, .dictionary(let members)):
      changeDictionary(node, to: members, under: key, isInline: isInline)
    case (.array, .array(let values)): changeArray(node, to: values, key: key, isInline: isInline)
    case (_, .string(let text)) where tape.isString(node) && tape.string(node) == text: return
    default:
      let span = tape.nodes[node].span
      let indent = layout.indent(at: span.lowerBound)
      if node > 0, tape.nodes[node - 1].start == tape.nodes[node].start {
        // `key;` has no value of its own.
        let text = formatter.value(value, key: key, indent: indent, isInline: isInline)
        return add(span.upperBound..<span.upperBound, " = " + text)
      }
      let end = layout.comment(behind: span.upperBound).upperBound
      add(span.lowerBound..<end, formatter.value(value, key: key, indent: indent, isInline: isInline))
    }
  }

  /// - Parameter except: A key that is left as it is.
  mutating func changeDictionary(
    _ node: Int, to members: [PBXMember], under key: String, isInline: Bool, except: String? = nil
  ) {
    let isInline = isInline || isOnOneLine(node)
    let silent = ["buildSettings", "attributes"].contains(key) ? key : nil
    var entries: [Entry] = []
    var places: [String: Int] = [:]
    for keyNode in tape.children(of: node) {
      let name = tape.string(keyNode)
      places[name] = entries.count
      entries.append(Entry(tape.nodes[keyNode].span.lowerBound, tape.nodes[keyNode + 1].span.upperBound, keyNode))
    }
    var isKept = [Bool](repeating: false, count: entries.count)
    var fresh: [Int: [PBXMember]] = [:]
    var slot = 0
    for (position, member) in members.enumerated() {
      if let place = places[member.key], !isKept[place] {
        isKept[place] = true
        change(entries[place].node + 1, to: member.value, key: silent ?? member.key, isInline: isInline)
        slot = place + 1
      } else if places[member.key] == nil {
        // Before the first old one comes what precedes all old ones.
        let isFirst = !members[..<position].contains { places[$0.key] != nil }
        fresh[isFirst ? 0 : slot, default: []].append(member)
      }
    }
    // The last entry of a key that stands there twice counts; the others stay as they are.
    for (place, entry) in entries.enumerated() {
      let name = tape.string(entry.node)
      if !isKept[place], name != except, !(places[name] != place && places[name].map { isKept[$0] } == true) {
        remove(entry)
      }
    }
    let texts = fresh.mapValues { members in
      members.map { member in
        { [formatter] (indent: String, isInline: Bool) in
          formatter.member(member, indent: indent, isInline: isInline, under: silent)
        }
      }
    }
    insert(texts, among: entries, in: node, isInline: isInline, sign: "")
  }

  private mutating func changeArray(_ node: Int, to values: [PBXValue], key: String, isInline: Bool) {
    let isInline = isInline || isOnOneLine(node)
    var entries: [Entry] = []
    var old: [PBXValue] = []
    for child in tape.children(of: node) {
      entries.append(Entry(tape.nodes[child].span.lowerBound, tape.nodes[child].span.upperBound, child))
      old.append(tape.project(child))
    }
    let start = zip(old, values).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), values.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (oldPart, newPart) = (Array(old[start..<old.count - end]), Array(values[start..<values.count - end]))
    if oldPart.isEmpty, newPart.isEmpty { return }
    var removed = IndexSet(oldPart.count)
    var added = IndexSet(newPart.count)
    if oldPart.isEmpty || newPart.isEmpty || oldPart.count * newPart.count > 4_000_000 {
      (removed.all, added.all) = (true, true)
    } else {
      for change in newPart.difference(from: oldPart) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): added.insert(offset)
        }
      }
    }
    for index in oldPart.indices where removed.contains(index) { remove(entries[start + index]) }
    var fresh: [Int: [(String, Bool) -> String]] = [:]
    var slot = start
    var oldIndex = 0
    for (index, value) in newPart.enumerated() {
      guard added.contains(index) else {
        while removed.contains(oldIndex) { oldIndex += 1 }
        oldIndex += 1
        slot = start + oldIndex
        continue
      }
      fresh[slot, default: []].append { [formatter] indent, isInline in
        formatter.value(value, key: key, indent: indent, isInline: isInline)
      }
    }
    insert(fresh, among: entries, in: node, isInline: isInline, sign: ",")
  }

  private struct IndexSet {
    private var flags: [Bool]
    var all = false
    init(_ count: Int) { flags = [Bool](repeating: false, count: count) }
    mutating func insert(_ index: Int) { flags[index] = true }
    func contains(_ index: Int) -> Bool { index < flags.count && (all || flags[index]) }
  }

  /// The place of an entry of a container: from the start of its key or value to the end of its value.
  struct Entry {
    let start: Int
    let end: Int
    let node: Int

    init(_ start: Int, _ end: Int, _ node: Int) {
      self.start = start
      self.end = end
      self.node = node
    }
  }

  /// Tells whether the container's first entry stands on the line of its bracket.
  func isOnOneLine(_ node: Int) -> Bool {
    let span = tape.nodes[node].span
    let first = layout.behindComments(span.lowerBound + 1)
    return !layout.hasNewline(span.lowerBound..<first) && tape.nodes[node].next > node + 1
  }

  private mutating func remove(_ entry: Entry) {
    add(layout.extent(entry.start, entry.end), "")
  }

  /// Puts new entries before those with the numbers of `fresh`, and behind the last.
  private mutating func insert(
    _ fresh: [Int: [(String, Bool) -> String]], among entries: [Entry], in node: Int, isInline: Bool, sign: String
  ) {
    guard !fresh.isEmpty else { return }
    guard let first = entries.first else {
      if let texts = fresh[0] { fill(node, texts, isInline: isInline, sign: sign) }
      return
    }
    for (slot, texts) in fresh.sorted(by: { $0.key < $1.key }) {
      let isLine = layout.isFirst(first.start)
      let indent = layout.indent(at: first.start)
      if slot > 0 {
        insert(texts, behind: entries[slot - 1], indent: indent, isInline: !isLine, sign: sign)
      } else if isLine {
        let position = layout.lineStart(first.start)
        add(position..<position, texts.map { indent + $0(indent, false) + sign + layout.newline }.joined())
      } else {
        add(first.start..<first.start, texts.map { $0("", true) + sign + " " }.joined())
      }
    }
  }

  private mutating func insert(
    _ texts: [(String, Bool) -> String], behind entry: Entry, indent: String, isInline: Bool, sign: String
  ) {
    var end = layout.comment(behind: entry.end).upperBound
    if let terminator = layout.terminator(entry.end) {
      end = terminator
    } else {
      // The last element of an array may have no comma.
      add(end..<end, ",")
    }
    let extent = layout.extent(entry.start, entry.end)
    if isInline || extent.upperBound < end || layout.bytes[extent.upperBound - 1] != 0x0a {
      // Behind the blank that goes away with the entry where it is removed at the same time.
      let position = max(end, extent.upperBound)
      add(position..<position, (position > end ? "" : " ") + texts.map { $0("", true) + sign + " " }.joined())
    } else {
      let position = extent.upperBound
      add(position..<position, texts.map { indent + $0(indent, false) + sign + layout.newline }.joined())
    }
  }

  /// Puts entries into a container that has none.
  private mutating func fill(_ node: Int, _ texts: [(String, Bool) -> String], isInline: Bool, sign: String) {
    let span = tape.nodes[node].span
    let inside = span.lowerBound + 1..<span.upperBound - 1
    if isInline, !layout.hasNewline(inside) {
      add(inside.upperBound..<inside.upperBound, texts.map { $0("", true) + sign + " " }.joined())
      return
    }
    let outer = layout.indent(at: span.lowerBound)
    let inner = outer + layout.unit
    let lines = texts.map { inner + $0(inner, false) + sign + layout.newline }.joined()
    if layout.isFirst(span.upperBound - 1) {
      let position = layout.lineStart(span.upperBound - 1)
      add(position..<position, lines)
    } else {
      add(inside.upperBound..<inside.upperBound, layout.newline + lines + outer)
    }
  }

  /// The text with the splices.
  func result() -> [UInt8] {
    let bytes = tape.bytes
    let hard = splices.enumerated().filter { !$0.element.isComment }
    var sorted = hard.sorted { order($0, $1) }
    let taken = sorted.map(\.element.range).filter { !$0.isEmpty }
    let comments = splices.enumerated().filter { splice in
      splice.element.isComment && !isTaken(splice.element.range, taken)
    }
    if !comments.isEmpty { sorted = (sorted + comments).sorted { order($0, $1) } }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + sorted.reduce(0) { $0 + $1.element.text.utf8.count })
    var position = 0
    for (_, splice) in sorted where splice.range.lowerBound >= position {
      result.append(contentsOf: bytes[position..<splice.range.lowerBound])
      result.append(contentsOf: splice.text.utf8)
      position = splice.range.upperBound
    }
    result.append(contentsOf: bytes[position...])
    return result
  }

  private func order(_ left: (offset: Int, element: Splice), _ right: (offset: Int, element: Splice)) -> Bool {
    (left.element.range.lowerBound, left.element.range.upperBound, left.offset)
      < (right.element.range.lowerBound, right.element.range.upperBound, right.offset)
  }

  /// Tells whether a splice of its own has what the comment is in.
  private func isTaken(_ range: Range<Int>, _ taken: [Range<Int>]) -> Bool {
    var low = 0
    var high = taken.count
    while low < high {
      let middle = (low + high) / 2
      if taken[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < taken.count && taken[low].overlaps(range)
  }
}
