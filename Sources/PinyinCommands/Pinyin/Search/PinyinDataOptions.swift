import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal
import PinyinServingKit

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

  var words: RecordWords {
    RecordWords(
      data: data, format: format?.rawValue, column: column, path: path, secondary: secondary, hasHeader: header,
      delimiter: delimiter, isLossy: lossy, readings: readings)
  }

  /// The division of a file into records.
  func options(for path: String) throws -> RecordOptions { try words.options(for: path) }

  /// The readings of the kit, or those of a file.
  func searchReadings(in context: Context) throws -> SearchReadings { try words.searchReadings(in: context) }
}

extension RecordFormat: ExpressibleByArgument {}
