import ArgumentParser
import CommandKit
import Dispatch
import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net serve`: the proxies and their HTTP API.
  struct Serve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "net.serve") }

    @Option(name: [.short, .long], help: .text("command.net.serve.config", valueName: "file"), completion: .file())
    var config: String?

    @OptionGroup var api: NetAPIOptions

    @Flag(help: .text("command.net.serve.remote"))
    var remote = false

    @Option(help: .text("command.net.serve.allow-host", valueName: "name"))
    var allowHost: [String] = []

    @Flag(help: .text("command.net.serve.restore"))
    var restore = false

    @Flag(help: .text("command.net.serve.fresh"))
    var fresh = false

    @Option(help: .text("command.net.serve.journal", valueName: "file"), completion: .file())
    var journal: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> Nothing {
      guard !(restore && fresh) else { throw Diagnostic("net-serve-both", exit: .usage) }
      let address = api.address(in: context)
      let isPublic = try !ControlAddress(address).isLoopback
      guard remote || !isPublic else { throw Diagnostic("net-serve-remote", ["address": address], exit: .usage) }
      var configuration = try readConfiguration()
      let keeper = try keeper(for: address, context)
      let service = ControlService(ProxyCollection(), options: options(isPublic), keeper: keeper)
      let following = try follow(service.collection)
      let restored = await bringBack(keeper, service, context)
      try await begin(with: configuration, service)
      // Before anybody can know that it is ready to be ended.
      let wishes = EndWishes()
      let server = try await ControlServer(on: address) { [terminal = context.terminal] request in
        let answer = await service.answer(request)
        terminal.detail(StyledText(RequestText.line(request, answer.status), .faint))
        return answer
      }
      try context.terminal.print(
        ServedNetwork(api: "http://\(server.address)", proxies: await service.collection.all, restored: restored))
      for await wish in wishes.all {
        guard wish == .reload, config != nil else { break }
        do {
          configuration = try readConfiguration()
          try await begin(with: configuration, service)
        } catch let problem as any DiagnosticConvertible {
          context.terminal.warning(problem.diagnostic)
        }
      }
      await server.close()
      await service.end()
      await service.collection.shutdown()
      await following?.value
      return Nothing()
    }

    private func options(_ isPublic: Bool) -> ControlService.Options {
      var options = ControlService.Options(version: KitVersion.current.version)
      options.hosts = isPublic ? nil : Set(allowHost.map { $0.lowercased() })
      return options
    }

    private func readConfiguration() throws -> NetworkConfiguration? {
      guard let config else { return nil }
      let bytes = try Bytes.reading(config, limit: 16 << 20)
      return try NetworkConfiguration(String(decoding: bytes.buffer, as: UTF8.self), file: config)
    }

    /// Where the state of a server at this address is kept; nil where another one that took any port keeps it.
    private func keeper(for address: String, _ context: Context) throws -> StateKeeper? {
      let name = address.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" }
      do {
        return try StateKeeper(path: "\(context.directories.data)/network/\(String(name)).json")
      } catch let error as NetworkError where error.code == .stateInUse {
        guard address.hasSuffix(":0") else { throw error }
        return nil
      }
    }

    private func follow(_ collection: ProxyCollection) throws -> Task<Void, Never>? {
      guard let journal else { return nil }
      let file = try NetworkJournal(appendingTo: journal)
      return Task { await file.follow(collection) }
    }

    /// Brings back what a server at this address had that was killed, or with `--restore` any.
    private func bringBack(_ keeper: StateKeeper?, _ service: ControlService, _ context: Context) async -> Int {
      guard !fresh, let keeper else { return 0 }
      do {
        guard let state = try KeptState(at: keeper.path), restore || !state.hasEnded, !state.proxies.isEmpty else {
          return 0
        }
        for failure in await service.restore(state) { context.terminal.warning(failure.diagnostic) }
        if !restore {
          context.terminal.note(
            StyledText(context.catalogue.text("text.net-restored", ["count": "\(state.proxies.count)"]), .warning))
        }
        return state.proxies.count
      } catch let problem as any DiagnosticConvertible {
        context.terminal.warning(problem.diagnostic)
      } catch {}
      return 0
    }

    private func begin(with configuration: NetworkConfiguration?, _ service: ControlService) async throws {
      if let configuration {
        if let cause = await service.populate(configuration.proxies).failure?.cause { throw cause }
        if let profile = configuration.profile { try await service.hold(profile, on: nil) }
      }
      await service.keep()
    }
  }
}

/// What `mpaas net serve` says when it is ready.
struct ServedNetwork: Presentable {
  /// The URL of the control API.
  let api: String
  let proxies: [Proxy]
  /// How many were brought back from a server before.
  let restored: Int

  struct Proxy: Encodable {
    let name: String
    let kind: String
    let listen: String
    let upstream: String
    let enabled: Bool
  }

  init(api: String, proxies: [ProxyDefinition], restored: Int) {
    self.api = api
    self.restored = restored
    self.proxies = proxies.map {
      Proxy(
        name: $0.name, kind: $0.kind.rawValue, listen: $0.listen, upstream: $0.upstream, enabled: $0.isEnabled)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.net-serving", ["url": api, "count": "\(proxies.count)"])))]
  }
}

/// What a request was, for `--verbose`.
private enum RequestText {
  /// A path is a stranger's text: what a terminal would obey is left out.
  static func line(_ request: ControlRequest, _ status: Int) -> String {
    let path = "/" + request.path.joined(separator: "/")
    let text = String(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
    return "\(request.method) \(text) \(status)"
  }
}

/// SIGINT, SIGTERM and SIGHUP as a sequence.
struct EndWishes {
  let all: AsyncStream<EndRequest.Wish>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: EndRequest.Wish.self)
    all = stream
    let request = EndRequest(reloads: true)
    // Not a task: whoever waits for a signal blocks a thread, and tasks have few.
    DispatchQueue.global().async {
      while true {
        guard let wish = request.next(within: .seconds(3600)) else { continue }
        continuation.yield(wish)
        if wish == .end { return continuation.finish() }
      }
    }
  }
}
