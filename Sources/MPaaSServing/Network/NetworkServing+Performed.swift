import MPaaSNetwork
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import NetworkServingKit
package import ServingKit

extension NetworkServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let reachesOut = try !ControlAddress(address).isLoopback
    guard isPublic || !reachesOut else { throw Diagnostic("net-serve-remote", ["address": address], exit: .usage) }
    var read = try readConfiguration()
    let keeper = try keeper(context)
    let service = ControlService(ProxyCollection(), options: options(reachesOut), keeper: keeper)
    let following = try follow(service.collection)
    let restored = await bringBack(keeper, service, context)
    try await begin(with: read, service)
    // Before anybody can know that it is ready to be ended.
    let wishes = EndWishes()
    let server = try await ControlServer(on: address) { [terminal = context.terminal] request in
      let answer = await service.answer(request)
      terminal.note(request: request.method, "/" + request.path.joined(separator: "/"), answer.status)
      return answer
    }
    try results.put(
      ServedNetwork(api: "http://\(server.address)", proxies: await service.collection.all, restored: restored))
    for await wish in wishes.all {
      guard wish == .reload, configuration != nil else { break }
      do {
        read = try readConfiguration()
        try await begin(with: read, service)
      } catch let problem as any DiagnosticConvertible {
        context.terminal.warning(problem.diagnostic)
      }
    }
    await server.close()
    await service.end()
    await service.collection.shutdown()
    await following?.value
    return .done
  }

  private func options(_ reachesOut: Bool) -> ControlService.Options {
    var options = ControlService.Options(version: version)
    options.hosts = reachesOut ? nil : hosts
    return options
  }

  private func readConfiguration() throws -> NetworkConfiguration? {
    guard let configuration else { return nil }
    let bytes = try Bytes.reading(configuration, limit: 16 << 20)
    return try NetworkConfiguration(bytes.text, file: configuration)
  }

  /// The keeper of the state of a server at this address; nil where another one that took any port keeps it.
  private func keeper(_ context: Context) throws -> StateKeeper? {
    do {
      return try StateKeeper(path: NetworkStatePlace.path(data: context.directories.data, address: address))
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
    guard restoration != .never, let keeper else { return 0 }
    do {
      guard let kept = try KeptState(at: keeper.path), restoration == .always || !kept.hasEnded,
        !kept.proxies.isEmpty
      else { return 0 }
      for failure in await service.restore(kept) { context.terminal.warning(failure.diagnostic) }
      if restoration != .always {
        context.terminal.note(
          StyledText(context.catalogue.text("text.net-restored", ["count": "\(kept.proxies.count)"]), .warning))
      }
      return kept.proxies.count
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

/// The announcement of `mpaas net serve` when it is ready.
struct ServedNetwork: Presentable {
  /// The URL of the control API.
  let api: String
  let proxies: [Proxy]
  /// The number of proxies that were brought back from a server before.
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
