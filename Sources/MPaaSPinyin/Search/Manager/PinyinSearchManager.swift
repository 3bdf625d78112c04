/// Elements that are found by pinyin, kept in sections and rows, built and changed beside the searches that go on.
///
/// ```swift
/// let contacts = PinyinSearchManager<Contact>(primary: \.name, secondary: \.account)
/// contacts.build(everybody)                                  // returns at once
/// let found = try await contacts.search("zhangs", limit: 50) // is answered when the build is there
/// for match in found.primary { print(match.path, match.text, match.highlight.utf16) }
/// ```
///
/// Every build and every change makes a generation; a search is answered by one of them and says which. A search waits
/// for what was asked for before it, so it never misses an element that was handed over. May be used from any thread.
public final class PinyinSearchManager<Element: Sendable>: Sendable {
  private let source: SearchContents<Element>.Source
  private let line: GenerationLine<SearchContents<Element>>

  /// Makes a manager without elements.
  ///
  /// - Parameters:
  ///   - readings: How characters are read.
  ///   - folding: What counts as equal where characters stand for themselves.
  ///   - primary: The text of an element that it is looked for by first.
  ///   - secondary: Another text that it may be found by; nil where it has none.
  public init(
    readings: SearchReadings = .builtIn, folding: PinyinFolding = .all,
    primary: @escaping @Sendable (Element) -> String, secondary: (@Sendable (Element) -> String?)? = nil
  ) {
    source = .init(primary: primary, secondary: secondary, readings: readings, folding: folding)
    line = GenerationLine(SearchContents(source))
  }

  // MARK: Building

  /// Puts elements in the place of all that was there, in one section without a title.
  ///
  /// - Parameters:
  ///   - elements: The elements, in the order of their rows.
  ///   - path: A file that `save(to:)` wrote for the same elements: it is mapped, and nothing is indexed. Where it is
  ///     of other texts, the build fails with a `PinyinError`.
  ///   - owner: Who may cancel the build.
  @discardableResult
  public func build(
    _ elements: [Element], indexedAt path: String? = nil, owner: PinyinSearchOwner? = nil
  ) -> PinyinBuild {
    build([("", elements)], path, owner)
  }

  /// Puts sections in the place of all that was there.
  ///
  /// - Parameters:
  ///   - sections: The elements of each key.
  ///   - order: The keys in the order of their sections. A key without elements has an empty section; elements of keys
  ///     that are not named here are left out.
  ///   - path: A file that `save(to:)` wrote for the same elements in the same sections.
  ///   - owner: Who may cancel the build.
  @discardableResult
  public func build(
    _ sections: [String: [Element]], order: [String], indexedAt path: String? = nil, owner: PinyinSearchOwner? = nil
  ) -> PinyinBuild {
    build(order.map { ($0, sections[$0] ?? []) }, path, owner)
  }

  /// Puts sections by letter in the place of all that was there.
  @discardableResult
  public func build(_ sections: PinyinSections<Element>, owner: PinyinSearchOwner? = nil) -> PinyinBuild {
    build(sections.sections.map { ($0.title, $0.elements) }, nil, owner)
  }

  private func build(
    _ parts: [(title: String, elements: [Element])], _ path: String?, _ owner: PinyinSearchOwner?
  ) -> PinyinBuild {
    let source = source
    return PinyinBuild(
      line.change(owner: owner, replaces: true) { _ in
        try path.map { try SearchContents(source, parts, indexedAt: $0) } ?? SearchContents(source, parts)
      }, of: line)
  }

  /// Writes the index of all that was asked for until now to a file, from which a build takes it.
  ///
  /// - Throws: What stands in the way of writing there.
  public func save(to path: String) async throws {
    let contents = try await line.read(owner: nil) { settled, _ in settled.contents }
    try contents.write(to: path)
  }

  // MARK: Changing

  /// Changes some elements: all that `body` does makes one generation, and what stays is not indexed again.
  ///
  /// - Parameters:
  ///   - owner: Who may cancel the change.
  ///   - body: Called on another thread when all that was asked for before is there; where it throws, nothing changes.
  @discardableResult
  public func change(
    owner: PinyinSearchOwner? = nil, _ body: @escaping @Sendable (inout PinyinSearchChanges<Element>) throws -> Void
  ) -> PinyinBuild {
    PinyinBuild(
      line.change(owner: owner) { before in
        var changes = PinyinSearchChanges(before.contents)
        try body(&changes)
        return try changes.settled()
      }, of: line)
  }

  /// Adds elements at the end of a section.
  ///
  /// - Parameters:
  ///   - elements: The elements, in their order.
  ///   - title: The section, which is made where there is none; nil for the last one.
  ///   - owner: The owner, who may cancel the change.
  @discardableResult
  public func add(_ elements: [Element], to title: String? = nil, owner: PinyinSearchOwner? = nil) -> PinyinBuild {
    change(owner: owner) { $0.append(elements, to: title) }
  }

