import MPaaSToolSupport

/// Code of a source that was found elsewhere, too, by lines.
package struct CloneSpan: Sendable, Equatable {
  package var source: Int
  /// From 1, both included.
  package var start: Int
  package var end: Int

  package init(source: Int, start: Int, end: Int) {
    (self.source, self.start, self.end) = (source, start, end)
  }
}

/// A clone with the lines of its places.
package struct FoundClone: Sendable, Equatable {
  package var clone: CodeClone
  package var spans: [CloneSpan]

  /// The lines of its longest place.
  package var lines: Int { spans.map { $0.end - $0.start + 1 }.max() ?? 0 }
}

/// All that a search found.
package struct CloneReport: Sendable, Equatable {
  package var sources: [CodeSource]
  package var clones: [FoundClone]
  package var unread: [UnreadSource]
  /// Paths that were left out since a machine wrote them.
  package var generated: [String]

  /// Searches files for clones.
  package init(_ files: [SourceFile], _ options: CloneOptions, skipsGenerated: Bool = true, processors: Int? = nil) {
    var reader = SourceReader(ignoresImports: options.ignoresImports, ignoresLiterals: options.ignoresLiterals)
    reader.skipsGenerated = skipsGenerated
    let read = reader.read(files, processors: processors ?? Workers.count(limit: .max))
    sources = read.sources
    unread = read.unread
    generated = read.generated
    clones = CloneSearch(read, options).clones().map { clone in
      FoundClone(clone: clone, spans: clone.places.map { Self.span($0, read) })
    }
    countDuplicates(read)
  }

  init(sources: [CodeSource], clones: [FoundClone], unread: [UnreadSource], generated: [String]) {
    (self.sources, self.clones, self.unread, self.generated) = (sources, clones, unread, generated)
  }

  private static func span(_ place: ClonePlace, _ read: ReadSources) -> CloneSpan {
    let source = read.sources[place.source]
    let last = place.tokens.upperBound - 1
    let lines = read.lines[source.start + place.tokens.lowerBound]..<(read.lines[source.start + last] + 1)
    return CloneSpan(
      source: place.source, start: Int(lines.lowerBound),
      end: Int(lines.upperBound) - 1 + (source.tallTokens[last] ?? 0))
  }

  /// Counts the tokens and lines of each source that are in clones, each once.
  private mutating func countDuplicates(_ read: ReadSources) {
    var tokens = [[Range<Int>]](repeating: [], count: sources.count)
    var lines = tokens
    for found in clones {
      for (place, span) in zip(found.clone.places, found.spans) {
        tokens[place.source].append(place.tokens)
        lines[place.source].append(span.start..<max(span.end, span.start) + 1)
      }
    }
    for index in sources.indices {
      sources[index].duplicatedTokens = min(Self.union(tokens[index]), sources[index].tokens)
      sources[index].duplicatedLines = min(Self.union(lines[index]), sources[index].lines)
    }
  }

  /// The number of numbers that are in at least one range.
  private static func union(_ ranges: [Range<Int>]) -> Int {
    var count = 0
    var end = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      count += max(0, range.upperBound - max(end, range.lowerBound))
      end = max(end, range.upperBound)
    }
    return count
  }
}
