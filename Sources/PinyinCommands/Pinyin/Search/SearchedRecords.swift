import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

/// Records that are searched, and how their hits are printed.
struct SearchedRecords: Sendable {
  let index: RecordIndex
  /// The records as they stand in their file; nil for an index that was read from a file.
  private let records: SearchRecords?
  private let lineNumbers: [Int]?

  init(_ index: RecordIndex, records: SearchRecords? = nil) {
    self.index = index
    self.records = records
    // The line of a line is its number.
    lineNumbers = records.flatMap { $0.format == .lines ? nil : $0.lineNumbers() }
  }

  /// Prints the hits of each query as they are found.
  func answer(_ queries: [PinyinQuery], _ options: PinyinHitOptions, in context: Context) -> SearchAnswer {
    var total = 0
    let limit = options.all ? nil : options.limit
    let order: PinyinSearchOrder = options.order == .rank ? .rank : .input
    let terminal = context.terminal
    for query in queries {
      let found = index.search(query, limit: limit, order: order)
      total += found.total
      if terminal.settings.isJSON {
        var line: [UInt8] = []
        appendJSON(query, found.hits, found.total, to: &line)
        line.withUnsafeBytes(terminal.data.writeBytes)
        continue
      }
      let prefix = queries.count > 1 ? StyledText(verbatim: query.text, .path) + StyledText("\t") : StyledText()
      let lines = found.hits.map { prefix + line($0, query, options.print, isRaw: !terminal.output.isTerminal) }
      terminal.print(Document(lines: lines))
      if found.total > found.hits.count, terminal.errors.isTerminal {
        terminal.note(
          StyledText(
            context.catalogue.text(
              "text.pinyin-search-more", ["shown": "\(found.hits.count)", "total": "\(found.total)"]), .faint))
      }
    }
    return SearchAnswer(total: total)
  }

  /// What is printed of a record where nobody says it: rows and lines as they stand, of JSON the text.
  private func part(_ wish: PinyinHitOptions.PrintedPart?) -> PinyinHitOptions.PrintedPart {
    wish ?? (records == nil || records?.format.hasPaths == true ? .text : .record)
  }

  /// A hit as a line, with its matches.
  private func line(
    _ hit: RecordIndex.Hit, _ query: PinyinQuery, _ wish: PinyinHitOptions.PrintedPart?, isRaw: Bool
  ) -> StyledText {
    let ranges = index.highlights(of: hit, query)
    switch part(wish) {
    case .index: return StyledText("\(hit.record)")
    case .record where records == nil: return line(hit, query, .text, isRaw: isRaw)
    case .record:
      let place = records?.place(ofTextIn: hit.record, isSecondary: hit.isSecondary)
      let shifted = place.map { place in ranges.map { $0.lowerBound + place..<$0.upperBound + place } } ?? []
      return RowText(record(hit.record), highlights: shifted, isRaw: isRaw).fitted(to: nil)
    case .text:
      let text = index.text(hit.record)
      guard hit.isSecondary else { return RowText(text, highlights: ranges, isRaw: isRaw).fitted(to: nil) }
      return RowText(text, isRaw: isRaw).fitted(to: nil) + StyledText("\t")
        + RowText(index.secondaryText(hit.record) ?? "", highlights: ranges, isRaw: isRaw).fitted(to: nil)
    }
  }

  /// A record on a line: JSON without the breaks between its parts.
  func record(_ number: Int) -> String {
    guard let records else { return index.text(number) }
    let record = records.record(number)
    return records.format == .json ? Self.minified(record) : record
  }

  /// What is printed of a picked record.
  func picked(_ number: Int, _ wish: PinyinHitOptions.PrintedPart?) -> String {
    switch part(wish) {
    case .index: "\(number)"
    case .record: record(number)
    case .text: index.text(number)
    }
  }

  /// JSON without white space outside of strings.
  static func minified(_ json: String) -> String {
    var isInside = false
    var isEscaped = false
    var result: [UInt8] = []
    for byte in json.utf8 {
      if isInside {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInside = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInside = true
      } else if [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
        continue
      }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: JSON

  /// Appends the answer to a query as a line of JSON.
  func appendJSON(_ query: PinyinQuery, _ hits: [RecordIndex.Hit], _ total: Int, to text: inout [UInt8]) {
    text += "{\"hits\":[".utf8
    for (place, hit) in hits.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      append(hit, query, to: &text)
    }
    text += "],\"query\":".utf8
    JSONValue.append(query.text, to: &text)
    text += ",\"total\":\(total)}\n".utf8
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

  /// First and last.
  private static func append(_ range: Range<Int>, to text: inout [UInt8]) {
    text += "[\(range.lowerBound),\(range.upperBound - 1)]".utf8
  }
}
