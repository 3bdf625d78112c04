public import ArgumentParser
import CommandKit
public import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

/// `mpaas cache …`: caches.
struct CacheCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("cache", key: "cache", subcommands: [Replay.self])
  }
}

extension CachePolicy: ExpressibleByArgument {}

extension CacheCommand {
  /// `mpaas cache replay TRACE`: the hits of a trace.
  struct Replay: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("replay", key: "cache.replay") }

    @Argument(help: .text("command.cache.replay.trace"), completion: .file())
    var trace: String

    @Option(help: .text("command.cache.replay.policy", valueName: "policy"))
    var policy = CachePolicy.s3fifo

    @Option(help: .text("command.cache.replay.capacity", valueName: "number"))
    var capacity: Int

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard capacity > 0 else { throw ValidationError(Catalogue.current.text("text.cache-capacity")) }
    }

    func run(in context: Context) async throws -> CacheHits {
      let data = try context.data(at: trace)
      let keys = withExtendedLifetime(data) {
        data.text.split(whereSeparator: \.isNewline)
          .filter { $0 != "*" }.map(String.init)
      }
      let replay = CacheReplay(keys, policy, capacity: capacity)
      return CacheHits(requests: replay.requests, hits: replay.hits)
    }
  }
}

/// The hits of a trace.
struct CacheHits: Presentable {
  let requests: Int
  let hits: Int

  func document(_ catalogue: Catalogue) -> Document {
    let tenths = requests == 0 ? 0 : hits * 1000 / requests
    let values = ["requests": "\(requests)", "hits": "\(hits)", "rate": "\(tenths / 10).\(tenths % 10)"]
    return [.line(StyledText(catalogue.text("text.cache-hits", values)))]
  }
}
