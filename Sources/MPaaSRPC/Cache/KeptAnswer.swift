import MPaaSSupport

/// An answer that is kept, with all that tells how long it is good.
struct KeptAnswer: Sendable, Equatable {
  var status: Int
  /// Names in lower case.
  var headers: [String: String]
  var body: [UInt8]
  /// Seconds since 1970 as the request was sent.
  var requestTime: Double
  /// Seconds since 1970 as the answer came.
  var responseTime: Double

  private var control: CacheControl { CacheControl(headers["cache-control"]) }
  private var date: Double { headers["date"].flatMap(HTTPDate.seconds) ?? responseTime }

  /// The age of the answer in seconds.
  ///
  /// - Source: RFC 9111, 4.2.3.
  func age(at now: Double) -> Double {
    let apparent = max(0, responseTime - date)
    let corrected = (headers["age"].flatMap { UInt32($0) }.map { Double($0) } ?? 0) + max(0, responseTime - requestTime)
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  /// The seconds that the answer is good for.
  ///
  /// - Parameter isHeuristic: Whether a guess is taken where the server says nothing: a tenth of the time since the last
  ///   change, a day at most.
  /// - Source: RFC 9111, 4.2.1 and 4.2.2, for a private cache.
  func lifetime(isHeuristic: Bool) -> Double {
    if let age = control.seconds("max-age") { return age }
    if let field = headers["expires"] { return max(0, (HTTPDate.seconds(field) ?? 0) - date) }
    guard isHeuristic, !control.has("no-cache"), Self.guessed.contains(status),
      let changed = headers["last-modified"].flatMap(HTTPDate.seconds)
    else { return 0 }
    return min(max(0, date - changed) / 10, 86_400)
  }

  /// Statuses for which a guess is allowed (RFC 9110, 15.1).
  private static let guessed: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

  /// The field by which the server is asked whether the answer is still good; none where it has no validator.
  var conditions: [String: String] {
    var fields: [String: String] = [:]
    fields["If-None-Match"] = headers["etag"]
    fields["If-Modified-Since"] = headers["last-modified"]
    return fields
  }

  /// Tells whether the answer may be kept.
  ///
  /// - Parameters:
  ///   - request: The directives of the request.
  ///   - isExplicit: Whether the server must say so itself, as of calls of operations, which are POSTs.
  /// - Source: RFC 9111, 3.
  func isStorable(_ request: CacheControl, isExplicit: Bool) -> Bool {
    guard status != 206, status != 304, (200...599).contains(status), !control.has("no-store"),
      !request.has("no-store"), headers["vary"]?.contains("*") != true
    else { return false }
    // Understood in full (RFC 9111, 3): the caching of these needs no more than is done here.
    if control.has("must-understand"), !Self.guessed.contains(status) { return false }
    let saysSo = control.has("max-age") || headers["expires"] != nil || headers["etag"] != nil
    if isExplicit { return status == 200 && saysSo }
    return saysSo || control.has("private") || control.has("public") || Self.guessed.contains(status)
  }

  /// The use that may be made of the answer at a moment.
  func use(_ request: CacheControl, at now: Double, isHeuristic: Bool) -> Use {
    let age = age(at: now)
    let lifetime = lifetime(isHeuristic: isHeuristic)
    if control.isWhole("no-cache") || request.has("no-cache") { return .validate }
    if let wanted = request.seconds("max-age"), age > wanted { return .validate }
    let left = lifetime - age
    if left > (request.seconds("min-fresh") ?? 0) || (left > 0 && !request.has("min-fresh")) { return .fresh }
    let mustAsk = control.has("must-revalidate")
    if !mustAsk, left <= 0, request.has("max-stale") {
      if request.isWhole("max-stale") || -left <= (request.seconds("max-stale") ?? 0) { return .fresh }
    }
    if !mustAsk, let grace = control.seconds("stale-while-revalidate"), -left <= grace { return .staleWhileAsking }
    return .validate
  }

  /// The ways of using a kept answer.
  enum Use: Sendable, Equatable {
    case fresh
    /// It is given at once, and the server is asked meanwhile (RFC 5861, 3).
    case staleWhileAsking
    case validate
  }

  /// Tells whether the answer may stand in for an error (RFC 5861, 4).
  func standsIn(_ request: CacheControl, at now: Double, isHeuristic: Bool) -> Bool {
    guard !control.has("must-revalidate"), !control.isWhole("no-cache"),
      let grace = control.seconds("stale-if-error") ?? request.seconds("stale-if-error")
    else { return false }
    return age(at: now) - lifetime(isHeuristic: isHeuristic) <= grace
  }

  /// The answer after the server said that nothing has changed.
  ///
  /// - Source: RFC 9111, 3.2 and 4.3.4.
  func freshened(by fields: [String: String], requestTime: Double, responseTime: Double) -> KeptAnswer {
    var answer = self
    for (name, value) in fields where !Self.ofContent.contains(name) { answer.headers[name] = value }
    if fields["age"] == nil { answer.headers["age"] = nil }
    answer.requestTime = requestTime
    answer.responseTime = responseTime
    return answer
  }

  private static let ofContent: Set<String> = [
    "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding", "connection",
    "keep-alive", "trailer", "upgrade",
  ]

  /// The names of the request's fields that the answer depends on, in lower case.
  var varying: [String] {
    (headers["vary"] ?? "").split(separator: ",").map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
      .filter { !$0.isEmpty }.sorted()
  }
}
