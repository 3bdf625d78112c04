import MPaaSSupport

// The form that the cache keeps: numbers in rows, files by their index in the call.
extension CloneReport {
  func value(_ files: [SourceFile]) -> JSONValue {
    let indexes = Dictionary(files.enumerated().map { ($1.path, $0) }) { first, _ in first }
    func row(_ numbers: [Int]) -> JSONValue { .array(numbers.map { JSONValue($0) }) }
    func row(_ places: [ClonePlace]) -> JSONValue {
      row(places.flatMap { [$0.source, $0.tokens.lowerBound, $0.tokens.upperBound] })
    }
    return [
      "sources": .array(
        sources.map { source in
          row([
            indexes[source.path] ?? -1, source.tokens, source.lines, source.length, source.original ?? -1,
            source.duplicatedTokens, source.duplicatedLines,
          ])
        }),
      "clones": .array(
        clones.map { found in
          [
            "type": JSONValue(found.clone.type.rawValue), "tokens": JSONValue(found.clone.tokens),
            "similarity": .number(found.clone.similarity), "key": .string(found.clone.key),
            "places": row(found.clone.places), "parts": row(found.clone.parts),
            "lines": row(found.spans.flatMap { [$0.start, $0.end] }),
          ]
        }),
      "unread": .array(unread.map { [JSONValue(indexes[$0.path] ?? -1), .string($0.reason)] }),
      "generated": row(generated.map { indexes[$0] ?? -1 }),
    ]
  }

  /// - Returns: Nil where the value is none of these, or of other files.
  init?(_ value: JSONValue, _ files: [SourceFile]) {
    guard let object = value.object, let rows = object["sources"]?.array, let list = object["clones"]?.array,
      let unreadRows = object["unread"]?.array, let generatedRows = Self.numbers(object["generated"])
    else { return nil }
    var sources: [CodeSource] = []
    for row in rows {
      guard let numbers = Self.numbers(row), numbers.count == 7, files.indices.contains(numbers[0]) else { return nil }
      var source = CodeSource(path: files[numbers[0]].path, language: files[numbers[0]].language)
      (source.tokens, source.lines, source.length) = (numbers[1], numbers[2], numbers[3])
      source.original = numbers[4] >= 0 ? numbers[4] : nil
      (source.duplicatedTokens, source.duplicatedLines) = (numbers[5], numbers[6])
      sources.append(source)
    }
    var clones: [FoundClone] = []
    for value in list {
      guard let found = Self.clone(value, sources) else { return nil }
      clones.append(found)
    }
    var unread: [UnreadSource] = []
    for row in unreadRows {
      guard let cells = row.array, cells.count == 2, let index = cells[0].integer(Int.self),
        files.indices.contains(index), let reason = cells[1].string
      else { return nil }
      unread.append(UnreadSource(path: files[index].path, reason: reason))
    }
    guard generatedRows.allSatisfy(files.indices.contains) else { return nil }
    self.init(sources: sources, clones: clones, unread: unread, generated: generatedRows.map { files[$0].path })
  }

  private static func numbers(_ value: JSONValue?) -> [Int]? {
    guard let array = value?.array else { return nil }
    let numbers = array.compactMap { $0.integer(Int.self) }
    return numbers.count == array.count ? numbers : nil
  }

  private static func places(_ value: JSONValue?, _ sources: [CodeSource]) -> [ClonePlace]? {
    guard let numbers = numbers(value), numbers.count.isMultiple(of: 3) else { return nil }
    var places: [ClonePlace] = []
    for start in stride(from: 0, to: numbers.count, by: 3) {
      let (source, low, high) = (numbers[start], numbers[start + 1], numbers[start + 2])
      guard sources.indices.contains(source), low >= 0, low < high, high <= sources[source].length else { return nil }
      places.append(ClonePlace(source: source, tokens: low..<high))
    }
    return places
  }

  private static func clone(_ value: JSONValue, _ sources: [CodeSource]) -> FoundClone? {
    guard let object = value.object, let number = object["type"]?.integer(Int.self),
      let type = CloneType(rawValue: number), let tokens = object["tokens"]?.integer(Int.self),
      let similarity = object["similarity"]?.double, let key = object["key"]?.string,
      let places = places(object["places"], sources),
      let parts = places.isEmpty ? nil : Self.places(object["parts"], sources),
      let lines = numbers(object["lines"]), lines.count == 2 * places.count
    else { return nil }
    let clone = CodeClone(
      type: type, tokens: tokens, similarity: similarity, places: places, parts: parts, key: key)
    let spans = places.indices.map {
      CloneSpan(source: places[$0].source, start: lines[2 * $0], end: lines[2 * $0 + 1])
    }
    return FoundClone(clone: clone, spans: spans)
  }
}
