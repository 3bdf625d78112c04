import MPaaSSupport

extension PinyinError.Code {
  /// Bytes that are not UTF-8; `offset` is where.
  package static var recordsNotUTF8: Self { .malformed("pinyin-records-not-utf8") }
  /// A quoted field that never ends, or goes on behind its end.
  package static var recordsQuote: Self { .malformed("pinyin-records-quote") }
  /// No column of that name or number.
  package static var recordsColumn: Self { .malformed("pinyin-records-column") }
  /// The same, and one of nearly that name is there.
  package static var recordsColumnNear: Self { .malformed("pinyin-records-column-near") }
  package static var recordsJSON: Self { .malformed("pinyin-records-json") }
  /// The error for an object or an array.
  package static var recordsNotText: Self { .malformed("pinyin-records-not-text") }
  /// Nothing stands at the path in any record.
  package static var recordsNothing: Self { .malformed("pinyin-records-nothing") }
  package static var recordsPath: Self { Self("pinyin-records-path", exit: .usage) }
  /// The second path leads into other records than the first.
  package static var recordsPaths: Self { Self("pinyin-records-paths", exit: .usage) }
}
