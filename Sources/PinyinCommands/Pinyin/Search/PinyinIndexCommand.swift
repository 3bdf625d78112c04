import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

extension PinyinCommand {
  /// `mpaas pinyin index …`: indexes kept in files.
  struct Index: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "index", key: "pinyin.index",
        subcommands: [
          Build.self, Info.self, Search.self,
        ])
    }
  }
}

extension PinyinCommand.Index {
  /// `mpaas pinyin index build --data FILE --output F.mpidx`: the index of records in a file of its own.
  struct Build: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("build", key: "pinyin.index.build") }

    @OptionGroup var data: PinyinDataOptions

    @Option(
      name: [.short, .long], help: .text("command.pinyin.index.build.output", valueName: "file"), completion: .file())
    var output: String

    @Flag(help: .text("command.pinyin.index.build.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PinyinIndexFacts {
      let file = RecordIndexFile(output)
      if !force { try file.checkReplaceable() }
      let records = try await context.timed("read") { try data.records(in: context) }
      let readings = try await context.timed("readings") { try data.searchReadings(in: context) }
      let index = await context.timed("index") { RecordIndex(records, readings: readings) }
      try await context.timed("write") { try file.write(index) }
      return PinyinIndexFacts(index, file)
    }
  }

  /// `mpaas pinyin index info F.mpidx`: what an index holds, checked from end to end.
  struct Info: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("info", key: "pinyin.index.info") }

    @Argument(help: .text("command.pinyin.index.file", valueName: "index"), completion: .file())
    var index: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PinyinIndexFacts {
      let file = RecordIndexFile(index)
      return PinyinIndexFacts(try file.open(), file)
    }
  }

  /// `mpaas pinyin index search F.mpidx QUERY…`: a search without reading and indexing the data first.
  struct Search: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("search", key: "pinyin.index.search") }

    @Argument(help: .text("command.pinyin.index.file", valueName: "index"), completion: .file())
    var index: String

    @Argument(help: .text("command.pinyin.search.query", valueName: "query"))
    var query: [String] = []

    @OptionGroup var match: PinyinMatchOptions
    @OptionGroup var hits: PinyinHitOptions
    @OptionGroup var picker: PinyinPickerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let options = try match.options()
      let file = RecordIndexFile(index)
      if picker.interactive {
        return try picker.pick(query, options, hits.print, in: context, results) { SearchedRecords(try file.open()) }
      }
      let queries = try hits.queries(query, options, in: context)
      guard !queries.isEmpty else { throw Diagnostic("pinyin-search-no-query", exit: .usage) }
      let opened = try await context.timed("open") { try file.open() }
      return try await context.timed("search") {
        try hits.answer(queries, of: SearchedRecords(opened), in: context, results)
      }
    }
  }
}

/// The facts of an index file.
struct PinyinIndexFacts: Presentable {
  let path: String
  let size: UInt64
  let records: Int
  let texts: Int
  let fields: Int
  let formatVersion: UInt32
  /// Always: a file whose checksums are wrong is not opened.
  let checksum = "ok"

  init(_ index: RecordIndex, _ file: RecordIndexFile) {
    path = file.path
    size = file.size
    records = index.count
    texts = index.index.count
    fields = index.hasSecondary ? 2 : 1
    formatVersion = PinyinIndex.formatVersion
  }

  func document(_ catalogue: Catalogue) -> Document {
    let rows: [(String, StyledText)] = [
      ("file", StyledText(path, .path)), ("records", StyledText("\(records)", .number)),
      ("fields", StyledText("\(fields)", .number)), ("size", StyledText(ByteCount(size).description, .number)),
      ("version", StyledText("\(formatVersion)", .number)), ("checksum", StyledText(checksum, .good)),
    ]
    let names = rows.map { catalogue.text("text.pinyin-index-\($0.0)") }
    let width = names.map(\.displayWidth).max() ?? 0
    return Document(lines: zip(names, rows).map { StyledText($0.padded(toWidth: width + 2), .faint) + $1.1 })
  }
}
