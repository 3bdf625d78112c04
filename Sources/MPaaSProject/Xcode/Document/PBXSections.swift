import MPaaSConfig

/// Puts objects into the sections of their kinds, and takes them out of there.
struct PBXSections {
  let file: PBXProjectFile
  let layout: PBXLayout
  /// Tells whether the file has `/* Begin PBXBuildFile section */`.
  private let hasMarkers: Bool

  init(_ file: PBXProjectFile, _ layout: PBXLayout) {
    self.file = file
    self.layout = layout
    var hasMarkers = false
    if let first = file.entries.first {
      let start = Int(file.tape.nodes[file.objectsNode].start)
      let gap = layout.bytes[start..<Int(file.tape.nodes[first.node].start)]
      hasMarkers = Self.find("/* Begin ", in: gap) != nil
    }
    self.hasMarkers = hasMarkers || file.entries.isEmpty
  }

  /// The place of a word in a part of the text.
  private static func find(_ word: String, in part: ArraySlice<UInt8>) -> Int? {
    let word = Array(word.utf8)
    guard let first = word.first else { return nil }
    var position = part.startIndex
    while let found = part[position...].firstIndex(of: first) {
      if part[found...].starts(with: word) { return found }
      position = found + 1
    }
    return nil
  }

  private func start(_ entry: Int) -> Int { Int(file.tape.nodes[file.entries[entry].node].start) }
  private func end(_ entry: Int) -> Int { Int(file.tape.nodes[file.entries[entry].value].end) }

  private func extent(_ entry: Int) -> Range<Int> { layout.extent(start(entry), end(entry)) }

  /// The text between the object before and this one; the last part is what follows all objects.
  private func gap(before entry: Int) -> ArraySlice<UInt8> {
    let objects = file.tape.nodes[file.objectsNode]
    let lower = entry == 0 ? Int(objects.start) : end(entry - 1)
    let upper = entry == file.entries.count ? Int(objects.end) - 1 : start(entry)
    return layout.bytes[lower..<upper]
  }

  /// The ranges that go away with objects, whole sections where nothing stays in them.
  ///
  /// - Parameter kept: The kinds that get new objects.
  func removals(_ removed: Set<Int>, kept: Set<String>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var done = -1
    for entry in removed.sorted() where entry > done {
      let kind = file.entries[entry].kind
      var last = entry
      while last + 1 < file.entries.count, removed.contains(last + 1), file.entries[last + 1].kind == kind { last += 1 }
      done = last
      if let section = section(entry, last, file.kinds[kind]), !kept.contains(file.kinds[kind]) {
        ranges.append(section)
      } else {
        for entry in entry...last { ranges.append(extent(entry)) }
      }
    }
    return ranges
  }

  /// The lines of a section that has these objects and no others, with the blank line before it.
  private func section(_ first: Int, _ last: Int, _ isa: String) -> Range<Int>? {
    guard let begin = Self.find("/* Begin \(isa) section */", in: gap(before: first)),
      let end = Self.find("/* End \(isa) section */", in: gap(before: last + 1))
    else { return nil }
    return blankLine(before: layout.lineStart(begin))..<layout.nextLine(end)
  }

  private func blankLine(before line: Int) -> Int {
    guard line > 0 else { return line }
    let previous = layout.lineStart(line - 1)
    return layout.bytes[previous..<line].allSatisfy { $0 == 0x0a || $0 == 0x0d } ? previous : line
  }

  /// The insertions that put new objects into their places.
  func insertions(_ objects: [PBXObject], _ formatter: PBXFormatter) -> [(position: Int, text: String)] {
    var result: [(position: Int, text: String)] = []
    for (isa, group) in Dictionary(grouping: objects, by: \.isa).sorted(by: { $0.key < $1.key }) {
      let sorted = group.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
      let known = file.entries(of: isa)
      if known.isEmpty {
        result.append(newSection(isa, sorted, formatter))
      } else {
        for object in sorted { result.append(place(object, among: known, formatter)) }
      }
    }
    return result
  }

  /// Before the first object with a greater id, else behind the last.
  private func place(_ object: PBXObject, among known: [Int], _ formatter: PBXFormatter) -> (
    position: Int, text: String
  ) {
    let next = known.firstIndex { object.id.utf8.lexicographicallyPrecedes(id($0)) }
    let model = known[0]
    let indent = layout.indent(at: start(model))
    let text = formatter.object(object, indent: indent, isInline: isInline(model)) + layout.newline
    let position = next.map {
      known[$0] == 0 || $0 == 0 ? layout.lineStart(start(known[$0])) : extent(known[$0 - 1]).upperBound
    }
    return (position ?? extent(known[known.count - 1]).upperBound, indent + text)
  }

  private func id(_ entry: Int) -> ArraySlice<UInt8> { file.tape.bytes(of: file.entries[entry].node) }

  /// Tells whether an object's members stand on one line.
  private func isInline(_ entry: Int) -> Bool {
    !layout.hasNewline(start(entry)..<end(entry))
  }

  private func newSection(
    _ isa: String, _ objects: [PBXObject], _ formatter: PBXFormatter
  ) -> (position: Int, text: String) {
    let tape = file.tape
    let indent =
      file.entries.first.map { layout.indent(at: Int(tape.nodes[$0.node].start)) } ?? layout.unit + layout.unit
    let lines = objects.map {
      indent + formatter.object($0, indent: indent, isInline: PBXFormatter.isInline(isa)) + layout.newline
    }.joined()
    let newline = layout.newline
    let text =
      hasMarkers
      ? newline + "/* Begin \(isa) section */" + newline + lines + "/* End \(isa) section */" + newline : lines
    // Sections are in the order of their names.
    let next = file.entries.indices.first { isa < file.kinds[file.entries[$0].kind] }
    if let next {
      let begin = Self.find("/* Begin ", in: gap(before: next)) ?? start(next)
      let line = layout.lineStart(begin)
      return (hasMarkers ? blankLine(before: line) : line, text)
    }
    let last = gap(before: file.entries.count)
    if hasMarkers, let end = Self.find("/* End ", in: last) { return (layout.nextLine(end), text) }
    if let entry = file.entries.indices.last { return (extent(entry).upperBound, text) }
    return (layout.lineStart(Int(tape.nodes[file.objectsNode].end) - 1), text)
  }
}
