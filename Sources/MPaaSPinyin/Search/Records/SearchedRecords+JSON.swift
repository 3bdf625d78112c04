import MPaaSSupport

extension SearchedRecords {
  /// An answer as a line of JSON, with its line feed: `{"hits":[…],"query":"…","total":1}`.
  package func json(of answer: RecordAnswer) -> [UInt8] {
    var text: [UInt8] = []
    text += "{\"hits\":[".utf8
    for (place, hit) in answer.hits.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      append(hit, answer.query, to: &text)
    }
    text += "],\"query\":".utf8
    JSONValue.append(answer.query.text, to: &text)
    text += ",\"total\":\(answer.total)}\n".utf8
    return text
  }

  private func append(_ hit: RecordIndex.Hit, _ query: PinyinQuery, to text: inout [UInt8]) {
    let matched = index.text(of: hit)
    let highlight = PinyinHighlight(hit.match.range, in: matched)
    text += "{\"field\":\"\(hit.isSecondary ? "secondary" : "primary")\"".utf8
    text += ",\"fuzzy\":\(hit.match.isFuzzy),\"graphemes\":".utf8
    Self.append(highlight.characters, to: &text)
    text += ",\"index\":\(hit.record),\"kind\":\"\(hit.match.kind)\"".utf8
    if let lineNumbers { text += ",\"line\":\(lineNumbers[hit.record])".utf8 }
    text += ",\"range\":".utf8
    Self.append(hit.match.range.lowerBound..<hit.match.range.upperBound + 1, to: &text)
    text += ",\"ranges\":[".utf8
    for (place, range) in index.index.ranges(of: query, in: hit.match.text).enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      Self.append(range.lowerBound..<range.upperBound + 1, to: &text)
    }
    text.append(UInt8(ascii: "]"))
    if let records, records.format != .lines {
      text += ",\"record\":".utf8
      JSONValue.append(record(hit.record), to: &text)
    }
    text += ",\"text\":".utf8
    JSONValue.append(matched, to: &text)
    text += ",\"typo\":\(hit.match.isMistyped),\"utf16\":".utf8
    Self.append(highlight.utf16, to: &text)
    text.append(UInt8(ascii: "}"))
  }

  /// The first and the last of a range.
  private static func append(_ range: Range<Int>, to text: inout [UInt8]) {
    text += "[\(range.lowerBound),\(range.upperBound - 1)]".utf8
  }

  /// The records that were picked, as a line of JSON with its line feed.
  ///
  /// - Parameter query: The text that was typed last.
  package func json(ofPicked numbers: [Int], query: String) -> String {
    let picked = numbers.map { number -> JSONValue in
      ["index": JSONValue(number), "record": .string(record(number)), "text": .string(index.text(number))]
    }
    let answer: JSONValue = ["picked": .array(picked), "query": .string(query)]
    return answer.line + "\n"
  }
}
