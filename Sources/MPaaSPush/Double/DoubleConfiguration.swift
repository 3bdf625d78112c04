import MPaaSSupport

/// All that a double of APNs and FCM knows, and how it behaves.
package struct DoubleConfiguration: Sendable {
  /// The keys that it takes, by their IDs.
  package var keys: [String: TeamKey] = [:]
  /// The tokens of each topic.
  package var topics: [String: Set<String>] = [:]
  /// The tokens that have ended, each with the millisecond since 1970.
  package var unregistered: [String: UInt64] = [:]
  package var fcm: FCMConfiguration?
  package var behavior = DoubleBehavior()

  /// A team's public key.
  package struct TeamKey: Sendable {
    package let team: String
    package let key: ProviderPublicKey
  }

  /// The part for FCM.
  package struct FCMConfiguration: Sendable {
    package var project: String
    package var tokens: Set<String>
    package var unregistered: Set<String>
    package var email: String?
    package var key: FCMPublicKey?
  }

  /// Reads a configuration: `key_id`, `team_id`, `public_key`, `topics`, `unregistered`, `fcm`, and the members of
  /// `DoubleBehavior`.
  ///
  /// - Parameter pem: The text of a key where a member names its file; it gets members that are no PEM.
  /// - Throws: `push-double-malformed`, which names the member, and `push-key-malformed`.
  package init(_ bytes: UnsafeRawBufferPointer, pem read: (String) -> String = { $0 }) throws(PushError) {
    let reader = try DoubleMembers(bytes)
    if let id = try reader.text("key_id") {
      let pem = try reader.required("public_key", reader.text("public_key"))
      let team = try reader.required("team_id", reader.text("team_id"))
      keys[id] = TeamKey(
        team: team, key: try ProviderPublicKey(pem: pem.hasPrefix("-----BEGIN") ? pem : read(pem)))
    }
    for (topic, value) in try reader.object("topics") ?? [:] {
      topics[topic] = try DoubleMembers.tokens(value, "topics")
    }
    for (token, value) in try reader.object("unregistered") ?? [:] {
      unregistered[token.lowercased()] = try reader.required("unregistered", value.integer(UInt64.self))
    }
    if let members = try reader.object("fcm") { fcm = try Self.fcm(DoubleMembers(members)) }
    behavior = try DoubleBehavior(reader)
  }

  private static func fcm(_ reader: DoubleMembers) throws(PushError) -> FCMConfiguration {
    let none = JSONValue.array([])
    return FCMConfiguration(
      project: try reader.required("project", reader.text("project")),
      tokens: try DoubleMembers.tokens(reader.members["tokens"] ?? none, "tokens", isExact: true),
      unregistered: try DoubleMembers.tokens(reader.members["unregistered"] ?? none, "unregistered", isExact: true),
      email: try reader.text("client_email"), key: try key(try reader.text("public_key")))
  }

  private static func key(_ pem: String?) throws(PushError) -> FCMPublicKey? {
    guard let pem else { return nil }
    return try FCMPublicKey(pem: pem)
  }
}

/// The members of a JSON object, read with errors that name them.
package struct DoubleMembers {
  let members: JSONValue.Object

  init(_ members: JSONValue.Object) { self.members = members }

  package init(_ bytes: UnsafeRawBufferPointer) throws(PushError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(reading: bytes, by: .exact)
    } catch {
      let values = ["field": "JSON", "line": "\(error.line)", "column": "\(error.column)"]
      throw PushError(.doubleMalformed, values)
    }
    guard let object = value.object else { throw Self.malformed(value.kind) }
    members = object
  }

  func required<Value>(_ name: String, _ value: Value?) throws(PushError) -> Value {
    guard let value else { throw Self.malformed(name) }
    return value
  }

  func text(_ name: String) throws(PushError) -> String? {
    guard let value = members[name] else { return nil }
    return try required(name, value.string)
  }

  func object(_ name: String) throws(PushError) -> JSONValue.Object? {
    guard let value = members[name] else { return nil }
    return try required(name, value.object)
  }

  /// A whole number from 0 up.
  func number(_ name: String) throws(PushError) -> Int? {
    guard let value = members[name] else { return nil }
    return Int(try required(name, value.integer(UInt32.self)))
  }

  /// The tokens of a list; those of APNs in small digits.
  static func tokens(_ value: JSONValue, _ name: String, isExact: Bool = false) throws(PushError) -> Set<String> {
    var tokens: Set<String> = []
    guard let list = value.array else { throw malformed(name) }
    for element in list {
      guard let token = element.string else { throw malformed(name) }
      tokens.insert(isExact ? token : token.lowercased())
    }
    return tokens
  }

  static func malformed(_ field: String) -> PushError { PushError(.doubleMalformed, ["field": field]) }
}
