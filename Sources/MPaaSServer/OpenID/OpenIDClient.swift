import MPaaSPush
import MPaaSSupport
import MPaaSTransfer

/// The issuer, as the console speaks with it: by calls that are short and few, whoever makes them necessary.
actor OpenIDClient {
  /// An answer with the time that it came at, by the clock that never jumps.
  private struct Kept<Value: Sendable>: Sendable {
    var value: Value
    var time: Double
  }

  nonisolated let settings: OpenIDSettings
  private nonisolated let client: HTTPClient
  private nonisolated let uptime: @Sendable () -> Double
  private nonisolated let turns = Turns(4)

  private var knownEndpoints: Kept<OpenIDProvider>?
  private var knownKeys: Kept<IssuerKeys>?
  private var failure: Kept<ServerError>?
  /// The time at which keys were asked for last.
  private var lastKeys: Double?
  private var providerTask: Task<Result<OpenIDProvider, ServerError>, Never>?
  private var keysTask: Task<Result<IssuerKeys, ServerError>, Never>?

  /// Seconds after which the issuer is asked again what it is, and for which the old answer is good where it does not say.
  static let freshness = 3600.0
  static let longest = 86_400.0
  /// Seconds between two questions after one that failed, and between two for keys that are unknown.
  static let pause = 5.0
  static let keyPause = 30.0
  private static let answerLimit = 256 << 10

  init(_ settings: OpenIDSettings, client: HTTPClient? = nil, uptime: @escaping @Sendable () -> Double) {
    (self.settings, self.uptime) = (settings, uptime)
    self.client = client ?? .live(userAgent: "mpaas", certificates: settings.certificates)
  }

  /// The reason why the issuer could not be asked the last time; nil where it could.
  var problem: ServerError? { failure?.value }

  // MARK: - The issuer itself

  /// The issuer's endpoints.
  ///
  /// - Throws: `oidc-away`, `oidc-answer`.
  func endpoints() async throws(ServerError) -> OpenIDProvider {
    let now = uptime()
    if let knownEndpoints, now - knownEndpoints.time < Self.freshness { return knownEndpoints.value }
    if let failure, now - failure.time < Self.pause { return try old(at: now) }
    let issuer = settings.issuer
    let task =
      providerTask
      ?? Task {
        do throws(ServerError) {
          let reply = try await ask("GET", issuer, path: OpenIDProvider.path)
          return .success(try OpenIDProvider(reply.body, of: issuer))
        } catch {
          return .failure(error)
        }
      }
    providerTask = task
    let result = await task.value
    providerTask = nil
    switch result {
    case .success(let found):
      (knownEndpoints, failure) = (Kept(value: found, time: uptime()), nil)
      return found
    case .failure(let error):
      failure = Kept(value: error, time: uptime())
      return try old(at: now)
    }
  }

  /// The endpoints that were known before a question failed.
  private func old(at now: Double) throws(ServerError) -> OpenIDProvider {
    if let knownEndpoints, now - knownEndpoints.time < Self.longest { return knownEndpoints.value }
    throw failure?.value ?? away("")
  }

  /// The issuer's keys; asked for again where none fits, though not by each who sends a strange one.
  ///
  /// - Throws: `oidc-away`, `oidc-answer`.
  func keys(_ algorithm: SigningAlgorithm, id: String?) async throws(ServerError) -> IssuerKeys {
    let address = try await endpoints().keys
    let now = uptime()
    if let knownKeys {
      let isKnown = !knownKeys.value.candidates(algorithm, id: id).isEmpty && now - knownKeys.time < Self.freshness
      if isKnown || now - (lastKeys ?? knownKeys.time) < Self.keyPause { return knownKeys.value }
    }
    let task =
      keysTask
      ?? Task {
        do throws(ServerError) {
          return .success(try IssuerKeys(try await ask("GET", address).body, from: address))
        } catch {
          return .failure(error)
        }
      }
    (keysTask, lastKeys) = (task, now)
    let result = await task.value
    keysTask = nil
    switch result {
    case .success(let found):
      knownKeys = Kept(value: found, time: uptime())
      return found
    case .failure(let error):
      if let knownKeys, now - knownKeys.time < Self.longest { return knownKeys.value }
      throw error
    }
  }

  // MARK: - A login

  /// The address that a browser is sent to.
  ///
  /// - Throws: `oidc-away`, `oidc-answer`.
  func address(of login: LoginState) async throws(ServerError) -> String {
    try await endpoints().authorization.asking([
      ("response_type", "code"), ("client_id", settings.client), ("redirect_uri", login.redirect),
      ("scope", settings.scopes.joined(separator: " ")), ("state", login.state), ("nonce", login.nonce),
      ("code_challenge", login.challenge), ("code_challenge_method", "S256"),
    ])
  }

  /// The person that the issuer has let in.
  ///
  /// - Parameters:
  ///   - code: The word that the browser brought.
  ///   - now: Seconds since 1970.
  /// - Throws: `oidc-away`, `oidc-answer`, `oidc-token`, `oidc-domain`.
  func person(_ code: String, _ login: LoginState, at now: Double) async throws(ServerError) -> OpenIDPerson {
    let endpoints = try await endpoints()
    let tokens = try await trade(code, login, endpoints)
    let head: (algorithm: SigningAlgorithm, id: String?)
    do throws(IdentityTokenFault) { head = try IdentityToken.head(of: tokens.identity) } catch { throw error.error }
    let keys = try await keys(head.algorithm, id: head.id)
    let expected = IdentityToken.Expectation(
      issuer: settings.issuer.url, client: settings.client, nonce: login.nonce, accessToken: tokens.access, now: now)
    let token: IdentityToken
    do throws(IdentityTokenFault) {
      token = try IdentityToken(tokens.identity, by: keys, expected)
    } catch {
      throw error.error
    }
    let groups = OpenIDPerson.groups(token.claims, settings.groups)
    guard groups == nil, let address = endpoints.userInfo, let access = tokens.access else {
      return try OpenIDPerson(token.subject, token.claims, groups: groups ?? [], settings)
    }
    var more = try await userInfo(address, access, of: token.subject)
    let others = OpenIDPerson.groups(more, settings.groups) ?? []
    // An address is verified by whichever of both tells it.
    if token.claims["email"] != nil { more["email_verified"] = token.claims["email_verified"] }
    more.merge(token.claims.filter { $0.key != "email_verified" }) { $1 }
    return try OpenIDPerson(token.subject, more, groups: others, settings)
  }

  /// Trades a code for tokens.
  private nonisolated func trade(
    _ code: String, _ login: LoginState, _ endpoints: OpenIDProvider
  ) async throws(ServerError) -> (identity: String, access: String?) {
    var fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", login.redirect),
      ("code_verifier", login.verifier),
    ]
    var headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
    if let secret = settings.secret, !endpoints.takesSecretInForm {
      let pair = "\(PercentEncoding.encode(settings.client)):\(PercentEncoding.encode(secret))"
      headers.append((name: "Authorization", value: "Basic \(Base64.encode(Array(pair.utf8)))"))
    } else {
      fields.append(("client_id", settings.client))
      if let secret = settings.secret { fields.append(("client_secret", secret)) }
    }
    let form = OpenIDAddress.form(fields.map { (name: $0.0, value: $0.1) })
    let reply = try await ask("POST", endpoints.token, headers, Array(form.utf8), isGoodOnly: false)
    let object = OpenIDJSON.object(reply.body)
    guard reply.isSuccess, let identity = object?["id_token"]?.string else {
      let word = object?["error"]?.string.map(Self.word) ?? (reply.isSuccess ? "id_token" : "HTTP \(reply.status)")
      throw ServerError(.openIDAnswer, ["endpoint": endpoints.token.url, "reason": word])
    }
    return (identity, object?["access_token"]?.string)
  }

  /// The claims of a person that are not in their token.
  private nonisolated func userInfo(
    _ address: OpenIDAddress, _ access: String, of subject: String
  ) async throws(ServerError) -> JSONValue.Object {
    func wrong(_ reason: String) -> ServerError {
      ServerError(.openIDAnswer, ["endpoint": address.url, "reason": reason])
    }
    guard access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw wrong("access_token") }
    let reply = try await ask("GET", address, [(name: "Authorization", value: "Bearer \(access)")])
    guard let object = OpenIDJSON.object(reply.body) else { throw wrong("JSON") }
    // Otherwise it is of somebody else (section 5.3.2).
    guard object["sub"]?.string?.utf8.elementsEqual(subject.utf8) == true else { throw wrong("sub") }
    return object
  }

  /// A word of an issuer, fit for a line.
  static func word(_ text: String) -> String {
    String(text.prefix(60).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_-. ".contains($0)) })
  }

  // MARK: - Calls

  private nonisolated func away(_ reason: String) -> ServerError {
    ServerError(.openIDAway, ["issuer": settings.issuer.url, "reason": reason])
  }

  /// - Parameter isGoodOnly: Tells whether an answer of another status than 200 to 299 is an error.
  private nonisolated func ask(
    _ method: String, _ address: OpenIDAddress, path: String = "", _ headers: [(name: String, value: String)] = [],
    _ body: [UInt8]? = nil, isGoodOnly: Bool = true
  ) async throws(ServerError) -> HTTPReply {
    var url = address.url
    if !path.isEmpty { url = (url.hasSuffix("/") ? String(url.dropLast()) : url) + path }
    var call = HTTPCall(
      method, url, headers: headers + [(name: "Accept", value: "application/json")],
      body: body.map { [.bytes(Bytes($0))] })
    call.limits.redirects = 0
    call.limits.connect = .seconds(5)
    call.limits.total = .seconds(10)
    call.answerLimit = Self.answerLimit
    call.isSentOnce = true
    // Calls without TLS stay on this machine, whatever the name leads to now.
    if address.isPlain { call.admits = { OpenIDAddress.isLoopback(InternetAddress(bytes: $0)) } }
    let plan = call
    let result = await turns { () async -> Result<HTTPReply, HTTPError> in
      do throws(HTTPError) { return .success(try await client.answer(to: plan)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let reply):
      guard reply.isSuccess || !isGoodOnly else {
        throw ServerError(.openIDAnswer, ["endpoint": url, "reason": "HTTP \(reply.status)"])
      }
      return reply
    case .failure(let error): throw away(error.reason.isEmpty ? error.diagnostic.id.name : error.reason)
    }
  }
}
