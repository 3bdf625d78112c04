import MPaaSSupport

extension RequestPattern {
  /// Tells whether a request is one that the pattern is for.
  package func matches(_ request: MockRequest, now: Double = 0) -> Bool {
    let facts = RequestFacts(request, now: now)
    return method.matches(request.method) && matchesURL(facts) && matchesRest(facts)
  }

  func matchesURL(_ facts: RequestFacts) -> Bool {
    switch url {
    case .any: true
    case .url(let text): text == facts.request.target
    case .urlPattern(let pattern): pattern.matches(facts.request.target)
    case .path(let text): text == facts.path
    case .pathPattern(let pattern): pattern.matches(String(facts.path))
    case .pathTemplate(let template): template.values(in: String(facts.path)) != nil
    }
  }

  /// All but method and URL.
  func matchesRest(_ facts: RequestFacts) -> Bool {
    let now = facts.now
    if isPlain { return true }
    return matchesPlace(facts)
      && pathParameters.allSatisfy { $0.pattern.matches(values: pathValues($0.name, facts), now: now) }
      && queryParameters.allSatisfy {
        $0.pattern.matches(values: facts.values($0.name, of: facts.query), now: now)
      }
      && headers.allSatisfy { $0.pattern.matches(values: headerValues($0.name, facts), now: now) }
      && cookies.allSatisfy { $0.pattern.matches(values: facts.values($0.name, of: facts.cookies), now: now) }
      && matchesCredentials(facts)
      && formParameters.allSatisfy { $0.pattern.matches(values: facts.values($0.name, of: facts.form), now: now) }
      && bodies.allSatisfy { $0.matches(facts.body, now: now) }
      && multiparts.allSatisfy { $0.matches(facts) }
  }

  /// True where it says nothing beyond method and URL.
  var isPlain: Bool {
    scheme == nil && host == nil && port == nil && clientAddress == nil && pathParameters.isEmpty
      && queryParameters.isEmpty && formParameters.isEmpty && headers.isEmpty && cookies.isEmpty && credentials == nil
      && bodies.isEmpty && multiparts.isEmpty
  }

  private func matchesPlace(_ facts: RequestFacts) -> Bool {
    let request = facts.request
    return (scheme == nil || scheme == request.scheme) && (port == nil || port == request.port)
      && (host?.matches(MatchedText(request.host), now: facts.now) ?? true)
      && (clientAddress?.matches(MatchedText(request.client), now: facts.now) ?? true)
  }

  func headerValues(_ name: String, _ facts: RequestFacts) -> [MatchedText] {
    facts.request.headerValues(name).map { MatchedText($0) }
  }

  func pathValues(_ name: String, _ facts: RequestFacts) -> [MatchedText] {
    guard case .pathTemplate(let template) = url, let values = template.values(in: String(facts.path)) else {
      return []
    }
    return values.filter { $0.name == name }.map { MatchedText(PercentEncoding.decodeLeniently($0.value.utf8)) }
  }

  func matchesCredentials(_ facts: RequestFacts) -> Bool {
    guard let credentials else { return true }
    guard let header = facts.request.header("Authorization"), header.lowercased().hasPrefix("basic ") else {
      return false
    }
    let given = header.dropFirst("basic ".count).filter { $0 != " " }
    return Base64.decode(loose: Array(given.utf8)) == Array("\(credentials.user):\(credentials.password)".utf8)
  }
}

extension RequestPattern.Multipart {
  func matches(_ facts: RequestFacts) -> Bool {
    let parts = facts.parts
    guard !parts.isEmpty else { return false }
    return isForAll ? parts.allSatisfy { matches($0, facts.now) } : parts.contains { matches($0, facts.now) }
  }

  private func matches(_ part: MultipartBody.Part, _ now: Double) -> Bool {
    guard name == nil || name == part.name, fileName == nil || fileName == part.fileName else { return false }
    let body = MatchedText(part.body)
    return headers.allSatisfy { wanted in
      let values = part.headers.compactMap { MockRequest.isSame($0.name, wanted.name) ? MatchedText($0.value) : nil }
      return wanted.pattern.matches(values: values, now: now)
    } && bodies.allSatisfy { $0.matches(body, now: now) }
  }
}
