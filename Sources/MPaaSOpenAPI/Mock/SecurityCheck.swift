import MPaaSSupport

/// Tells whether a request shows who calls, as an operation wants it; whether that is true is not known.
struct SecurityCheck {
  enum Outcome: Equatable {
    case passed
    /// The values of `WWW-Authenticate` that would help.
    case refused([String])
  }

  let document: OpenAPIDocument

  func check(_ request: OpenAPIRequest, _ operation: OpenAPIOperation) -> Outcome {
    let groups = operation.security ?? document.security ?? []
    guard !groups.isEmpty else { return .passed }
    var challenges: [String] = []
    for group in groups {
      let failures = group.schemes.compactMap { failure($0.name, request) }
      if failures.isEmpty { return .passed }
      for challenge in failures where !challenge.isEmpty && !challenges.contains(challenge) {
        challenges.append(challenge)
      }
    }
    return .refused(challenges)
  }

  /// The challenge of a scheme that is not met, which may be empty; nil where it is.
  private func failure(_ name: String, _ request: OpenAPIRequest) -> String? {
    guard let scheme = document.components.securityScheme(name) else { return nil }
    let authorization = request.headers["authorization"] ?? ""
    let used = authorization.prefix { $0 != " " }.lowercased()
    let credentials = authorization.dropFirst(used.count).drop { $0 == " " }
    switch scheme.kind {
    case .apiKey(let name, let place): return has(name, place, request) ? nil : ""
    case .http("basic", _):
      guard used == "basic" else { return "Basic realm=\"*\"" }
      return isBasic(credentials) ? nil : ""
    case .http("digest", _):
      guard used == "digest" else { return "Digest realm=\"*\", nonce=\"abc123\"" }
      let parts = credentials.lowercased()
      return ["username=", "realm=", "nonce=", "uri=", "response="].allSatisfy { parts.contains($0) } ? nil : ""
    case .http("bearer", _): return used == "bearer" && !credentials.isEmpty ? nil : "Bearer"
    case .http(let other, _): return used == other ? nil : other.prefix(1).uppercased() + other.dropFirst()
    case .oauth2: return used == "bearer" && !credentials.isEmpty ? nil : "OAuth2"
    case .openIDConnect: return used == "bearer" && !credentials.isEmpty ? nil : "OpenID"
    case .mutualTLS: return nil
    }
  }

  private func isBasic(_ credentials: Substring) -> Bool {
    guard let bytes = Base64.decode(credentials.utf8) ?? Base64.decode(credentials.utf8, isPadded: false) else {
      return false
    }
    return bytes.contains(UInt8(ascii: ":"))
  }

  private func has(_ name: String, _ place: OpenAPIParameter.Place, _ request: OpenAPIRequest) -> Bool {
    switch place {
    case .query, .querystring: !FormFields(request.query ?? "").values(of: name).isEmpty
    case .header: request.headers[name] != nil
    case .cookie: request.headers.cookies.contains { $0.name == name }
    case .path: false
    }
  }
}
