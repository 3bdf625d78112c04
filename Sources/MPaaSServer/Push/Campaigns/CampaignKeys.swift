import MPaaSPush
import MPaaSPushServing
import MPaaSSupport

/// The keys by which campaigns are sent, read from files at the start of the server; they leave it only as signatures.
struct CampaignKeys: Sendable {
  /// A key, and the topics that it is for.
  struct Key: Sendable {
    let sender: Sender
    let topics: [String]
    /// The key of the only app that may use it; nil for all.
    let app: String?
    let trust: PushTrust
    /// The addresses of the provider: of FCM both are one.
    let production: PushAddress
    let sandbox: PushAddress
    /// Seconds after which an unanswered notification counts as unknown.
    let patience: Double

    func isFor(_ topic: String, app: String) -> Bool {
      (self.app ?? app) == app && topics.contains { Glob($0).matches(topic) }
    }
  }

  /// A provider with its credential, which is one for the whole process.
  enum Sender: Sendable {
    case apns(ProviderTokens)
    case fcm(FCMAccess)

    /// `apns` or `fcm`.
    var name: String {
      switch self {
      case .apns: "apns"
      case .fcm: "fcm"
      }
    }
  }

  let all: [Key]

  init() { all = [] }

  /// Reads a file that names keys, whose paths begin where it lies.
  ///
  /// - Throws: `server-push-keys` with the member that cannot be used.
  init(_ file: String, now: @escaping @Sendable () -> Double) throws(ServerError) {
    var keys: [Key] = []
    do {
      let bytes = try Bytes.reading(file, limit: 1 << 20)
      let value = try withExtendedLifetime(bytes) { try JSONValue(reading: bytes.buffer, by: .exact) }
      let root = try KeyMembers(value, file: file, "", ["keys"])
      let folder = FileSystem.folder(of: file)
      for (index, value) in (root.members["keys"]?.array ?? []).enumerated() {
        let reader = try KeyMembers(
          value, file: file, "keys[\(index)].",
          ["provider", "file", "key_id", "team_id", "topics", "app", "production", "sandbox", "url", "ca", "patience"])
        keys.append(try Self.key(reader, folder, now))
      }
    } catch {
      throw Self.refused(file, error)
    }
    guard !keys.isEmpty else { throw ServerError(.pushKeys, ["path": file, "reason": "keys"]) }
    all = keys
  }

  /// The error of the server, which names files and members and never what stands in them.
  private static func refused(_ file: String, _ error: any Error) -> ServerError {
    if let error = error as? ServerError { return error }
    let diagnostic = (error as? any DiagnosticConvertible)?.diagnostic
    return ServerError(.pushKeys, ["path": file, "reason": diagnostic?.id.name ?? "JSON"])
  }

  private static func key(
    _ reader: KeyMembers, _ folder: String, _ now: @escaping @Sendable () -> Double
  ) throws -> Key {
    let topics = reader.members["topics"]?.array?.compactMap(\.string) ?? []
    guard !topics.isEmpty else { throw reader.wrong("topics") }
    let trust = try PushTrust(
      authorities: try reader.text("ca").map { try Bytes.reading(path($0, folder), limit: 8 << 20).array })
    let patience = reader.members["patience"]?.double ?? 30
    guard (0.01...3600).contains(patience) else { throw reader.wrong("patience") }
    let file = path(try reader.needed("file"), folder)
    let bytes = try Bytes.reading(file, limit: 64 << 10)
    let app = try reader.text("app")
    switch try reader.needed("provider") {
    case "apns":
      let key = try ProviderKey(
        pem: bytes.text, keyID: try reader.needed("key_id"), teamID: try reader.needed("team_id"))
      return Key(
        sender: .apns(ProviderTokens(key, now: now)), topics: topics, app: app, trust: trust,
        production: try PushAddress(try reader.text("production") ?? "https://api.push.apple.com"),
        sandbox: try PushAddress(try reader.text("sandbox") ?? "https://api.sandbox.push.apple.com"),
        patience: patience)
    case "fcm":
      let account = try withExtendedLifetime(bytes) { try FCMAccount(bytes.buffer) }
      let address = try PushAddress(try reader.text("url") ?? "https://fcm.googleapis.com")
      return Key(
        sender: .fcm(FCMAccess(account, trust: trust, now: now)), topics: topics, app: app, trust: trust,
        production: address, sandbox: address, patience: patience)
    default: throw reader.wrong("provider")
    }
  }

  private static func path(_ name: String, _ folder: String) -> String {
    name.hasPrefix("/") ? name : "\(folder)/\(name)"
  }

  /// The key for a topic of an app; nil where there is none.
  func key(for topic: String, app: String) -> Key? { all.first { $0.isFor(topic, app: app) } }
}

/// The members of an object of the file of keys, none of which is unknown.
private struct KeyMembers {
  let members: JSONValue.Object
  private let file: String
  private let path: String

  init(_ value: JSONValue, file: String, _ path: String, _ known: Set<String>) throws(ServerError) {
    self.file = file
    self.path = path
    members = value.object ?? [:]
    guard value.object != nil else { throw wrong("") }
    if let other = members.first(where: { !known.contains($0.key) }) { throw wrong(other.key) }
  }

  func text(_ name: String) throws(ServerError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.string, !text.isEmpty else { throw wrong(name) }
    return text
  }

  func needed(_ name: String) throws(ServerError) -> String {
    guard let text = try text(name) else { throw wrong(name) }
    return text
  }

  func wrong(_ name: String) -> ServerError {
    ServerError(.pushKeys, ["path": file, "reason": "\(path)\(name.prefix(80))"])
  }
}
