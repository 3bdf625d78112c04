import MPaaSSupport

/// Conditions in words: `latency 300ms ± 50ms`, `up loss 2%`, `flight mode`, `http error 503 first 3`.
package enum ConditionPhrase {
  /// Reads conditions with commas between them.
  ///
  /// - Parameter file: What errors name.
  package static func toxics(
    _ text: String, file: String, line: Int = 1, hasColumns: Bool = true
  ) throws(NetworkError) -> [Toxic] {
    var cursor = try PhraseCursor(text, file: file, line: line, hasColumns: hasColumns)
    var toxics: [Toxic] = []
    repeat { toxics += try Self.toxics(&cursor) } while cursor.take(",")
    try cursor.end()
    return toxics
  }

  /// Reads conditions of one direction, with commas between them.
  package static func conditions(
    _ text: String, file: String, line: Int, hasColumns: Bool = false
  ) throws(NetworkError) -> [Condition] {
    var cursor = try PhraseCursor(text, file: file, line: line, hasColumns: hasColumns)
    var conditions: [Condition] = []
    repeat { conditions.append(try condition(&cursor, cursor.next)) } while cursor.take(",")
    try cursor.end()
    return conditions
  }

  /// Reads one condition: a toxic for each direction that it is for.
  static func toxics(_ cursor: inout PhraseCursor) throws(NetworkError) -> [Toxic] {
    let place = cursor.next
    var directions: [Direction]?
    if cursor.take("both") {
      directions = [.downstream, .upstream]
    } else if cursor.take("up") || cursor.take("upstream") {
      directions = [.upstream]
    } else if cursor.take("down") || cursor.take("downstream") {
      directions = [.downstream]
    }
    let condition = try condition(&cursor, place)
    var toxicity = 1.0
    if cursor.take("on") { toxicity = try cursor.share() }
    let chosen = directions ?? (condition.kind.isOfLink ? [.downstream, .upstream] : [.downstream])
    guard cursor.take("as") else { return chosen.map { Toxic(condition, direction: $0, toxicity: toxicity) } }
    let name = try cursor.text("a name")
    return chosen.map { Toxic(name: name, condition, direction: $0, toxicity: toxicity) }
  }

  private static func condition(
    _ cursor: inout PhraseCursor, _ start: PhraseCursor.Token?
  ) throws(NetworkError) -> Condition {
    cursor.splitName()
    if cursor.take("latency") || cursor.take("delay") { return .latency(try latency(&cursor)) }
    if cursor.take("bandwidth") || cursor.take("rate") { return .bandwidth(try bandwidth(&cursor)) }
    if cursor.take("loss") { return .loss(try loss(&cursor)) }
    if cursor.take("corruption") {
      return .corruption(Corruption(try cursor.share(), inStreams: cursor.take("in", "streams")))
    }
    if cursor.take("duplicate") { return .duplicate(Duplicate(try cursor.share())) }
    if cursor.take("reorder") {
      var reorder = Reorder(try cursor.share())
      if cursor.take("by") { reorder.delay = try cursor.duration() }
      return .reorder(reorder)
    }
    if cursor.take("slicer") { return .slicer(try slicer(&cursor)) }
    if cursor.take("limit", "data") { return .limitData(LimitData(bytes: try cursor.size())) }
    if cursor.take("slow", "close") { return .slowClose(SlowClose(try cursor.duration())) }
    if cursor.take("timeout") { return .timeout(Timeout(try duration(ifAny: &cursor) ?? .zero)) }
    if cursor.take("reset") {
      _ = cursor.take("peer")
      return .resetPeer(ResetPeer(cursor.take("after") ? try cursor.duration() : .zero))
    }
    if cursor.take("blackout") { return .blackout }
    if cursor.take("flight", "mode") || cursor.take("airplane", "mode") { return .flightMode }
    if cursor.take("noop") { return .noop }
    if cursor.take("http") { return try http(&cursor) }
    if cursor.take("dns") { return try dns(&cursor) }
    throw unknown(cursor, start)
  }

  /// The words that begin a condition.
  static let words = [
    "latency", "bandwidth", "loss", "corruption", "duplicate", "reorder", "slicer", "limit data", "slow close",
    "timeout", "reset", "blackout", "flight mode", "noop", "http", "dns", "profile", "normal", "up", "down", "both",
  ]

  private static func unknown(_ cursor: PhraseCursor, _ start: PhraseCursor.Token?) -> NetworkError {
    guard let token = cursor.next else { return cursor.unexpected("a condition such as `latency 300ms`") }
    let near = closestMatch(to: token.text, among: words)
    guard let near, near != token.text.lowercased() else {
      return NetworkError(
        .conditionUnknown, ["word": token.text, "known": words.joined(separator: ", ")], at: cursor.place)
    }
    return NetworkError(.conditionMisspelt, ["word": token.text, "suggestion": near], at: cursor.place)
  }

  // MARK: - Links

  private static func latency(_ cursor: inout PhraseCursor) throws(NetworkError) -> Latency {
    var latency = Latency(try cursor.duration())
    if cursor.take("±") || cursor.take("jitter") { latency.jitter = try cursor.duration() }
    for distribution in Latency.Distribution.allCases where cursor.take(distribution.rawValue) {
      latency.distribution = distribution
    }
    if cursor.take("correlation") { latency.correlation = try cursor.share() }
    return latency
  }

  private static func bandwidth(_ cursor: inout PhraseCursor) throws(NetworkError) -> Bandwidth {
    var bandwidth = Bandwidth(bitsPerSecond: try cursor.rate(), isShared: true)
    if cursor.take("burst") { bandwidth.burst = Int(clamping: try cursor.size()) }
    if cursor.take("per", "connection") { bandwidth.isShared = false }
    return bandwidth
  }

  private static func loss(_ cursor: inout PhraseCursor) throws(NetworkError) -> Loss {
    var loss = Loss(try cursor.share())
    if cursor.take("burst") { loss.meanBurst = max(1, try cursor.number()) }
    if cursor.take("stall") { loss.stall = try cursor.duration() }
    return loss
  }

  private static func slicer(_ cursor: inout PhraseCursor) throws(NetworkError) -> Slicer {
    let place = cursor.place
    var slicer = Slicer(averageSize: Int(clamping: try cursor.size()))
    if cursor.take("±") { slicer.sizeVariation = Int(clamping: try cursor.size()) }
    if cursor.take("every") { slicer.delay = try cursor.duration() }
    guard slicer.averageSize >= 1, slicer.sizeVariation < slicer.averageSize else {
      let value = "\(slicer.averageSize) ± \(slicer.sizeVariation)"
      throw NetworkError(.quantityMalformed, ["value": value, "examples": "`slicer 100B ± 10B`"], at: place)
    }
    return slicer
  }

  private static func duration(ifAny cursor: inout PhraseCursor) throws(NetworkError) -> Duration? {
    guard let token = cursor.next, !token.isQuoted, token.text.first?.isNumber == true else { return nil }
    return try cursor.duration()
  }

  // MARK: - Requests

  private static func http(_ cursor: inout PhraseCursor) throws(NetworkError) -> Condition {
    if cursor.take("delay") {
      return .httpDelay(HTTPDelay(try cursor.duration(), filter: try filter(&cursor)))
    }
    if cursor.take("slow", "headers") {
      return .httpSlowHeaders(HTTPSlowHeaders(try cursor.duration(), filter: try filter(&cursor)))
    }
    if cursor.take("truncated", "body") {
      return .httpTruncatedBody(HTTPTruncatedBody(bytes: try cursor.size(), filter: try filter(&cursor)))
    }
    guard cursor.take("error") else {
      throw cursor.unexpected("`error 503`, `delay 2s`, `slow headers 1s` or `truncated body 1kB`")
    }
    guard let token = cursor.next, !token.isQuoted, let status = Int(token.text), (100...599).contains(status) else {
      throw cursor.unexpected("a status such as `503`")
    }
    cursor.advance()
    var failure = HTTPFailure(status: status)
    while true {
      if cursor.take("body") {
        failure.body = try cursor.text("a text in quotation marks")
      } else if cursor.take("header") {
        let place = cursor.place
        let header = try cursor.text("`\"Name: value\"`")
        guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else {
          throw NetworkError(.timelineSyntax, ["found": header, "expected": "`\"Name: value\"`"], at: place)
        }
        let value = header[header.index(after: colon)...].drop { $0 == " " }
        failure.headers[String(header[..<colon])] = String(value)
      } else {
        break
      }
    }
    failure.filter = try filter(&cursor)
    return .httpError(failure)
  }

  private static func filter(_ cursor: inout PhraseCursor) throws(NetworkError) -> RequestFilter {
    var filter = RequestFilter()
    while true {
      if cursor.take("method") {
        filter.method = try cursor.text("a method such as `POST`")
      } else if cursor.take("path") {
        filter.path = try cursor.text("a path such as `\"/api/*\"`")
      } else if cursor.take("first") {
        guard let token = cursor.next, let count = Int(token.text), count >= 0 else {
          throw cursor.unexpected("a number of requests")
        }
        cursor.advance()
        filter.first = count
      } else if cursor.take("share") {
        filter.probability = try cursor.share()
      } else {
        return filter
      }
    }
  }

  private static func dns(_ cursor: inout PhraseCursor) throws(NetworkError) -> Condition {
    if cursor.take("delay") {
      let delay = try cursor.duration()
      return .dnsDelay(DNSDelay(delay, name: cursor.take("name") ? try cursor.text("a name") : nil))
    }
    guard cursor.take("failure") else { throw cursor.unexpected("`delay 3s` or `failure`") }
    var failure = DNSFailure()
    for answer in DNSFailure.Answer.allCases where cursor.take(answer.rawValue) { failure.answer = answer }
    if cursor.take("name") { failure.name = try cursor.text("a name") }
    if cursor.take("share") { failure.probability = try cursor.share() }
    return .dnsFailure(failure)
  }
}

extension Condition.Kind {
  /// Tells whether it is a property of a link, which has two directions; others are of connections and requests.
  var isOfLink: Bool {
    switch self {
    case .latency, .bandwidth, .loss, .corruption, .duplicate, .reorder, .blackout: true
    case .noop, .slicer, .timeout, .limitData, .slowClose, .resetPeer, .flightMode, .httpDelay, .httpError,
      .httpSlowHeaders,
      .httpTruncatedBody, .dnsDelay, .dnsFailure:
      false
    }
  }
}

extension NetworkError.Code {
  /// A word that begins no condition.
  package static var conditionUnknown: Self { malformed("net-condition-unknown") }
  /// A word that begins no condition, but nearly one.
  package static var conditionMisspelt: Self { malformed("net-condition-misspelt") }
}
