import HTTPTypes
import Hummingbird
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

/// Unleash's client API, which tells rules, and its API for phones, which tells results.
///
/// - Source: Unleash 6 and its client specification 6.1.0; UnleashClient 6.9.1 as a client.
struct UnleashRoutes: Sendable {
  private let book: FlagBook
  private static let base = FlagPaths.unleash

  init(_ book: FlagBook) { self.book = book }

  func add(to router: Router<ServerContext>) {
    let client = router.group("\(Self.base)/client")
    client.get("features") { try await features($0, $1) }
    client.get("features/:name") { try await feature($0, $1) }
    client.get("delta") { try await delta($0, $1) }
    client.get("streaming") { try await streaming($0, $1) }
    let usage = FlagUsageRoutes(book)
    for path in ["\(Self.base)/client", "\(Self.base)/frontend/client"] {
      router.post("\(path)/register") { try await usage.register($0, $1) }
      router.post("\(path)/metrics") { try await usage.metrics($0, $1) }
    }
    router.get("\(Self.base)/frontend") { try await frontend($0, $1) }
    router.post("\(Self.base)/frontend") { try await frontend($0, $1) }
  }

  private func features(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let (edition, projects) = (client.place.edition, client.projects)
    let environment = JSONValue.string(client.place.key.environment).line
    let body = edition.body("features", of: projects) {
      "{\(edition.members(of: projects)),\"meta\":{\"etag\":\"\(edition.etag)\",\"revisionId\":\(edition.version)},"
        + "\"query\":{\"environment\":\(environment)},\"version\":2}"
    }
    return FlagAnswer.fresh(body, edition.etag, for: request)
  }

  private func feature(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let name = PercentEncoding.decodeLeniently((context.parameters.get("name") ?? "").utf8)
    let (edition, item) = (client.place.edition, FlagItem.flag(ExactName(name)))
    guard let json = edition.sources[item], edition.flag(ExactName(name)).map(client.projects.includes) ?? false else {
      throw Refusal(.notFound, ["reason": name])
    }
    return FlagAnswer.fresh(ByteBuffer(string: json), edition.etag, for: request)
  }

  /// The changes since the version of `If-None-Match`, or everything.
  private func delta(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let (place, projects) = (client.place, client.projects)
    let edition = place.edition
    let prefix = edition.etag.prefix { $0 != "-" } + "-"
    let known = FlagAnswer.tags(request).first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
    if let known, known < edition.version {
      let events = try await events(from: known, to: edition, place, projects)
      return FlagAnswer.fresh(
        ByteBuffer(string: "{\"events\":[\(events.joined(separator: ","))]}"), edition.etag, for: request)
    }
    let body = edition.body("hydration", of: projects) { edition.hydration(of: projects) }
    return FlagAnswer.fresh(body, edition.etag, for: request)
  }

  private func events(
    from version: Int, to edition: FlagEdition, _ place: FlagPlace, _ projects: FlagProjects
  ) async throws -> [String] {
    let key = place.key
    return try await book.services.store.read { database in
      try FlagStore.items(key, after: version, in: database).sorted().map { item in
        FlagPlace.event(FlagEdit(item: item, before: nil, after: edition.sources[item]), projects, edition)
      }
    }
  }

  private func streaming(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let projects = client.projects
    return try book.stream(client.place, .unleash(projects), context, until: client.grant.expires) { edition in
      [
        edition.body("connected", of: projects) {
          let message = ServerSentEvent.message(
            "unleash-connected", id: edition.version, edition.hydration(of: projects))
          return String(buffer: message)
        }
      ]
    }
  }

  /// The flags that are on for a context, without their rules.
  private func frontend(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    var asker = try await self.context(of: request, context)
    asker.environment = client.place.key.environment
    asker.remoteAddress = asker.remoteAddress ?? context.address
    let (edition, projects, wish) = (client.place.edition, client.projects, asker)
    let toggles = try await book.services.disk {
      edition.flags(of: projects).compactMap { Self.toggle($0, edition.snapshot.variant($0.name, for: wish)) }
    }
    let body = "{\"toggles\":[\(toggles.joined(separator: ","))]}"
    let etag = "\(edition.etag)-\(FlagDigest.word("\(asker)", body))"
    return FlagAnswer.fresh(ByteBuffer(string: body), etag, for: request)
  }

  private func context(of request: Request, _ context: ServerContext) async throws -> FlagContext {
    guard request.method == .post else { return Self.context(FlagQuery(request)) }
    let body = try await RequestBodyReader.small(
      of: request, context, limit: FlagClient.largestContext, limits: book.services.limits)
    guard let value = try? body.withUnsafeBytes({ try JSONValue(reading: $0) }), let members = value.object else {
      throw Refusal(.badRequest, ["reason": "JSON"])
    }
    return try FlagContext(json: members["context"] ?? .object([:]))
  }

  /// A context as SDKs of browsers write it: `userId=7&properties[city]=…`.
  private static func context(_ query: FlagQuery) -> FlagContext {
    var context = FlagContext()
    for (name, value) in query.items {
      switch name {
      case "userId": context.userId = value
      case "sessionId": context.sessionId = value
      case "appName": context.appName = value
      case "remoteAddress": context.remoteAddress = value
      case "currentTime": context.currentTime = value
      case "environment", "project", "app": continue
      case _ where name.hasPrefix("properties[") && name.hasSuffix("]"):
        context.properties[String(name.dropFirst(11).dropLast())] = value
      default: context.properties[name] = value
      }
    }
    return context
  }

  private static func toggle(_ flag: FlagDefinition, _ variant: FlagVariant) -> String? {
    guard variant.isFlagEnabled else { return nil }
    let payload = variant.payload.map { payload in
      let (type, value) = (JSONValue.string(payload.type).line, JSONValue.string(payload.value).line)
      return ",\"payload\":{\"type\":\(type),\"value\":\(value)}"
    }
    let name = JSONValue.string(flag.name).line
    let chosen =
      "{\"enabled\":\(variant.isEnabled),\"featureEnabled\":true,\"feature_enabled\":true,"
      + "\"name\":\(JSONValue.string(variant.name).line)\(payload ?? "")}"
    return "{\"enabled\":true,\"impressionData\":\(flag.hasImpressionData),\"name\":\(name),\"variant\":\(chosen)}"
  }
}
