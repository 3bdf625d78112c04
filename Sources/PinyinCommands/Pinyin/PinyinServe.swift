import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import ServingKit

extension PinyinCommand {
  /// `mpaas pinyin serve`: answers searches and conversions over HTTP.
  struct Serve: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "pinyin.serve") }

    @OptionGroup var data: PinyinDataOptions

    @Option(help: .text("command.pinyin.serve.index", valueName: "file"), completion: .file())
    var index: String?

    @Option(help: .text("command.pinyin.serve.listen", valueName: "host:port"))
    var listen = "127.0.0.1:8005"

    @Flag(help: .text("command.pinyin.serve.remote"))
    var remote = false

    @Option(help: .text("command.pinyin.serve.allow-host", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: .text("command.pinyin.serve.allow-origin", valueName: "origin"))
    var allowOrigin: [String] = []

    @Flag(inversion: .prefixedNo, help: .text("command.pinyin.serve.watch"))
    var watch = true

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard data.data == nil || index == nil else { throw Diagnostic("pinyin-serve-sources", exit: .usage) }
      guard remote || ServedHost.isLoopback(address: listen) else {
        throw Diagnostic("pinyin-serve-remote", ["address": listen], exit: .usage)
      }
      return try await context.served { try await serving(in: context, results) }
    }

    private func serving(in context: Context, _ results: ResultSink) async throws -> HTTPServing {
      let records = try await context.timed("index") { try readRecords(in: context) }
      let routes = PinyinRoutes(
        service: PinyinService(records), hosts: Set(allowHost.map { $0.lowercased() }), origins: Set(allowOrigin),
        catalogue: context.catalogue)
      return HTTPServing(
        on: listen, .requests(bodyLimit: PinyinService.bodyLimit, routes.answer), to: results
      ) {
        ServedPinyin(url: $0, records: records?.generation?.searched.index.count)
      } meanwhile: { [watch] wish in
        guard let records, wish == .reload || watch && records.isOutdated else { return }
        if let failure = records.reload() { context.terminal.warning(failure) }
      }
    }

    private func readRecords(in context: Context) throws -> ServedRecords? {
      guard let path = data.data ?? index else { return nil }
      let options = try data.options(for: path)
      let readings = try data.searchReadings(in: context)
      return index == nil
        ? try ServedRecords(texts: path, options: options, readings: readings) : try ServedRecords(index: path)
    }
  }
}

/// The announcement of `mpaas pinyin serve` when it is ready.
struct ServedPinyin: Presentable {
  let url: String
  /// The number of records that are searched; nil where only conversion is served.
  let records: Int?

  func document(_ catalogue: Catalogue) -> Document {
    guard let records else { return [.line(StyledText(catalogue.text("text.pinyin-serving", ["url": url])))] }
    return [
      .line(StyledText(catalogue.text("text.pinyin-serving-texts", ["url": url, "count": "\(records)"])))
    ]
  }
}
