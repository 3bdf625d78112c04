package import MPaaSPinyin
import MPaaSSupport
package import ServingKit

/// The texts of a search as a call names them, and how they are read.
package struct RecordWords: Codable, Sendable {
  /// The file of the texts.
  package let data: String?
  /// A name of `RecordFormat`; nil where the file's name tells it.
  let format: String?
  /// The place of the text of a record: a column, or a path in JSON.
  let column: String?
  let path: String?
  let secondary: String?
  let hasHeader: Bool?
  let delimiter: String?
  let isLossy: Bool
  /// The file of readings.
  let readings: String?

  package init(
    data: String?, format: String?, column: String?, path: String?, secondary: String?, hasHeader: Bool?,
    delimiter: String?, isLossy: Bool, readings: String?
  ) {
    self.data = data
    self.format = format
    self.column = column
    self.path = path
    self.secondary = secondary
    self.hasHeader = hasHeader
    self.delimiter = delimiter
    self.isLossy = isLossy
    self.readings = readings
  }

  /// The division of a file into records.
  package func options(for path: String) throws -> RecordOptions {
    var options = RecordOptions(format: format.flatMap(RecordFormat.init(rawValue:)) ?? RecordFormat(suffixOf: path))
    let format = options.format
    let columnOption =
      column != nil ? "--column" : hasHeader != nil ? "--header" : delimiter != nil ? "--delimiter" : nil
    if let columnOption, !format.hasColumns { throw misplaced(columnOption, format, "csv") }
    if self.path != nil, !format.hasPaths { throw misplaced("--path", format, "json") }
    if secondary != nil, format == .lines { throw misplaced("--secondary", format, "csv") }
    if let delimiter {
      guard let character = delimiter.utf8.first, delimiter.utf8.count == 1, character < 0x80,
        !"\"\r\n".utf8.contains(character), format == .csv
      else { throw Diagnostic("pinyin-search-delimiter", ["delimiter": delimiter], exit: .usage) }
      options.delimiter = character
    }
    options.hasHeader = hasHeader
    options.isLossy = isLossy
    if format.hasColumns {
      options.column = column.map { RecordColumn($0) }
      options.secondaryColumn = secondary.map { RecordColumn($0) }
    } else {
      options.path = try self.path.map { try RecordPath(parsing: $0) }
      options.secondaryPath = try secondary.map { try RecordPath(parsing: $0) }
    }
    return options
  }

  private func misplaced(_ option: String, _ format: RecordFormat, _ other: String) -> Diagnostic {
    Diagnostic(
      "pinyin-search-misplaced", ["option": option, "format": format.rawValue, "other": other], exit: .usage)
  }

  /// The readings of the kit, or those of a file.
  package func searchReadings(in context: Context) throws -> SearchReadings {
    guard let readings else { return .builtIn }
    return try SearchReadings(
      file: try context.data(at: readings), isLossy: isLossy, named: context.name(ofData: readings))
  }
}
