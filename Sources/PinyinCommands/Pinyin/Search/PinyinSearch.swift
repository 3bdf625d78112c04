import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

extension PinyinCommand {
  /// `mpaas pinyin search --data FILE QUERY…`: the records whose text matches, by what they say or how they are read.
  struct Search: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("search", key: "pinyin.search") }

    @Argument(help: .text("command.pinyin.search.query", valueName: "query"))
    var query: [String] = []

    @OptionGroup var data: PinyinDataOptions
    @OptionGroup var match: PinyinMatchOptions
    @OptionGroup var hits: PinyinHitOptions
    @OptionGroup var picker: PinyinPickerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let options = try match.options()
      if picker.interactive {
        if data.data == nil, StandardInput.isTerminal { throw Diagnostic("pinyin-search-no-data", exit: .usage) }
        let (data, hits) = (data, hits)
        return try picker.pick(query, options, hits.print, in: context, results) {
          let records = try data.records(in: context)
          return SearchedRecords(
            RecordIndex(records, readings: try data.searchReadings(in: context)), records: records)
        }
      }
      let queries = try hits.queries(query, options, in: context)
      guard !queries.isEmpty else { throw Diagnostic("pinyin-search-no-query", exit: .usage) }
      if hits.queries == "-", try data.dataPath() == "-" { throw Diagnostic("pinyin-search-input-twice", exit: .usage) }
      let records = try await context.timed("read") { try data.records(in: context) }
      let readings = try await context.timed("readings") { try data.searchReadings(in: context) }
      let index = await context.timed("index") { RecordIndex(records, readings: readings) }
      return try await context.timed("search") {
        try hits.answer(queries, of: SearchedRecords(index, records: records), in: context, results)
      }
    }
  }
}
