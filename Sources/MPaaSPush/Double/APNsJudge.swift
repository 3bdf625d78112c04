import MPaaSSupport

/// The answers of APNs to requests, by its own order of checks.
package struct APNsJudge: Sendable {
  package var configuration: DoubleConfiguration
  /// The provider tokens that were verified, with the second at which each was issued.
  private var verified: [String: Int] = [:]
  /// The second at which the last provider token of a key was issued.
  private var issued: [String: Int] = [:]
  private var count = 0

  package init(_ configuration: DoubleConfiguration) { self.configuration = configuration }

  /// Answers a request.
  ///
  /// The checks come in the order of Apple's server as pushy's mock found it: ID, method, topic, collapse ID, priority,
  /// expiration, type, path, token, authentication, payload. A token of no topic is `BadDeviceToken`.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - makeID: A new UUID for a request without one.
  package mutating func answer(_ request: DoubleRequest, now: Double, makeID: () -> String) -> DoubleAnswer {
    var answer = DoubleAnswer()
    let id = request["apns-id"]
    answer.id = id.flatMap { Self.isUUID($0) ? $0 : nil } ?? makeID()
    guard let reason = refusal(of: request, now: now) else { return answer }
    answer.status = reason.status
    answer.reason = reason.rawValue
    if answer.status == 429 || answer.status == 503 { answer.retryAfter = configuration.behavior.retryAfter }
    answer.body = body(reason, request)
    return answer
  }

  private func body(_ reason: APNsReason, _ request: DoubleRequest) -> String {
    guard reason.status == 410 else { return "{\"reason\":\"\(reason.rawValue)\"}" }
    let timestamp = configuration.unregistered[Self.token(of: request.path) ?? ""] ?? 0
    return "{\"reason\":\"\(reason.rawValue)\",\"timestamp\":\(timestamp)}"
  }

  private mutating func refusal(of request: DoubleRequest, now: Double) -> APNsReason? {
    if let reason = Self.headerRefusal(request) { return reason }
    guard request.path.hasPrefix(Self.folder) else { return .badPath }
    if let reason = tokenRefusal(request) { return reason }
    if let reason = keyRefusal(request, now: now) { return reason }
    if request.body.isEmpty { return .payloadEmpty }
    let type = request["apns-push-type"].flatMap(APNsPushType.init(rawValue:)) ?? .alert
    if request.body.count > type.payloadLimit { return .payloadTooLarge }
    return staged(request)
  }

  private static let folder = "/3/device/"

  private static func headerRefusal(_ request: DoubleRequest) -> APNsReason? {
    if let id = request["apns-id"], !isUUID(id) { return .badMessageID }
    if request.method != "POST" { return .methodNotAllowed }
    let names = ["apns-id", "apns-topic", "apns-collapse-id", "apns-priority", "apns-expiration", "apns-push-type"]
    if names.contains(where: { request.values($0) > 1 }) { return .duplicateHeaders }
    guard let topic = request["apns-topic"], !topic.isEmpty else { return .missingTopic }
    if let id = request["apns-collapse-id"], id.utf8.count > 64 { return .badCollapseID }
    if let priority = request["apns-priority"], !["1", "5", "10"].contains(priority) { return .badPriority }
    if let expiration = request["apns-expiration"], Int64(expiration) == nil { return .badExpirationDate }
    if let type = request["apns-push-type"], APNsPushType(rawValue: type) == nil { return .invalidPushType }
    return nil
  }

  private func tokenRefusal(_ request: DoubleRequest) -> APNsReason? {
    guard let token = Self.token(of: request.path), !token.isEmpty else { return .missingDeviceToken }
    if (try? DeviceToken(token)) == nil { return .badDeviceToken }
    if configuration.unregistered[token] != nil { return .unregistered }
    let topic = request["apns-topic"] ?? ""
    if configuration.topics[topic]?.contains(token) == true { return nil }
    return configuration.topics.values.contains { $0.contains(token) } ? .deviceTokenNotForTopic : .badDeviceToken
  }

  private static func token(of path: String) -> String? {
    path.hasPrefix(folder) ? path.dropFirst(folder.utf8.count).lowercased() : nil
  }

  private mutating func keyRefusal(_ request: DoubleRequest, now: Double) -> APNsReason? {
    guard let authorization = request["authorization"], !authorization.isEmpty else { return .missingProviderToken }
    guard authorization.lowercased().hasPrefix("bearer ") else { return .invalidProviderToken }
    let text = String(authorization.dropFirst(7))
    let second: Int
    if let known = verified[text] {
      second = known
    } else {
      guard let token = JSONWebToken(text), let kept = issueTime(of: token) else { return .invalidProviderToken }
      second = kept
      if let reason = tooSoon(token, second, now: now) { return reason }
      if verified.count >= 1000 { verified.removeAll() }
      verified[text] = second
    }
    if now - Double(second) > 3600 { return .expiredProviderToken }
    return now - Double(second) < -300 ? .invalidProviderToken : nil
  }

  /// The second at which a token was issued; nil where it is none of a known key and team.
  private func issueTime(of token: JSONWebToken) -> Int? {
    guard token.header["alg"]?.string == "ES256", let id = token.header["kid"]?.string,
      let known = configuration.keys[id], token.claims["iss"]?.string == known.team, known.key.verifies(token)
    else { return nil }
    return token.claims["iat"]?.integer(Int.self).flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
  }

  private mutating func tooSoon(_ token: JSONWebToken, _ second: Int, now: Double) -> APNsReason? {
    guard now - Double(second) <= 3600, let id = token.header["kid"]?.string else { return nil }
    let interval = configuration.behavior.tokenInterval
    if let last = issued[id], second != last, second - last < interval { return .tooManyProviderTokenUpdates }
    issued[id] = max(second, issued[id] ?? 0)
    return nil
  }

  /// The reason that the behavior has for a request in which there is nothing wrong.
  private mutating func staged(_ request: DoubleRequest) -> APNsReason? {
    count += 1
    let token = Self.token(of: request.path) ?? ""
    if var reasons = configuration.behavior.answers[token], !reasons.isEmpty {
      let reason = reasons.removeFirst()
      configuration.behavior.answers[token] = reasons
      return reason
    }
    // The reason with the longest interval first, so that each has its turn.
    let every = configuration.behavior.every.filter { $0.value > 0 && count.isMultiple(of: $0.value) }
    return every.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
  }

  /// Tells whether a text is a UUID with its dashes (RFC 9562, section 4).
  package static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.indices.allSatisfy { index in
        [8, 13, 18, 23].contains(index)
          ? bytes[index] == 0x2d
          : (0x30...0x39).contains(bytes[index]) || (0x41...0x46).contains(bytes[index] & 0xdf)
      }
  }
}
