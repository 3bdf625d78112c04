/// Records that are searched: an index, and the records as they stand in their file.
package struct SearchedRecords: Sendable {
  package let index: RecordIndex
  /// The records as they stand in their file; nil for an index that was read from a file.
  package let records: SearchRecords?
  /// The line of each record; nil where it is the record's number, or not known.
  let lineNumbers: [Int]?

  package init(_ index: RecordIndex, records: SearchRecords? = nil) {
    self.index = index
    self.records = records
    lineNumbers = records.flatMap { $0.format == .lines ? nil : $0.lineNumbers() }
  }

  /// Searches for one query after another, and hands over each answer before the next is searched for.
  ///
  /// - Parameter limit: The most hits of a query; nil for all.
  /// - Returns: The records that match, counted once for each query.
  package func answer(
    _ queries: [PinyinQuery], limit: Int?, order: PinyinSearchOrder, _ take: (RecordAnswer) throws -> Void
  ) rethrows -> Int {
    var total = 0
    for query in queries {
      let answer = answer(query, limit: limit, order: order)
      total += answer.total
      try take(answer)
    }
    return total
  }

  /// The answer to one query, the best hits first unless another order is asked for.
  package func answer(_ query: PinyinQuery, limit: Int?, order: PinyinSearchOrder = .rank) -> RecordAnswer {
    let found = index.search(query, limit: limit, order: order)
    return RecordAnswer(query: query, hits: found.hits, total: found.total)
  }

  /// The part that is printed where none is asked for: rows and lines as they stand, of JSON the text.
  package var usualPart: RecordPart {
    records == nil || records?.format.hasPaths == true ? .text : .record
  }

  /// A record on a line: JSON without the breaks between its parts.
  package func record(_ number: Int) -> String {
    guard let records else { return index.text(number) }
    let record = records.record(number)
    return records.format == .json ? Self.minified(record) : record
  }

  /// A part of a record as text.
  package func text(of number: Int, _ part: RecordPart) -> String {
    switch part {
    case .index: "\(number)"
    case .record: record(number)
    case .text: index.text(number)
    }
  }

  /// JSON without white space outside of strings.
  private static func minified(_ json: String) -> String {
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
}

/// The records that a query found.
package struct RecordAnswer: Sendable {
  package let query: PinyinQuery
  /// The first of them, in the order that was asked for.
  package let hits: [RecordIndex.Hit]
  /// All of them, counted.
  package let total: Int
}

/// A part of a record that is printed.
package enum RecordPart: String, Sendable, CaseIterable {
  case record, text, index
}
