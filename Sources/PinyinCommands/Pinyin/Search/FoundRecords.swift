import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

/// The records that a query found, a line each, with what matched in them.
struct FoundRecords: Presentable {
  let answer: RecordAnswer
  let searched: SearchedRecords
  let part: RecordPart
  /// Begins each line with the query, where there are several.
  let namesQuery: Bool
  /// Leaves texts as they stand, for programs that read them.
  let isRaw: Bool

  func encode(to encoder: any Encoder) throws {
    try searched.json(of: answer).withUnsafeBytes { try JSONValue(reading: $0) }.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let prefix = namesQuery ? StyledText(verbatim: answer.query.text, .path) + StyledText("\t") : StyledText()
    return Document(lines: answer.hits.map { prefix + line($0, part) })
  }

  private func line(_ hit: RecordIndex.Hit, _ part: RecordPart) -> StyledText {
    let index = searched.index
    let ranges = index.highlights(of: hit, answer.query)
    switch part {
    case .index: return StyledText("\(hit.record)")
    case .record:
      guard let records = searched.records else { return line(hit, .text) }
      let place = records.place(ofTextIn: hit.record, isSecondary: hit.isSecondary)
      let shifted = place.map { place in ranges.map { $0.lowerBound + place..<$0.upperBound + place } } ?? []
      return RowText(searched.record(hit.record), highlights: shifted, isRaw: isRaw).fitted(to: nil)
    case .text:
      let text = index.text(hit.record)
      guard hit.isSecondary else { return RowText(text, highlights: ranges, isRaw: isRaw).fitted(to: nil) }
      return RowText(text, isRaw: isRaw).fitted(to: nil) + StyledText("\t")
        + RowText(index.secondaryText(hit.record) ?? "", highlights: ranges, isRaw: isRaw).fitted(to: nil)
    }
  }
}
