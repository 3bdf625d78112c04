/// The amount of code, and of code in clones, of sources together.
package struct CloneTotals: Sendable, Equatable {
  package var name: String
  package var files = 0
  package var tokens = 0
  package var lines = 0
  package var duplicatedTokens = 0
  package var duplicatedLines = 0

  package init(name: String) { self.name = name }

  package mutating func add(_ source: CodeSource) {
    files += 1
    tokens += source.tokens
    lines += source.lines
    duplicatedTokens += source.duplicatedTokens
    duplicatedLines += source.duplicatedLines
  }

  /// The percentage of tokens that are in clones, to two decimals.
  package var percent: Double { Self.percent(duplicatedTokens, tokens) }
  package var linePercent: Double { Self.percent(duplicatedLines, lines) }

  private static func percent(_ part: Int, _ whole: Int) -> Double {
    whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 100
  }
}

extension CloneReport {
  package var total: CloneTotals { totals { _ in "" }.first ?? CloneTotals(name: "") }

  package var languages: [CloneTotals] { totals { $0.language.name } }

  /// By the folder that each file lies in.
  package var folders: [CloneTotals] {
    totals { source in
      guard let slash = source.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
      return slash == source.path.startIndex ? "/" : String(source.path[..<slash])
    }
  }

  private func totals(_ name: (CodeSource) -> String) -> [CloneTotals] {
    var totals: [String: CloneTotals] = [:]
    for source in sources {
      let name = name(source)
      totals[name, default: CloneTotals(name: name)].add(source)
    }
    return totals.values.sorted { $0.name < $1.name }
  }
}
