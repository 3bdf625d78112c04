import MPaaSSupport

/// The texts of places that clones are at, each source read once.
package final class CloneTexts {
  private let report: CloneReport
  private let ignoresImports: Bool
  private var sources: [Int: PositionedTokens?] = [:]

  package init(_ report: CloneReport, ignoresImports: Bool) {
    (self.report, self.ignoresImports) = (report, ignoresImports)
  }

  /// The tokens of a source; nil where it cannot be read any more, or has changed.
  package func tokens(_ source: Int) -> PositionedTokens? {
    if let known = sources[source] { return known }
    // Enough for neighbors; a report may name all sources of a large tree.
    if sources.count >= 64 { sources = [:] }
    let file = report.sources[source]
    let bytes = try? Bytes.reading(file.path, limit: SourceReader.limit)
    let tokens = bytes.map { bytes in
      withExtendedLifetime(bytes) {
        PositionedTokens(Array(bytes.buffer), file.language, ignoresImports: ignoresImports)
      }
    }
    let isSame = tokens.map { $0.tokens.count == file.length } ?? false
    sources[source] = .some(isSame ? tokens : nil)
    return isSame ? tokens : nil
  }

  /// The bytes from the first token of a place to the end of its last one; nil where the source has changed.
  package func range(_ place: ClonePlace) -> Range<Int>? {
    guard let source = tokens(place.source), place.tokens.upperBound <= source.tokens.count else { return nil }
    let tokens = source.tokens[place.tokens].filter { !$0.isCut }
    guard let first = tokens.first, let last = tokens.last else { return nil }
    return first.start..<max(last.end, first.start)
  }

  /// The lines of a place as they stand, without line ends.
  package func lines(_ span: CloneSpan, limit: Int = .max) -> [String] {
    guard let source = tokens(span.source), span.start > 0 else { return [] }
    return (span.start...max(span.end, span.start)).prefix(limit).compactMap { line in
      guard line <= source.lines.count else { return nil }
      return String(decoding: source.bytes[source.line(number: line)], as: UTF8.self)
    }
  }
}

extension PositionedTokens {
  /// The bytes of a line, counted from 1, without its end.
  package func line(number: Int) -> Range<Int> {
    let start = lines[number - 1]
    var end = number < lines.count ? lines[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0d { end -= 1 }
    return start..<max(start, end)
  }
}
