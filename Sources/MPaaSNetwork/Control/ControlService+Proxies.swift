import MPaaSSupport

extension ControlService {
  func proxies(_ request: ControlRequest) async throws -> ControlAnswer {
    var object: JSONValue.Object = [:]
    for proxy in await collection.all { object[proxy.name] = proxy.json }
    return .json(.object(object))
  }

  func createProxy(_ request: ControlRequest) async throws -> ControlAnswer {
    let definition = try ProxyDefinition(try request.object)
    guard !definition.name.isEmpty else { throw ControlFailure.missing("name") }
    guard !definition.upstream.isEmpty || !definition.needsUpstream else { throw ControlFailure.missing("upstream") }
    return .json(try await addWelcomed(definition).json, status: 201)
  }

  /// Adds a proxy and puts on it what holds on all.
  private func addWelcomed(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    let added = try await collection.add(definition)
    guard !layers.isEmpty else { return added }
    try await welcome(added.name)
    return try await collection.proxy(added.name)
  }

  func proxy(_ request: ControlRequest) async throws -> ControlAnswer {
    .json(try await collection.proxy(request.path[1]).json)
  }

  func updateProxy(_ request: ControlRequest) async throws -> ControlAnswer {
    let before = try await collection.proxy(request.path[1])
    var wanted = before
    try wanted.take(try request.object)
    // `localhost:80` and `127.0.0.1:80` are the same place: connections go on.
    if ControlAddress.areSame(wanted.listen, before.listen) { wanted.listen = before.listen }
    return .json(try await collection.update(wanted).json)
  }

  func deleteProxy(_ request: ControlRequest) async throws -> ControlAnswer {
    try await collection.remove(request.path[1])
    return .noContent
  }

  // MARK: - Toxics

  func toxics(_ request: ControlRequest) async throws -> ControlAnswer {
    .json(.array(try await collection.proxy(request.path[1]).toxics.map(\.json)))
  }

  func createToxic(_ request: ControlRequest) async throws -> ControlAnswer {
    let proxy = try await collection.proxy(request.path[1])
    let toxic = try Toxic(try request.object, unknown: .ignored)
    guard !proxy.toxics.contains(where: { $0.name == toxic.name }) else {
      throw ControlFailure(
        409, "toxic already exists",
        cause: NetworkError(.toxicExists, ["toxic": toxic.name, "proxy": proxy.name]))
    }
    return .json(try await collection.add(toxic, to: proxy.name).json)
  }

  func toxic(_ request: ControlRequest) async throws -> ControlAnswer {
    .json(try await named(request).json)
  }

  func updateToxic(_ request: ControlRequest) async throws -> ControlAnswer {
    let toxic = try await named(request).updated(with: try request.object, unknown: .ignored)
    return .json(try await collection.update(toxic, of: request.path[1]).json)
  }

  func deleteToxic(_ request: ControlRequest) async throws -> ControlAnswer {
    let toxic = try await named(request)
    try await collection.removeToxic(toxic.name, of: request.path[1])
    return .noContent
  }

  private func named(_ request: ControlRequest) async throws -> Toxic {
    let name = request.path[3]
    let proxy = try await collection.proxy(request.path[1])
    guard let toxic = proxy.toxics.first(where: { $0.name == name }) else {
      throw ControlFailure(
        404, "toxic not found",
        cause: NetworkError(
          .toxicUnknown,
          [
            "toxic": name, "proxy": proxy.name,
            "known": proxy.toxics.isEmpty ? "–" : proxy.toxics.map(\.name).joined(separator: ", "),
          ]))
    }
    return toxic
  }

  // MARK: - All at once

  func populate(_ request: ControlRequest) async throws -> ControlAnswer {
    guard let elements = try request.json.array else { throw ControlFailure.malformed("no array of proxies") }
    var wanted: [ProxyDefinition] = []
    for (index, element) in elements.enumerated() {
      guard let object = element.object else { throw ControlFailure.malformed("proxy \(index + 1) is no object") }
      let definition = try ProxyDefinition(object)
      guard !definition.name.isEmpty else { throw ControlFailure.missing("name at proxy \(index + 1)") }
      guard !definition.upstream.isEmpty || !definition.needsUpstream else {
        throw ControlFailure.missing("upstream at proxy \(index + 1)")
      }
      wanted.append(definition)
    }
    let (made, failure) = await populate(wanted)
    var answer = failure?.object ?? [:]
    answer["proxies"] = .array(made.map(\.json))
    return .json(.object(answer), status: failure?.status ?? 201)
  }

  /// Has these proxies be there: what is there already with the same addresses stays as it is, another of the same name
  /// is replaced.
  ///
  /// - Returns: Those up to the first that cannot be had, and why that cannot.
  package func populate(_ wanted: [ProxyDefinition]) async -> (made: [ProxyDefinition], failure: ControlFailure?) {
    var made: [ProxyDefinition] = []
    for definition in wanted {
      do throws(NetworkError) {
        made.append(try await addOrReplace(definition))
      } catch {
        return (made, ControlFailure(error))
      }
    }
    return (made, nil)
  }

  private func addOrReplace(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    guard let present = await collection.all.first(where: { $0.name == definition.name }) else {
      return try await addWelcomed(definition)
    }
    let isSame =
      present.upstream == definition.upstream && present.kind == definition.kind && present.routes == definition.routes
      && present.tls == definition.tls && ControlAddress.areSame(definition.listen, present.listen)
    if isSame { return present }
    try await collection.remove(definition.name)
    do throws(NetworkError) {
      return try await addWelcomed(definition)
    } catch {
      // It stays known, as in toxiproxy, but listens no more.
      var stopped = present
      stopped.isEnabled = false
      // Those of layers may be without effect on it.
      stopped.toxics.removeAll { !stopped.kind.takes($0.condition.kind) }
      _ = try? await collection.add(stopped)
      throw error
    }
  }

  func reset(_ request: ControlRequest) async throws -> ControlAnswer {
    await stopTimelines()
    layers = [:]
    try await collection.reset()
    return .noContent
  }
}
