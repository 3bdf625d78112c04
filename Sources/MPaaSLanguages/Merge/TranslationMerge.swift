/// Brings translations from elsewhere into a table: two ways, or three with what both began with.
///
/// A text goes only where a better one comes: what is new or missing gives way, what was changed on one side only is
/// taken from there, and of two changes the table's own stays and is reported.
package struct TranslationMerge: Sendable {
  package let theirs: TextTable
  package let base: TextTable?
  /// Tells whether the other side wins where both have changed.
  package var prefersTheirs = false

  package init(_ theirs: TextTable, base: TextTable? = nil) {
    self.theirs = theirs
    self.base = base
  }

  private enum Choice { case ours, theirs, conflict }

  private func choice(_ ours: LocalizedText, _ their: LocalizedText, _ base: LocalizedText?) -> Choice {
    if ours.variants == their.variants {
      return ours.state != .translated && their.state == .translated ? .theirs : .ours
    }
    if their.state == .new { return .ours }
    if ours.state == .new { return .theirs }
    if let base {
      if ours.variants == base.variants { return .theirs }
      if their.variants == base.variants { return .ours }
    }
    return prefersTheirs ? .theirs : .conflict
  }

  /// The edits of a `.strings` file of a language.
  package func edits(
    of file: StringsFile, language: String
  ) -> (edits: [StringsEdit], summary: MergeSummary) {
    var edits: [StringsEdit] = []
    var summary = MergeSummary()
    var present = Set<String>()
    for (at, entry) in file.entries.enumerated() {
      present.insert(entry.key)
      guard let their = theirs.key(entry.key)?.texts[language], their.isPlain else { continue }
      let ours = LocalizedText(entry.value, entry.isNew ? .new : .translated)
      switch choice(ours, their, base?.key(entry.key)?.texts[language]) {
      case .ours: break
      case .theirs:
        if their.value != entry.value { edits.append(.setValue(their.value, ofEntry: at)) }
        if entry.isNew { edits.append(.unmark(.new, entry: at)) }
        summary.changed.append(entry.key)
      case .conflict: summary.conflicts.append(entry.key)
      }
    }
    for key in theirs.keys where !present.contains(key.key) {
      guard let text = key.texts[language], text.isPlain, !isRemoved(key, language, text) else { continue }
      edits.append(.append(key: key.key, value: text.value, comment: key.comment, isNew: text.state == .new))
      summary.added.append(key.key)
    }
    return (edits, summary)
  }

  /// Tells whether this side took a text away that the other side did not touch.
  private func isRemoved(_ key: TextKey, _ language: String, _ text: LocalizedText) -> Bool {
    base?.key(key.key)?.texts[language].map { $0.variants == text.variants } ?? false
  }

  /// The changes of a catalog's entries.
  package func changes(of catalog: StringCatalog) -> (changes: [String: CatalogNode?], summary: MergeSummary) {
    var changes: [String: CatalogNode?] = [:]
    var summary = MergeSummary()
    for key in theirs.keys {
      let old = catalog.entry(key.key)
      if old == nil, base?.key(key.key) != nil, key.texts.allSatisfy({ isRemoved(key, $0.key, $0.value) }) { continue }
      var node = old ?? .object(CatalogObject())
      if old == nil {
        if let comment = key.comment { node.set(.string(comment), at: ["comment"]) }
        node.set(.string("manual"), at: ["extractionState"])
        summary.added.append(key.key)
      }
      var (isChanged, isConflict) = (false, false)
      for (language, their) in key.texts.sorted(by: { $0.key < $1.key }) {
        let ours = node["localizations", language].flatMap { LocalizedText(catalog: $0, place: nil) }
        let choice = ours.map { self.choice($0, their, base?.key(key.key)?.texts[language]) } ?? .theirs
        if choice == .conflict { isConflict = true }
        guard choice == .theirs else { continue }
        isChanged = true
        node.set(their.catalogNode(), at: ["localizations", language])
      }
      if isConflict { summary.conflicts.append(key.key) }
      guard isChanged || old == nil else { continue }
      if old != nil { summary.changed.append(key.key) }
      changes[key.key] = node
    }
    return (changes, summary)
  }
}