  /// Removes the elements of which `isMeant` says so.
  @discardableResult
  public func remove(
    owner: PinyinSearchOwner? = nil, where isMeant: @escaping @Sendable (Element) -> Bool
  ) -> PinyinBuild {
    change(owner: owner) { $0.removeAll(where: isMeant) }
  }

  // MARK: Searching

  /// Finds the elements that match, once all that was asked for before is there.
  ///
  /// - Parameters:
  ///   - text: The text that was typed.
  ///   - options: The rules by which texts match.
  ///   - limit: The most matches; nil for all.
  ///   - owner: Who may cancel the search.
  /// - Throws: `CancellationError` where the task or the owner is cancelled.
  public func search(
    _ text: String, options: PinyinSearchOptions = .standard, limit: Int? = nil, owner: PinyinSearchOwner? = nil
  ) async throws -> PinyinSearchResult<Element> {
    let query = PinyinQuery(text, options: options)
    return try await line.read(owner: owner) { settled, isOver in
      settled.contents.search(query, limit: limit, generation: settled.generation, isOver: isOver)
    }
  }

  /// The newest generation that is there: searched without waiting, and as often as one likes with the same elements.
  public var snapshot: PinyinSearchSnapshot<Element> { PinyinSearchSnapshot(line.latest) }

  /// The generation that holds all that was asked for until now.
  ///
  /// - Throws: `CancellationError` where the task or the owner is cancelled.
  public func settledSnapshot(owner: PinyinSearchOwner? = nil) async throws -> PinyinSearchSnapshot<Element> {
    try await line.read(owner: owner) { settled, _ in PinyinSearchSnapshot(settled) }
  }

  /// Tells whether a build or a change was asked for that is not there yet.
  public var isBuilding: Bool { line.isBusy }

  /// The number of searches that wait for a build or a change.
  var waitingCount: Int { line.waitingCount }

  /// Lets nothing that is asked for later begin until `body` is over.
  @discardableResult
  func hold(
    owner: PinyinSearchOwner? = nil, _ body: @escaping @Sendable () async throws -> Void
  ) -> PinyinBuild {
    PinyinBuild(
      line.change(owner: owner) { before in
        try await body()
        return before.contents
      }, of: line)
  }

  // MARK: Cancelling

  /// Cancels the searches, builds and changes of an owner: they throw `CancellationError`, and what was there before a
  /// build stays.
  public func cancel(_ owner: PinyinSearchOwner) {
    line.cancel(owner: owner)
  }

  /// Cancels everything that is going on, and forgets all elements at once.
  public func reset() {
    line.reset(to: SearchContents(source))
  }
}

extension PinyinSearchManager where Element == String {
  /// Makes a manager of texts that are looked for by themselves.
  public convenience init() {
    self.init(primary: { $0 })
  }
}

/// A build or a change that was asked for.
public struct PinyinBuild: Sendable {
  /// The number of the generation that it leads to.
  public let generation: Int
  private let promise: Promise<Int>
  private let stop: @Sendable () -> Void

  init<Contents: Sendable>(
    _ change: (generation: Int, promise: Promise<Int>), of line: GenerationLine<Contents>
  ) {
    generation = change.generation
    promise = change.promise
    let generation = generation
    stop = { line.cancel(generation: generation) }
  }

  /// Tells whether it is there, or was cancelled or failed.
  public var isOver: Bool { promise.result != nil }

  /// Waits until it is there.
  ///
  /// - Returns: The generation that holds it: its own, or that of a later build that took its place before it began.
  /// - Throws: `CancellationError` where it was cancelled, or the task that waits; what a change threw.
  @discardableResult
  public func finished() async throws -> Int { try await promise.value() }

  /// Cancels it, unless it is there already.
  public func cancel() { stop() }
}

/// All elements of a manager as they were at one moment.
public struct PinyinSearchSnapshot<Element: Sendable>: Sendable {
  /// The number of the generation.
  public let generation: Int
  private let contents: SearchContents<Element>

  init(_ settled: GenerationLine<SearchContents<Element>>.Settled) {
    generation = settled.generation
    contents = settled.contents
  }

  /// The number of elements.
  public var count: Int { contents.count }
  /// The titles of the sections, in their order.
  public var sectionTitles: [String] { contents.sections.map(\.title) }

  /// The elements of each section.
  public var sections: [[Element]] {
    contents.sections.map { $0.slots.compactMap { contents.elements[$0] } }
  }

  /// The element at a path; nil where there is none.
  public subscript(path: PinyinSearchPath) -> Element? {
    PinyinSearchChanges(contents)[path]
  }

  /// Finds the elements that match.
  ///
  /// - Parameters:
  ///   - text: The text that was typed.
  ///   - options: The rules by which texts match.
  ///   - limit: The most matches; nil for all.
  ///   - isCancelled: Asked now and then; once it says yes, what was found so far is given back.
  public func search(
    _ text: String, options: PinyinSearchOptions = .standard, limit: Int? = nil,
    isCancelled: () -> Bool = { false }
  ) -> PinyinSearchResult<Element> {
    contents.search(
      PinyinQuery(text, options: options), limit: limit, generation: generation, isOver: isCancelled)
  }
}
