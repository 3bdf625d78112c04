import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ControlService {
  nonisolated func version() -> ControlAnswer {
    ControlAnswer(
      200, headers: [("Content-Type", "application/json;charset=utf-8")],
      body: .bytes(Array("{\"version\": \"\(options.version)\"}\n".utf8)))
  }

  func health() async -> ControlAnswer {
    let proxies = await collection.all
    let uptime = ContinuousClock.now - started
    return .json([
      "status": "ok", "version": .string(options.version), "proxies": JSONValue(proxies.count),
      "enabled": JSONValue(proxies.count(where: \.isEnabled)), "pid": JSONValue(getpid()),
      "uptime_seconds": JSONValue(uptime.components.seconds),
    ])
  }

  func metrics() async -> ControlAnswer {
    let text = PrometheusText.text(await collection.statistics(), of: await collection.all)
    return .text(text, type: PrometheusText.type)
  }

  /// All proxies, or those that `?proxy=` names.
  func statistics(_ request: ControlRequest) async throws -> ControlAnswer {
    var all = await collection.statistics()
    if let name = request.query["proxy"] {
      _ = try await collection.proxy(name)
      all = all.filter { $0.proxy == name }
    }
    return .json(["time": JSONValue(Double.now) ?? 0, "proxies": .array(all.map(\.json))])
  }

  /// The events, as server-sent events (HTML Living Standard, 9.2); `?kind=` and `?proxy=` choose.
  func events(_ request: ControlRequest) async throws -> ControlAnswer {
    let kinds = try request.query["kind"].map { try Self.kinds($0) }
    let proxy = request.query["proxy"]
    let events = await collection.events()
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(10_000))
    // A watcher that waits for the first event sees at once that the service listens.
    continuation.yield(Array(": listening\n\n".utf8))
    let telling = Task {
      for await event in events {
        guard kinds?.contains(event.kind) ?? true, proxy == nil || event.proxy == proxy else { continue }
        continuation.yield(Array("event: \(event.kind.rawValue)\ndata: \(event.json.line)\n\n".utf8))
      }
      continuation.finish()
    }
    let beating = Task {
      while (try? await Task.sleep(for: .seconds(15))) != nil { continuation.yield(Array(": still here\n\n".utf8)) }
    }
    continuation.onTermination = { _ in
      telling.cancel()
      beating.cancel()
    }
    return ControlAnswer(
      200, headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], body: .stream(pieces))
  }

  private static func kinds(_ text: String) throws(ControlFailure) -> Set<NetworkEvent.Kind> {
    var kinds: Set<NetworkEvent.Kind> = []
    for word in text.split(separator: ",") {
      guard let kind = NetworkEvent.Kind(rawValue: String(word)) else {
        let known = NetworkEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw .malformed("kind \(word) is none of \(known)")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
