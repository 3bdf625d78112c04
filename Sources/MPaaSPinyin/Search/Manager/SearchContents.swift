import MPaaSSupport

/// The content of a manager in one generation: the elements, where each stands, and the index of their texts.
///
/// An element keeps its slot while it is there. Slot n has the numbers 2n (primary text) and 2n + 1 (secondary text) in
/// the index; n where there are no secondary texts.
struct SearchContents<Element: Sendable>: Sendable {
  struct Section: Sendable {
    var title: String
    /// The slots of its rows.
    var slots: [Int]
  }

  /// The source of texts of elements, and their readings.
  struct Source: Sendable {
    let primary: @Sendable (Element) -> String
    let secondary: (@Sendable (Element) -> String?)?
    let readings: SearchReadings
    let folding: PinyinFolding

    /// The number of texts of an element in the index.
    var stride: Int { secondary == nil ? 1 : 2 }

    /// The texts of elements as the index has them, empty for one that is gone, and their groups.
    ///
    /// - Throws: `CancellationError`, for there may be many of them.
    func texts(of elements: [Element?]) throws -> (texts: [String], groups: [UInt8]) {
      var texts: [String] = []
      var groups: [UInt8] = []
      for (number, element) in elements.enumerated() {
        if number & 1023 == 0 { try Task.checkCancellation() }
        texts.append(element.map(primary) ?? "")
        guard let secondary else { continue }
        texts.append(element.flatMap(secondary) ?? "")
        groups += [0, 1]
      }
      return (texts, groups)
    }
  }

  let source: Source
  /// By slot; nil where an element was removed.
  var elements: [Element?]
  var sections: [Section]
  var index: PinyinIndex
  /// The path of the element of each slot.
  private(set) var paths: [PinyinSearchPath] = []
  /// The number of elements.
  private(set) var count = 0

  /// Nothing at all.
  init(_ source: Source) {
    self.source = source
    elements = []
    sections = []
    index = PinyinIndex([String](), readings: source.readings, folding: source.folding)
  }

  /// Indexes the elements of sections.
  init(_ source: Source, _ parts: [(title: String, elements: [Element])]) throws {
    try self.init(source, parts) { texts, groups in
      PinyinIndex(texts, groups: groups, readings: source.readings, folding: source.folding)
    }
  }

  /// Takes the index of the elements of sections from a file.
  ///
  /// - Throws: `indexElements` where the file is the index of other texts.
  init(_ source: Source, _ parts: [(title: String, elements: [Element])], indexedAt path: String) throws {
    try self.init(source, parts) { texts, groups in
      let index = try PinyinIndex(mapping: path)
      guard index.count == texts.count, index.endNumber == texts.count else {
        throw PinyinError(.indexElements, ["path": path, "number": "\(min(index.count, texts.count))"])
      }
      for (number, text) in texts.enumerated() {
        if number & 1023 == 0 { try Task.checkCancellation() }
        guard index[number] == text, index.group(of: number) == (groups.isEmpty ? 0 : Int(groups[number])) else {
          throw PinyinError(.indexElements, ["path": path, "number": "\(number)"])
        }
      }
      return index
    }
  }

  private init(
    _ source: Source, _ parts: [(title: String, elements: [Element])],
    makeIndex: (_ texts: [String], _ groups: [UInt8]) throws -> PinyinIndex
  ) throws {
    self.source = source
    var all: [Element] = []
    all.reserveCapacity(parts.reduce(0) { $0 + $1.elements.count })
    sections = parts.map { part in
      defer { all += part.elements }
      return Section(title: part.title, slots: Array(all.count..<all.count + part.elements.count))
    }
    elements = all
    let (texts, groups) = try source.texts(of: elements)
    index = try makeIndex(texts, groups)
    try Task.checkCancellation()
    settlePaths()
  }

  /// Works out where every element stands.
  mutating func settlePaths() {
    paths = Array(repeating: PinyinSearchPath(section: 0, row: 0), count: elements.count)
    count = 0
    for (number, section) in sections.enumerated() {
      count += section.slots.count
      for (row, slot) in section.slots.enumerated() { paths[slot] = PinyinSearchPath(section: number, row: row) }
    }
  }

  /// Writes the index to a file, as `init(_:_:indexedAt:)` takes it.
  func write(to path: String) throws {
    let isPlain = elements.count == count && sections.flatMap(\.slots).elementsEqual(0..<count)
    try (isPlain ? self : compacted()).index.write(to: path)
  }

  /// The same elements without the gaps that removed ones left.
  func compacted() throws -> SearchContents {
    let parts = sections.map { section in (section.title, section.slots.compactMap { elements[$0] }) }
    return try SearchContents(source, parts)
  }

  func search(
    _ query: PinyinQuery, limit: Int?, generation: Int, isOver: () -> Bool
  ) -> PinyinSearchResult<Element> {
    let limit = max(limit ?? .max, 0)
    // As many again may be secondary hits of elements that primary ones name already.
    let asked = limit > elements.count ? nil : limit * source.stride
    let found = index.search(query, limit: asked, isCancelled: isOver)
    var primary: [PinyinSearchMatch<Element>] = []
    var secondary: [PinyinSearchMatch<Element>] = []
    var seen: Set<Int> = []
    var isCut = found.total > found.hits.count
    for hit in found.hits {
      let slot = hit.text / source.stride
      let isPrimary = hit.group == 0
      guard isPrimary || !seen.contains(slot) else { continue }
      guard primary.count + secondary.count < limit else {
        isCut = true
        break
      }
      guard let element = elements[slot], let text = index[hit.text] else { continue }
      let match = PinyinSearchMatch(
        element: element, path: paths[slot], field: isPrimary ? .primary : .secondary, text: text,
        highlight: PinyinHighlight(hit.range, in: text), hit: hit)
      if isPrimary {
        seen.insert(slot)
        primary.append(match)
      } else {
        secondary.append(match)
      }
    }
    return PinyinSearchResult(generation: generation, primary: primary, secondary: secondary, hasMore: isCut)
  }
}

extension PinyinError.Code {
  /// A saved index of other texts than those of the elements; `number` is the first that differs.
  package static var indexElements: Self { .malformed("pinyin-index-elements") }
}
