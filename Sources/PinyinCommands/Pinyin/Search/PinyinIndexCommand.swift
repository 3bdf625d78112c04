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

    /// Opens an index, with its path in what goes wrong.
    static func open(_ path: String) throws -> RecordIndex {
      do {
        return RecordIndex(try PinyinIndex(mapping: path))
      } catch let error as PinyinError {
        throw PinyinError(error.code, error.values.merging(["file": path]) { $1 }, at: error.place ?? .file(path))
      }
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
      if !force, FileStatus(output)?.kind == .file, try !isIndex(output) {
        throw Diagnostic("pinyin-index-exists", ["path": output], at: .file(output), exit: .cannotCreate)
      }
      let records = try await context.timed("read") { try data.records(in: context) }
      let readings = try await context.timed("readings") { try data.searchReadings(in: context) }
      let index = await context.timed("index") { RecordIndex(records, readings: readings) }
      try await context.timed("write") { try index.index.write(to: output) }
      return PinyinIndexFacts(index, path: output)
    }

    /// Whether a file begins as an index does, so that nobody needs to be asked about it.
    private func isIndex(_ path: String) throws -> Bool {
      let bytes = try Bytes.mapping(path)
      return withExtendedLifetime(bytes) { bytes.buffer.prefix(4).elementsEqual("MPXI".utf8) }
    }
  }

  /// `mpaas pinyin index info F.mpidx`: what an index holds, checked from end to end.
  struct Info: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("info", key: "pinyin.index.info") }

    @Argument(help: .text("command.pinyin.index.file", valueName: "index"), completion: .file())
    var index: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PinyinIndexFacts {
      PinyinIndexFacts(try PinyinCommand.Index.open(index), path: index)
    }
  }

  /// `mpaas pinyin index search F.mpidx QUERY…`: a search without reading and indexing the data first.
  struct Search: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("search", key: "pinyin.index.search") }

    @Argument(help: .text("command.pinyin.index.file", valueName: "index"), completion: .file())
    var index: String

    @Argument(help: .text("command.pinyin.search.query", valueName: "query"))
    var query: [String] = []

    @OptionGroup var match: PinyinMatchOptions
    @OptionGroup var hits: PinyinHitOptions
    @OptionGroup var picker: PinyinPickerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SearchAnswer {
      let options = try match.options()
      if picker.interactive {
        let index = index
        return try picker.pick(query, options, hits.print, in: context) {
          SearchedRecords(try PinyinCommand.Index.open(index))
        }
      }
      let queries = try hits.queries(query, options, in: context)
      guard !queries.isEmpty else { throw Diagnostic("pinyin-search-no-query", exit: .usage) }
      let opened = try await context.timed("open") { try PinyinCommand.Index.open(index) }
      return await context.timed("search") { SearchedRecords(opened).answer(queries, hits, in: context) }
    }
  }
}

/// What an index file holds.
struct PinyinIndexFacts: Presentable {
  let path: String
  let size: UInt64
  let records: Int
  let texts: Int
  let fields: Int
  let formatVersion: UInt32
  /// Always: a file whose checksums are wrong is not opened.
  let checksum = "ok"

  init(_ index: RecordIndex, path: String) {
    self.path = path
    size = FileStatus(path)?.size ?? 0
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
