/// The contents of a manager while they are changed; all that is done to them makes one generation.
public struct PinyinSearchChanges<Element: Sendable> {
  private var contents: SearchContents<Element>
  /// Slots whose texts the index does not have yet, in their order.
  private var added: [Int] = []
  /// Slots whose texts have to leave the index.
  private var removed: [Int] = []

  init(_ contents: SearchContents<Element>) {
    self.contents = contents
  }

  /// The titles of the sections, in their order.
  public var sectionTitles: [String] { contents.sections.map(\.title) }

  /// The number of rows of a section; 0 where there is no such section.
  public func rowCount(inSection section: Int) -> Int {
    contents.sections.indices.contains(section) ? contents.sections[section].slots.count : 0
  }

  /// The element at a path; nil where there is none.
  public subscript(path: PinyinSearchPath) -> Element? {
    slot(path).flatMap { contents.elements[$0] }
  }

  private func slot(_ path: PinyinSearchPath) -> Int? {
    path.row >= 0 && path.row < rowCount(inSection: path.section)
      ? contents.sections[path.section].slots[path.row] : nil
  }

  /// The paths of the elements of which `isMeant` says so, in order.
  public func paths(where isMeant: (Element) -> Bool) -> [PinyinSearchPath] {
    contents.sections.enumerated().flatMap { number, section in
      section.slots.enumerated().compactMap { row, slot in
        guard let element = contents.elements[slot], isMeant(element) else { return nil }
        return PinyinSearchPath(section: number, row: row)
      }
    }
  }

  /// Puts elements at the end of the section with a title, which is made behind the others where there is none.
  ///
  /// - Parameters:
  ///   - elements: The elements, in their order.
  ///   - title: Nil for the last section.
  public mutating func append(_ elements: [Element], to title: String? = nil) {
    let wanted = title ?? contents.sections.last?.title ?? ""
    let section = contents.sections.lastIndex { $0.title == wanted } ?? contents.sections.count
    if section == contents.sections.count { contents.sections.append(.init(title: wanted, slots: [])) }
    contents.sections[section].slots += elements.map { add($0) }
  }

  /// Puts an element before the row at a path, or behind the last one.
  ///
  /// - Returns: Whether there is such a place.
  @discardableResult
  public mutating func insert(_ element: Element, at path: PinyinSearchPath) -> Bool {
    guard contents.sections.indices.contains(path.section),
      0...contents.sections[path.section].slots.count ~= path.row
    else { return false }
    let slot = add(element)
    contents.sections[path.section].slots.insert(slot, at: path.row)
    return true
  }

  /// Puts an element in the place of another.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func replace(at path: PinyinSearchPath, with element: Element) -> Bool {
    guard let old = slot(path) else { return false }
    let slot = add(element)
    contents.sections[path.section].slots[path.row] = slot
    drop(old)
    return true
  }

  /// Removes the element at a path; the rows behind it move up.
  @discardableResult
  public mutating func remove(at path: PinyinSearchPath) -> Element? {
    guard let old = slot(path) else { return nil }
    contents.sections[path.section].slots.remove(at: path.row)
    defer { drop(old) }
    return contents.elements[old]
  }

  /// Removes the elements of which `isMeant` says so.
  ///
  /// - Returns: How many these were.
  @discardableResult
  public mutating func removeAll(where isMeant: (Element) -> Bool) -> Int {
    var dropped: [Int] = []
    for section in contents.sections.indices {
      contents.sections[section].slots.removeAll { slot in
        guard let element = contents.elements[slot], isMeant(element) else { return false }
        dropped.append(slot)
        return true
      }
    }
    for slot in dropped { drop(slot) }
    return dropped.count
  }

  private mutating func add(_ element: Element) -> Int {
    contents.elements.append(element)
    added.append(contents.elements.count - 1)
    return contents.elements.count - 1
  }

  private mutating func drop(_ slot: Int) {
    contents.elements[slot] = nil
    removed.append(slot)
  }

  /// The contents with all changes in the index too.
  consuming func settled() throws -> SearchContents<Element> {
    let source = contents.source
    guard !added.isEmpty || !removed.isEmpty else { return contents }
    // The index gets every new slot, those included that went away again, so that numbers and slots stay together.
    if !added.isEmpty {
      let (texts, groups) = try source.texts(of: added.map { contents.elements[$0] })
      contents.index = contents.index.adding(texts, groups: groups)
    }
    if !removed.isEmpty {
      contents.index = contents.index.removing(
        removed.flatMap { slot in slot * source.stride..<(slot + 1) * source.stride })
    }
    if contents.index.wantsCompaction { contents.index = contents.index.compacted() }
    contents.settlePaths()
    // Removed elements take room in the index until it is made anew.
    let isSparse = contents.elements.count > 1024 && contents.elements.count > 2 * contents.count
    return isSparse ? try contents.compacted() : contents
  }
}
