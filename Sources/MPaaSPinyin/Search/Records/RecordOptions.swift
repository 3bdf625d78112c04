/// The division of a file into records.
package enum RecordFormat: String, Sendable, CaseIterable {
  /// A line is a record and its text.
  case lines
  /// Rows of fields, quoted as in RFC 4180.
  case csv
  /// Rows of fields with tabs between them, never quoted (IANA `text/tab-separated-values`).
  case tsv
  /// One JSON document.
  case json
  /// A JSON value a line.
  case jsonl

  /// The format that a file's name speaks of; `lines` where it does not.
  package init(suffixOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } : nil
    switch suffix {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    default: self = .lines
    }
  }

  /// Tells whether a record is a row of columns.
  package var hasColumns: Bool { self == .csv || self == .tsv }
  /// Tells whether a path leads to the text of a record.
  package var hasPaths: Bool { self == .json || self == .jsonl }
}

/// A column by its name in the first row, or by its number from 1.
package enum RecordColumn: Sendable, Hashable {
  case named(String)
  case number(Int)

  /// Digits are a number, everything else is a name.
  package init(_ text: String) {
    if let number = Int(text), number > 0 { self = .number(number) } else { self = .named(text) }
  }

  package var isNamed: Bool {
    if case .named = self { true } else { false }
  }
}

/// The texts of a file that are searched.
package struct RecordOptions: Sendable {
  package var format: RecordFormat
  /// The column of the text; nil for the first.
  package var column: RecordColumn?
  package var secondaryColumn: RecordColumn?
  /// The place of the text in JSON; nil for the elements of an array, or the line's value itself.
  package var path: RecordPath?
  package var secondaryPath: RecordPath?
  /// Tells whether the first row has the columns' names; nil: where a column is named, it has.
  package var hasHeader: Bool?
  /// The character between the fields of CSV: an ASCII character.
  package var delimiter = UInt8(ascii: ",")
  /// Tells whether bytes that are not UTF-8 become U+FFFD instead of an error.
  package var isLossy = false

  package init(format: RecordFormat = .lines) {
    self.format = format
  }
}
