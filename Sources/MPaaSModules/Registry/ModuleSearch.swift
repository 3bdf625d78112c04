extension ModuleCatalog {
  /// The modules whose name, summary or notes have all words: names before summaries before notes, each by name.
  ///
  /// - Throws: `ModuleError` of an index that cannot be read.
  package func search(_ words: [String]) throws(ModuleError) -> [OfferedModule] {
    let words = words.map { $0.lowercased() }
    var found: [(rank: Int, module: OfferedModule)] = []
    for name in names {
      guard let offered = try offered(name), let rank = offered.index.rank(of: words) else { continue }
      found.append((rank, offered))
    }
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.module)
  }
}

extension ModuleIndex {
  /// The place of words in lower case: 0 the name itself, 1 in the name, 2 in the summary, 3 in notes; nil where one
  /// is not.
  func rank(of words: [String]) -> Int? {
    let name = name.lowercased()
    let summaries = Self.texts(summary)
    let notes = releases.flatMap { Self.texts($0.manifest.notes) + Self.texts($0.manifest.summary) }
    var worst = 0
    for word in words {
      if name == word { continue }
      if name.contains(word) {
        worst = max(worst, 1)
      } else if summaries.contains(where: { $0.contains(word) }) {
        worst = max(worst, 2)
      } else if notes.contains(where: { $0.contains(word) }) {
        worst = max(worst, 3)
      } else {
        return nil
      }
    }
    return worst
  }

  private static func texts(_ text: LocalizedText) -> [String] {
    [text.english, text.simplifiedChinese].compactMap { $0?.lowercased() }
  }
}
