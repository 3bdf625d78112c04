import ArgumentParser
import CommandKit
import Dispatch
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension NetCommand {
  /// `mpaas net top`: what passes through the proxies of a running server, live.
  struct Top: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("top", key: "net.top") }

    @Option(help: .text("command.net.top.interval", valueName: "time"))
    var interval = "1s"

    @Option(name: [.short, .long], help: .text("command.net.top.count", valueName: "number"))
    var count: Int?

    @Option(
      name: [.short, .long], help: .text("command.net.top.proxy", valueName: "proxy"), completion: .networkProxies)
    var proxy: [String] = []

    @OptionGroup var api: NetAPIOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard let pause = Quantity.duration(interval), pause >= .milliseconds(100) else {
        throw Diagnostic("net-top-interval", ["value": interval], exit: .usage)
      }
      let source = TopSource(server: try api.server(in: context), proxies: proxy)
      // A server that does not answer is told of before the screen is taken over.
      let first = try await source.sample()
      let isDashboard = context.terminal.output.isTerminal && !context.terminal.settings.isJSON && count == nil
      if isDashboard, context.terminal.settings.allowsInput {
        try await TopSession.run(source, first: first, every: pause, in: context)
      } else {
        try await lines(source, first: first, every: pause, in: context, results)
      }
      return .done
    }

    /// A line for each proxy, or a JSON object, at each sample, until the end is wished or `--count` is reached.
    private func lines(
      _ source: TopSource, first: TrafficSample, every pause: Duration, in context: Context, _ results: ResultSink
    ) async throws {
      let address = source.server.client.address
      let most = count ?? .max
      let end = EndWishes()
      let work = Task {
        var state = TopState(catalogue: context.catalogue, address: address)
        state.take(first)
        var told = 0
        while !Task.isCancelled, told < most {
          try await Task.sleep(for: pause)
          state.take(try await source.sample())
          told += 1
          if context.terminal.settings.isJSON {
            results.put(text: state.history.json.line + "\n")
          } else {
            try results.put(state)
          }
        }
      }
      let waiting = Task {
        for await wish in end.all where wish == .end { work.cancel() }
      }
      defer { waiting.cancel() }
      do {
        try await work.value
      } catch is CancellationError {}
    }
  }
}

/// The server that samples come from.
struct TopSource: Sendable {
  let server: NetServer
  /// Only these; all where empty.
  let proxies: [String]

  func sample() async throws -> TrafficSample {
    try await TrafficSample(of: proxies) { try await server.ask("GET", path: $0) }
  }
}
