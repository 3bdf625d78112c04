import MPaaSSupport

extension SearchRecords {
  /// Reads rows of fields, and keeps one or two columns of them.
  mutating func readTable(_ options: RecordOptions, _ file: String) throws(PinyinError) {
    let source = source
    var reader = TableReader(source.buffer, from: start, options, file)
    let isNamed = options.column?.isNamed == true || options.secondaryColumn?.isNamed == true
    if options.hasHeader ?? isNamed {
      var names: [String] = []
      _ = try reader.row { _, field in names.append(field.text(in: source.buffer)) }
      columns = names
    }
    let wanted = try place(of: options.column ?? .number(1), file)
    let second = try options.secondaryColumn.map { column throws(PinyinError) in try place(of: column, file) }
    var widest = 0
    while true {
      var found = Span.nothing
      var foundSecond = Span.nothing
      guard
        let range = try reader.row({ column, field in
          widest = max(widest, column + 1)
          if column == wanted { found = span(field) }
          if column == second { foundSecond = span(field) }
        })
      else { break }
      primary.append(found)
      records.append(Span(range))
      if second != nil { secondary.append(foundSecond) }
    }
    guard !primary.isEmpty, columns.isEmpty, let missing = [wanted, second ?? 0].first(where: { $0 >= widest }) else {
      return
    }
    throw PinyinError(
      .recordsColumn, ["file": file, "column": "\(missing + 1)", "columns": "1–\(widest)"], at: .file(file))
  }

  /// The place of a column among those of a row, from 0.
  private func place(of column: RecordColumn, _ file: String) throws(PinyinError) -> Int {
    switch column {
    case .number(let number):
      if columns.isEmpty || number <= columns.count { return number - 1 }
      throw PinyinError(
        .recordsColumn, ["file": file, "column": "\(number)", "columns": "1–\(columns.count)"], at: .file(file))
    case .named(let name):
      if let place = columns.firstIndex(of: name) { return place }
      let trimmed = columns.map { $0.trimmingSpaces }
      if let place = trimmed.firstIndex(of: name) { return place }
      var values = ["file": file, "column": name, "columns": columns.prefix(30).joined(separator: ", ")]
      guard let near = closestMatch(to: name, among: trimmed) else {
        throw PinyinError(.recordsColumn, values, at: .file(file))
      }
      values["suggestion"] = near
      throw PinyinError(.recordsColumnNear, values, at: .file(file))
    }
  }

  private mutating func span(_ field: TableReader.Field) -> Span {
    guard field.hasDoubledQuotes else { return Span(field.range) }
    let start = unescaped.count
    field.unescape(source.buffer, into: &unescaped)
    return Span(unescaped: start..<unescaped.count)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// Goes through the rows of a table.
///
/// - Source: RFC 4180, section 2. Beyond it: LF ends a row too, a quotation mark inside of a field that does not begin
///   with one stands for itself, and rows need not have the same number of fields.
struct TableReader {
  struct Field {
    /// The range between the quotation marks, or the whole field.
    let range: Range<Int>
    let hasDoubledQuotes: Bool

    func unescape(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
      var index = range.lowerBound
      while index < range.upperBound {
        text.append(bytes[index])
        index += bytes[index] == TableReader.quote && hasDoubledQuotes ? 2 : 1
      }
    }

    func text(in bytes: UnsafeRawBufferPointer) -> String {
      var text: [UInt8] = []
      unescape(bytes, into: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  static let quote = UInt8(ascii: "\"")
  private let bytes: UnsafeRawBufferPointer
  private let delimiter: UInt8
  private let isQuoting: Bool
  private let file: String
  private var offset: Int

  /// - Parameter bytes: Valid UTF-8, which lives as long as the reader.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, _ options: RecordOptions, _ file: String) {
    self.bytes = bytes
    delimiter = options.format == .tsv ? UInt8(ascii: "\t") : options.delimiter
    isQuoting = options.format == .csv
    self.file = file
    offset = start
  }

  /// Hands over the fields of the next row with their places from 0.
  ///
  /// - Returns: Where the row stands, without its line break; nil behind the last one.
  mutating func row(_ body: (Int, Field) -> Void) throws(PinyinError) -> Range<Int>? {
    guard offset < bytes.count else { return nil }
    let start = offset
    var column = 0
    while true {
      body(column, try field())
      column += 1
      guard offset < bytes.count, bytes[offset] == delimiter else { break }
      offset += 1
    }
    let end = offset
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "\r") { offset += 1 }
    offset = min(offset + 1, bytes.count)
    return start..<end
  }

  /// The field that is next; `offset` is then at the delimiter or the line break behind it.
  private mutating func field() throws(PinyinError) -> Field {
    if isQuoting, offset < bytes.count, bytes[offset] == Self.quote { return try quotedField() }
    let start = offset
    while offset < bytes.count, bytes[offset] != delimiter, !isRowEnd { offset += 1 }
    return Field(range: start..<offset, hasDoubledQuotes: false)
  }

  /// Tells whether a row ends here: LF, or CR with LF behind it.
  private var isRowEnd: Bool {
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\n") { return true }
    guard byte == UInt8(ascii: "\r") else { return false }
    return offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
  }

  private mutating func quotedField() throws(PinyinError) -> Field {
    let opening = offset
    offset += 1
    var hasDoubledQuotes = false
    while offset < bytes.count {
      guard bytes[offset] == Self.quote else {
        offset += 1
        continue
      }
      if offset + 1 < bytes.count, bytes[offset + 1] == Self.quote {
        hasDoubledQuotes = true
        offset += 2
        continue
      }
      let end = offset
      offset += 1
      guard offset == bytes.count || bytes[offset] == delimiter || isRowEnd else { throw failure(at: offset) }
      return Field(range: opening + 1..<end, hasDoubledQuotes: hasDoubledQuotes)
    }
    throw failure(at: opening)
  }

  private func failure(at place: Int) -> PinyinError {
    let before = bytes[..<place]
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return PinyinError(
      .recordsQuote, ["file": file, "line": "\(line)"], at: .text(file: file, line: line, column: place - start + 1))
  }
}
