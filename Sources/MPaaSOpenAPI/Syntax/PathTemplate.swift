import MPaaSSupport

/// A path with parameters in braces, which may be a part of a segment only.
package struct PathTemplate: Sendable {
  package enum Part: Sendable, Equatable {
    case text(String)
    case parameter(String)
  }

  package let text: String
  /// The parts of each segment; no two parameters stand side by side.
  package let segments: [[Part]]

  package init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { Self.parts($0) }
  }

  private static func parts(_ segment: Substring) -> [Part] {
    var parts: [Part] = []
    var rest = segment
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.parameter(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  package var names: [String] {
    segments.flatMap { $0.compactMap { if case .parameter(let name) = $0 { name } else { nil } } }
  }

  /// The template without the names of its parameters.
  package var shape: String {
    segments.map { parts in
      "/" + parts.map { if case .text(let text) = $0 { text } else { "{}" } }.joined()
    }.joined()
  }

  /// The exactness of each segment: 2 for text alone, 1 for text and a parameter, 0 for a parameter alone.
  var exactness: [Int] {
    segments.map { parts in
      let hasText = parts.contains { if case .text = $0 { true } else { false } }
      return parts.count == 1 && hasText ? 2 : hasText ? 1 : 0
    }
  }

  /// The values of the parameters where a path fits, as they stand there.
  ///
  /// - Parameter path: The segments of the path, not decoded.
  package func match(_ path: [Substring]) -> [(name: String, value: Substring)]? {
    guard path.count == segments.count else { return nil }
    var values: [(name: String, value: Substring)] = []
    for (parts, segment) in zip(segments, path) {
      if parts.count == 1, case .text(let text) = parts[0] {
        guard segment == text || PercentEncoding.decode(String(segment)) == text else { return nil }
      } else if !Self.match(parts[...], segment, &values) {
        return nil
      }
    }
    return values
  }

  private static func match(
    _ parts: ArraySlice<Part>, _ segment: Substring, _ values: inout [(name: String, value: Substring)]
  ) -> Bool {
    guard let first = parts.first else { return segment.isEmpty }
    switch first {
    case .text(let text):
      guard segment.hasPrefix(text) else { return false }
      return match(parts.dropFirst(), segment.dropFirst(text.count), &values)
    case .parameter(let name):
      guard case .text(let next)? = parts.dropFirst().first else {
        guard !segment.isEmpty else { return false }
        values.append((name, segment))
        return parts.count == 1
      }
      // The last text of a segment is found at its end: `{name}.json` fits `a.json.json`.
      let found =
        parts.count == 2
        ? (segment.hasSuffix(next) ? segment.index(segment.endIndex, offsetBy: -next.count) : nil)
        : segment.firstRange(of: next)?.lowerBound
      guard let found, found > segment.startIndex else { return false }
      values.append((name, segment[..<found]))
      return match(parts.dropFirst(), segment[found...], &values)
    }
  }
}
