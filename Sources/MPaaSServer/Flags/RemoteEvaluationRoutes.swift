import HTTPTypes
import Hummingbird
import MPaaSDigests
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

/// OpenFeature's remote evaluation: results for a context, and notices that there are others.
///
/// - Source: OFREP 0.3.0, https://github.com/open-feature/protocol.
struct RemoteEvaluationRoutes: Sendable {
  private let book: FlagBook
  private static let flags = FlagPaths.remoteEvaluation + "/evaluate/flags"
  private static let events = FlagPaths.remoteEvaluation + "/events"
  /// Seconds after which an app in the background ends its stream.
  private static let inactivity = 120

  init(_ book: FlagBook) { self.book = book }

  func add(to router: Router<ServerContext>) {
    router.post("\(Self.flags)/:key") { try await one($0, $1) }
    router.post(RouterPath(Self.flags)) { try await all($0, $1) }
    router.get(RouterPath(Self.events)) { try await notices($0, $1) }
  }

  private func asker(_ request: Request, _ context: ServerContext) async throws -> Result<
    RemoteContext, RemoteContext.Problem
  > {
    let body = try await RequestBodyReader.small(
      of: request, context, limit: FlagClient.largestContext, limits: book.services.limits)
    return body.withUnsafeBytes { bytes in
      Result { () throws(RemoteContext.Problem) in try RemoteContext(body: bytes) }
    }
  }

  private func one(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let key = PercentEncoding.decodeLeniently((context.parameters.get("key") ?? "").utf8)
    let evaluation: RemoteEvaluation
    switch try await asker(request, context) {
    case .failure(let problem):
      evaluation = RemoteEvaluation(key: key, .failure(problem.failure, details: problem.details))
    case .success(let asker):
      let edition = client.place.edition
      if let flag = edition.flag(ExactName(key)), client.projects.includes(flag) {
        evaluation = RemoteEvaluation(flag, in: edition.snapshot, for: asker.context(in: client.place))
      } else {
        evaluation = RemoteEvaluation(key: key, .failure(.flagNotFound, details: "there is no flag \(key)"))
      }
    }
    return FlagAnswer.json(evaluation.json, status: Self.status(evaluation))
  }

  private static func status(_ evaluation: RemoteEvaluation) -> HTTPResponse.Status {
    switch evaluation.failure {
    case nil: .ok
    case .flagNotFound: .notFound
    default: .badRequest
    }
  }

  /// All flags for a context; the entity tag covers the flags, the context and the results.
  private func all(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try await FlagClient(request, context, book)
    let place = client.place
    let asker: RemoteContext
    switch try await self.asker(request, context) {
    case .failure(let problem):
      let details = JSONValue.string(problem.details).line
      return FlagAnswer.json(
        "{\"errorCode\":\"\(problem.failure.rawValue)\",\"errorDetails\":\(details)}", status: .badRequest)
    case .success(let found): asker = found
    }
    let (edition, projects, wish) = (place.edition, client.projects, asker.context(in: place))
    let results = try await book.services.disk {
      edition.flags(of: projects).map { RemoteEvaluation($0, in: edition.snapshot, for: wish).json }
    }
    let stream =
      "{\"endpoint\":{\"requestUri\":\"\(Self.events)?channel=\(place.channel)\"},"
      + "\"inactivityDelaySec\":\(Self.inactivity),\"type\":\"sse\"}"
    let environment = JSONValue.string(place.key.environment).line
    let body =
      "{\"eventStreams\":[\(stream)],\"flags\":[\(results.joined(separator: ","))],"
      + "\"metadata\":{\"environment\":\(environment),\"version\":\(edition.version)}}"
    let etag = "\(edition.etag)-\(FlagDigest.word(asker.text, body))"
    return FlagAnswer.fresh(
      ByteBuffer(string: body), etag, for: request, mayBeKnown: Self.mayBeKnown(FlagQuery(request), edition))
  }

  /// Tells whether 304 may be answered: not to a client that was told of flags that are not these.
  private static func mayBeKnown(_ query: FlagQuery, _ edition: FlagEdition) -> Bool {
    if let told = query["flagConfigEtag"], told.filter({ $0 != "\"" }) != edition.etag { return false }
    guard let text = query["flagConfigLastModified"], let told = Double(text) else { return true }
    return told <= edition.updated
  }

  /// The stream that tells to ask again; the word of the channel opens it, since browsers send no headers with it.
  private func notices(_ request: Request, _ context: ServerContext) async throws -> Response {
    let place: FlagPlace
    // The word of a channel does not expire.
    var expires = Double.infinity
    if let channel = FlagQuery(request)["channel"] {
      guard let found = book.place(channel: channel) else { throw Refusal(.notFound, ["reason": "channel"]) }
      place = found
    } else {
      let client = try await FlagClient(request, context, book)
      (place, expires) = (client.place, client.grant.expires)
    }
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) }
    return try book.stream(place, .remote, context, until: expires) { edition in
      let isBehind = last.map { $0 != edition.version } ?? false
      return [ByteBuffer(string: ": connected\n\n")] + (isBehind ? [FlagPlace.notice(edition)] : [])
    }
  }
}

extension RemoteContext {
  /// The context with the environment that is asked.
  fileprivate func context(in place: FlagPlace) -> FlagContext {
    var context = context
    context.environment = context.environment ?? place.key.environment
    return context
  }
}

/// Short words for long texts.
enum FlagDigest {
  /// The word of texts: the same only for the same ones.
  static func word(_ texts: String...) -> String {
    texts.map { "\($0.utf8.count):\($0)" }.joined().utf8.sha256.prefix(16).hexadecimal
  }
}
