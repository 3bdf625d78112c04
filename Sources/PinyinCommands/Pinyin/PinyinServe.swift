import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import PinyinServingKit

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
      throw try context.handOver(
        PinyinServing(
          listen: listen, data: data.words, index: index, hosts: Set(allowHost.map { $0.lowercased() }),
          origins: Set(allowOrigin), isWatched: watch, version: KitVersion.current.version))
    }
  }
}
