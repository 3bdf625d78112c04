/// Brings what sources ask for into a table, without touching a translation.
package struct SourceMerge: Sendable {
  /// The keys of one table, each once, in the order of the sources.
  package let texts: [SourceText]
  /// Tells whether texts go that an earlier merge marked, and that still no source asks for.
  package var removesStale = false
  /// Tells whether texts that no source asks for are left as they are: those that the system asks for.
  package var leavesUnknown = false
  /// Keys that another file of the table has (`.stringsdict`).
  package var known: Set<String> = []
  private let index: [String: SourceText]

  package init(_ texts: [SourceText], table: String) {
    var index: [String: SourceText] = [:]
    var order: [String] = []
    for text in texts where text.table == table {
      if let earlier = index[text.key] {
        index[text.key] = Self.joined(earlier, text)
      } else {
        order.append(text.key)
        index[text.key] = text
      }
    }
    self.index = index
    self.texts = order.compactMap { index[$0] }
  }

  /// One text of two: the comments of both, as genstrings has them.
  private static func joined(_ one: SourceText, _ other: SourceText) -> SourceText {
    let said = (one.comment ?? "").split(separator: "\n").map(String.init)
    var comment = one.comment
    if let more = other.comment, !more.isEmpty, !said.contains(more) {
      comment = said.isEmpty ? more : (said + [more]).joined(separator: "\n")
    }
    return SourceText(
      key: one.key, value: one.value ?? other.value, comment: comment, table: one.table, file: one.file,
      line: one.line, isGuessed: one.isGuessed)
  }

  /// The edits of a `.strings` file.
  ///
  /// - Parameter original: The texts of the language of development, for a table of another language; nil for its own.
  package func edits(
    of file: StringsFile, original: [String: String]? = nil
  ) -> (edits: [StringsEdit], summary: MergeSummary) {
    var edits: [StringsEdit] = []
    var summary = MergeSummary()
    var present = known
    for (at, entry) in file.entries.enumerated() {
      present.insert(entry.key)
      guard let text = index[entry.key] else {
        guard !leavesUnknown else { continue }
        summary.leave(entry.key, isStale: entry.isStale, removes: removesStale)
        if !entry.isStale {
          edits.append(.mark(.stale, entry: at))
        } else if removesStale {
          edits.append(.remove(entry: at))
        }
        continue
      }
      if entry.isStale {
        edits.append(.unmark(.stale, entry: at))
        summary.revived.append(entry.key)
      }
      let original = original?[entry.key] ?? text.value ?? entry.key
      if entry.isNew, entry.value != original, entry.value != entry.key {
        edits.append(.unmark(.new, entry: at))
      }
      if let comment = text.comment, !comment.isEmpty, entry.comment == nil || entry.comment == StringsFile.noComment {
        edits.append(.comment(comment, entry: at))
        summary.commented.append(entry.key)
      }
    }
    for text in texts where !present.contains(text.key) {
      let value = original?[text.key] ?? text.value ?? text.key
      edits.append(.append(key: text.key, value: value, comment: text.comment, isNew: original != nil))
      summary.added.append(text.key)
    }
    return (edits, summary)
  }

  /// The changes of a catalog's entries; nil for one that goes.
  package func changes(of catalog: StringCatalog) -> (changes: [String: CatalogNode?], summary: MergeSummary) {
    var changes: [String: CatalogNode?] = [:]
    var summary = MergeSummary()
    for entry in catalog.entries {
      let state = entry.value["extractionState"]?.string
      guard let text = index[entry.name] else {
        guard state != "manual", !leavesUnknown else { continue }
        summary.leave(entry.name, isStale: state == "stale", removes: removesStale)
        if state != "stale" {
          changes[entry.name] = Self.setting(entry.value, "stale")
        } else if removesStale {
          changes[entry.name] = .some(nil)
        }
        continue
      }
      if let node = updated(entry, text, catalog.sourceLanguage, &summary) { changes[entry.name] = node }
    }
    for text in texts where catalog.entry(text.key) == nil && !known.contains(text.key) {
      changes[text.key] = Self.entry(text, catalog.sourceLanguage)
      summary.added.append(text.key)
    }
    return (changes, summary)
  }

  private static func setting(_ node: CatalogNode, _ state: String?) -> CatalogNode {
    var node = node
    node.set(state.map { .string($0) }, at: ["extractionState"])
    return node
  }

  private static func entry(_ text: SourceText, _ language: String) -> CatalogNode {
    var node = CatalogNode.object(CatalogObject())
    if let comment = text.comment, !comment.isEmpty { node.set(.string(comment), at: ["comment"]) }
    guard let value = text.value else { return node }
    node.set(.string("extracted_with_value"), at: ["extractionState"])
    node.set(LocalizedText(value, .new).catalogNode(), at: ["localizations", language])
    return node
  }

  /// The entry with what its source says now; nil where that is what it says.
  private func updated(
    _ entry: CatalogObject.Member, _ text: SourceText, _ language: String, _ summary: inout MergeSummary
  ) -> CatalogNode? {
    var node = entry.value
    if node["extractionState"]?.string == "stale" {
      node = Self.setting(node, text.value == nil ? nil : "extracted_with_value")
      summary.revived.append(entry.name)
    }
    if let comment = text.comment, !comment.isEmpty, node["comment"]?.string ?? "" == "" {
      node.set(.string(comment), at: ["comment"])
      summary.commented.append(entry.name)
    }
    if let value = text.value, node["extractionState"]?.string != "manual" {
      let old = node["localizations", language, "stringUnit"]
      let isOurs = old?.object?["state"]?.string == "new" || node["localizations", language] == nil
      if isOurs, !Self.isSame(old?.object?["value"]?.string, value, isGuessed: text.isGuessed) {
        let hadText = old != nil
        node.set(LocalizedText(value, .new).catalogNode(), at: ["localizations", language])
        if hadText { Self.askForReview(&node, language) }
        summary.changed.append(entry.name)
      }
    }
    return node == entry.value ? nil : node
  }

  /// Tells whether a text is the one that a source gives, whose specifiers may be guessed.
  private static func isSame(_ old: String?, _ new: String, isGuessed: Bool) -> Bool {
    guard let old, old != new else { return old == new }
    return isGuessed && GuessedKeys.shape(old) == GuessedKeys.shape(new)
  }

  /// A translation of a text that has changed is kept, and marked.
  private static func askForReview(_ node: inout CatalogNode, _ language: String) {
    for member in node["localizations"]?.object?.members ?? [] where member.name != language {
      if member.value["stringUnit", "state"]?.string == "translated" {
        node.set(.string("needs_review"), at: ["localizations", member.name, "stringUnit", "state"])
      }
    }
  }
}

/// The actions of a merge, by key.
package struct MergeSummary: Sendable, Equatable {
  package var added: [String] = []
  /// Marked now, since no source asks for them.
  package var stale: [String] = []
  package var removed: [String] = []
  /// Marked before, and asked for again.
  package var revived: [String] = []
  /// Got a comment.
  package var commented: [String] = []
  /// Got another text.
  package var changed: [String] = []
  /// Changed on both sides; what stood there was kept.
  package var conflicts: [String] = []

  package init() {}

  fileprivate mutating func leave(_ key: String, isStale: Bool, removes: Bool) {
    if !isStale { stale.append(key) } else if removes { removed.append(key) }
  }

  package mutating func append(_ other: MergeSummary) {
    added += other.added
    stale += other.stale
    removed += other.removed
    revived += other.revived
    commented += other.commented
    changed += other.changed
    conflicts += other.conflicts
  }
}
