import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

/// The sources of the texts of a search.
struct PinyinDataOptions: ParsableArguments {
  @Option(help: .text("command.pinyin.search.data", valueName: "file"), completion: .file())
  var data: String?

  @Option(help: .text("command.pinyin.search.format"))
  var format: RecordFormat?

  @Option(help: .text("command.pinyin.search.column", valueName: "name|number"))
  var column: String?

  @Option(help: .text("command.pinyin.search.path", valueName: "path"))
  var path: String?

  @Option(help: .text("command.pinyin.search.secondary", valueName: "column|path"))
  var secondary: String?

  @Flag(inversion: .prefixedNo, help: .text("command.pinyin.search.header"))
  var header: Bool?

  @Option(help: .text("command.pinyin.search.delimiter", valueName: "character"))
  var delimiter: String?

  @Flag(help: .text("command.pinyin.search.lossy"))
  var lossy = false

  @Option(help: .text("command.pinyin.search.readings", valueName: "file"), completion: .file())
  var readings: String?

  /// The records of the data.
  func records(in context: Context) throws -> SearchRecords {
    let path = try dataPath()
    return try SearchRecords(
      context.data(at: path), options: try options(for: path), file: context.name(ofData: path))
  }

  /// The path of the data: a pipe where none is named.
  func dataPath() throws -> String {
    if let data { return data }
    guard !StandardInput.isTerminal else { throw Diagnostic("pinyin-search-no-data", exit: .usage) }
    return "-"
  }

  /// The division of a file into records.
  func options(for path: String) throws -> RecordOptions {
    var options = RecordOptions(format: format ?? RecordFormat(suffixOf: path))
    let format = options.format
    let columnOption = column != nil ? "--column" : header != nil ? "--header" : delimiter != nil ? "--delimiter" : nil
    if let columnOption, !format.hasColumns { throw misplaced(columnOption, format, "csv") }
    if self.path != nil, !format.hasPaths { throw misplaced("--path", format, "json") }
    if secondary != nil, format == .lines { throw misplaced("--secondary", format, "csv") }
    if let delimiter {
      guard let character = delimiter.utf8.first, delimiter.utf8.count == 1, character < 0x80,
        !"\"\r\n".utf8.contains(character), format == .csv
      else { throw Diagnostic("pinyin-search-delimiter", ["delimiter": delimiter], exit: .usage) }
      options.delimiter = character
    }
    options.hasHeader = header
    options.isLossy = lossy
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
  func searchReadings(in context: Context) throws -> SearchReadings {
    guard let readings else { return .builtIn }
    return try SearchReadings(
      file: try context.data(at: readings), isLossy: lossy, named: context.name(ofData: readings))
  }
}

extension RecordFormat: ExpressibleByArgument {}
