/// Answers the requests of the control API: toxiproxy's, and what goes beyond it (Documentation/NetworkAPI.md).
package actor ControlService {
  /// The options of a service.
  package struct Options: Sendable {
    /// The version that `/version` tells.
    package var version: String
    /// Names beside addresses and `localhost` that requests may call the server by; nil for any.
    package var hosts: Set<String>? = []
    /// The profiles that may be applied.
    package var profiles = ProfileCatalogue.builtIn

    package init(version: String) { self.version = version }
  }

  package nonisolated let collection: ProxyCollection
  nonisolated let options: Options
  let started = ContinuousClock.now
  /// The keeper of the state; nil keeps none.
  let keeper: StateKeeper?
  private let turns = ControlTurns()
  /// The applied profiles and buttons, by its layer.
  var layers: [String: AppliedLayer] = [:]
  /// The timelines that play, by its name.
  var players: [String: PlayedTimeline] = [:]
  private var requests: UInt64 = 0

  package init(_ collection: ProxyCollection, options: Options, keeper: StateKeeper? = nil) {
    self.collection = collection
    self.options = options
    self.keeper = keeper
  }

  /// Answers a request; every failure is an answer too.
  package func answer(_ request: ControlRequest) async -> ControlAnswer {
    requests += 1
    let number = requests
    var answer: ControlAnswer
    do {
      answer = try await dispatch(request)
    } catch let failure as ControlFailure {
      answer = failure.answer
    } catch let error as NetworkError {
      answer = ControlFailure(error).answer
    } catch {
      answer = ControlFailure(500, "\(error)").answer
    }
    answer.headers.append(("X-Toxiproxy-Request-Id", "\(number)"))
    return answer
  }

  private func dispatch(_ request: ControlRequest) async throws -> ControlAnswer {
    // As toxiproxy: what a page in a browser sends is not obeyed.
    if request.headers["user-agent"]?.hasPrefix("Mozilla/") == true {
      return .text("User agent not allowed\n", status: 403)
    }
    if let hosts = options.hosts, !ControlHost.isAllowed(request.headers["host"], names: hosts) {
      throw ControlFailure(403, "host not allowed: \(request.headers["host"] ?? "")")
    }
    let routes = Self.routes.filter { $0.matches(request.path) }
    guard !routes.isEmpty else {
      throw ControlFailure(404, "no such endpoint: /\(request.path.joined(separator: "/"))")
    }
    guard let route = routes.first(where: { $0.methods.contains(request.method) }) else {
      var answer = ControlFailure(405, "method not allowed: \(request.method)").answer
      answer.headers.append(("Allow", routes.flatMap(\.methods).joined(separator: ", ")))
      return answer
    }
    guard route.changes else { return try await route.answer(self, request) }
    // Changes of a proxy come one after another, so that an update never undoes another one.
    let key = request.path.first == "proxies" && request.path.count > 1 ? request.path[1] : ""
    return try await turns.take(key) {
      let answer = try await route.answer(self, request)
      await self.keep()
      return answer
    }
  }
}

/// A path and the methods that it takes.
struct ControlRoute: Sendable {
  typealias Answer = @Sendable (ControlService, ControlRequest) async throws -> ControlAnswer

  let methods: [String]
  /// nil for any part.
  let path: [String?]
  /// Tells whether it changes proxies or toxics.
  let changes: Bool
  let answer: Answer

  init(_ methods: String, _ path: String, changes: Bool = true, _ answer: @escaping Answer) {
    self.methods = methods.split(separator: " ").map(String.init)
    self.path = path.split(separator: "/").map { $0 == "*" ? nil : String($0) }
    self.changes = changes && methods != "GET"
    self.answer = answer
  }

  func matches(_ parts: [String]) -> Bool {
    parts.count == path.count && zip(parts, path).allSatisfy { $1 == nil || $0 == $1 }
  }
}

extension ControlService {
  static let routes = [
    ControlRoute("GET", "/proxies") { try await $0.proxies($1) },
    ControlRoute("POST", "/proxies") { try await $0.createProxy($1) },
    ControlRoute("GET", "/proxies/*") { try await $0.proxy($1) },
    ControlRoute("POST PATCH", "/proxies/*") { try await $0.updateProxy($1) },
    ControlRoute("DELETE", "/proxies/*") { try await $0.deleteProxy($1) },
    ControlRoute("GET", "/proxies/*/toxics") { try await $0.toxics($1) },
    ControlRoute("POST", "/proxies/*/toxics") { try await $0.createToxic($1) },
    ControlRoute("GET", "/proxies/*/toxics/*") { try await $0.toxic($1) },
    ControlRoute("POST PATCH", "/proxies/*/toxics/*") { try await $0.updateToxic($1) },
    ControlRoute("DELETE", "/proxies/*/toxics/*") { try await $0.deleteToxic($1) },
    ControlRoute("POST", "/populate") { try await $0.populate($1) },
    ControlRoute("POST", "/reset") { try await $0.reset($1) },
    ControlRoute("GET", "/version") { service, _ in service.version() },
    ControlRoute("GET", "/metrics") { service, _ in await service.metrics() },
    ControlRoute("GET", "/health") { service, _ in await service.health() },
    ControlRoute("GET", "/statistics") { try await $0.statistics($1) },
    ControlRoute("GET", "/events") { try await $0.events($1) },
    ControlRoute("GET", "/profiles") { service, _ in await service.profiles() },
    ControlRoute("GET", "/profiles/*") { try await $0.profile($1) },
    ControlRoute("POST", "/profiles/*/apply") { try await $0.applyProfile($1) },
    ControlRoute("GET", "/buttons") { service, _ in await service.buttons() },
    ControlRoute("POST", "/buttons/*") { try await $0.press($1) },
    ControlRoute("GET", "/timelines") { service, _ in await service.timelines() },
    ControlRoute("POST", "/timelines", changes: false) { try await $0.startTimeline($1) },
    ControlRoute("GET", "/timelines/*") { try await $0.timeline($1) },
    ControlRoute("POST PATCH", "/timelines/*", changes: false) { try await $0.changeTimeline($1) },
    ControlRoute("DELETE", "/timelines/*", changes: false) { try await $0.stopTimeline($1) },
  ]
}

/// Has work under one key done in turn.
private actor ControlTurns {
  private var last: [String: (number: UInt64, task: Task<Void, Never>)] = [:]
  private var number: UInt64 = 0

  /// Does the work when all that asked before under the key is done; under the empty key, when all is done that asked.
  func take<Value: Sendable>(
    _ key: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let before = key.isEmpty ? last.values.map(\.task) : [last[key], last[""]].compactMap { $0?.task }
    let task = Task { () -> Result<Value, any Error> in
      for one in before { await one.value }
      do { return .success(try await work()) } catch { return .failure(error) }
    }
    number += 1
    let mine = number
    last[key] = (mine, Task { _ = await task.value })
    let result = await task.value
    if last[key]?.number == mine { last[key] = nil }
    return try result.get()
  }
}

/// The names by which a request may call the server by: a page of another site can make a name of its own lead here,
/// but not an address, nor `localhost`.
package enum ControlHost {
  package static func isAllowed(_ header: String?, names: Set<String>) -> Bool {
    // HTTP/1.0 has no such header, and no browser speaks it.
    guard let header = header?.lowercased() else { return true }
    var host = header[...]
    if host.hasPrefix("[") {
      host = host.firstIndex(of: "]").map { host[...$0] } ?? host
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    host = host.prefix { $0 != ":" }
    if host == "localhost" || names.contains(String(host)) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
