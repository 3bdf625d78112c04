package import MPaaSSupport

/// The texts of a file that a search goes through, and where each stands: lines, columns of rows, or values of JSON.
///
/// Texts are not copied: what needs no unescaping lies in the file's own bytes.
package struct SearchRecords: Sendable {
  /// A stretch of the source, or of what was unescaped (its start is then the complement).
  struct Span: Sendable, Equatable {
    let start: Int
    let count: Int

    init(_ range: Range<Int>) {
      start = range.lowerBound
      count = range.count
    }

    init(unescaped range: Range<Int>) {
      start = ~range.lowerBound
      count = range.count
    }

    static let nothing = Span(0..<0)
  }

  package let format: RecordFormat
  let source: Bytes
  var unescaped: [UInt8] = []
  var primary: [Span] = []
  /// Empty where no secondary field is asked for.
  var secondary: [Span] = []
  /// The records as they stand; empty where each is its text.
  var records: [Span] = []
  /// The names of the columns, where the first row has them.
  package var columns: [String] = []

  /// Reads the records of a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; offsets in errors count from its first byte.
  ///   - file: What errors call it.
  package init(_ bytes: Bytes, options: RecordOptions, file: String) throws(PinyinError) {
    format = options.format
    source = try Self.text(bytes, options, file)
    switch options.format {
    case .lines: readLines()
    case .csv, .tsv: try readTable(options, file)
    case .json, .jsonl: try readJSON(options, file)
    }
  }

  /// The bytes as UTF-8, without a byte order mark.
  private static func text(_ bytes: Bytes, _ options: RecordOptions, _ file: String) throws(PinyinError) -> Bytes {
    var bytes = bytes
    if let fault = UTF8Check.firstFault(in: bytes.buffer) {
      guard options.isLossy else {
        throw PinyinError(
          .recordsNotUTF8, ["file": file, "offset": "\(fault)"], at: .bytes(file: file, offset: UInt64(fault)))
      }
      bytes = Bytes(String(utf8: bytes.buffer).utf8)
    }
    return bytes
  }

  /// The beginning of the text: behind a byte order mark.
  var start: Int { source.buffer.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

  package var count: Int { primary.count }
  package var isEmpty: Bool { primary.isEmpty }
  package var hasSecondary: Bool { !secondary.isEmpty }

  /// The text of a record in the primary field; empty where it has none.
  package func text(_ index: Int) -> String { string(primary[index]) }

  /// The text of a record in the secondary field; nil where none is asked for.
  package func secondaryText(_ index: Int) -> String? {
    secondary.isEmpty ? nil : string(secondary[index])
  }

  /// The record as it stands in the file, without the line break behind it.
  package func record(_ index: Int) -> String {
    string(records.isEmpty ? primary[index] : records[index])
  }

  /// The place of a text in its record, in Unicode scalars; nil where it stands there with escapes, or not at all.
  package func place(ofTextIn index: Int, isSecondary: Bool) -> Int? {
    let field = isSecondary ? (secondary.isEmpty ? .nothing : secondary[index]) : primary[index]
    guard !records.isEmpty else { return 0 }
    let record = records[index]
    guard field.count > 0, field.start >= record.start else { return nil }
    return String(utf8: UnsafeRawBufferPointer(rebasing: source.buffer[record.start..<field.start])).unicodeScalars
      .count
  }

  package var texts: [String] { primary.map(string) }
  package var secondaryTexts: [String]? { secondary.isEmpty ? nil : secondary.map(string) }

  /// The UTF-8 of a record's text in the primary field, without a copy.
  package func withText<Value>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withBytes(primary[index], body)
  }

  /// The same of the secondary field; nothing where none is asked for.
  package func withSecondaryText<Value>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withBytes(secondary.isEmpty ? .nothing : secondary[index], body)
  }

  private func string(_ span: Span) -> String { withBytes(span) { String(utf8: $0) } }

  private func withBytes<Value>(_ span: Span, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    if span.start >= 0 {
      return body(UnsafeRawBufferPointer(rebasing: source.buffer[span.start..<span.start + span.count]))
    }
    return unescaped.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[~span.start..<(~span.start + span.count)]))
    }
  }

  /// The line on which each record begins, from 1.
  package func lineNumbers() -> [Int] {
    var line = 1
    var place = 0
    return (records.isEmpty ? primary : records).map { span in
      while place < span.start {
        if source.buffer[place] == UInt8(ascii: "\n") { line += 1 }
        place += 1
      }
      return line
    }
  }
}
