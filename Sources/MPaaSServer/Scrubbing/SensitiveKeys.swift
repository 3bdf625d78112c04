import MPaaSSupport

/// The keys of JSON by what their values may tell.
struct SensitiveKeys: Sendable {
  /// The meaning of a key.
  struct Verdict: OptionSet, Sendable {
    let rawValue: UInt8
    /// The value is taken out.
    static let secret = Verdict(rawValue: 1)
    /// The value, and all within it, stays.
    static let kept = Verdict(rawValue: 2)
    /// The value is somebody's name, on purpose.
    static let identity = Verdict(rawValue: 4)
    /// The value holds the facts of a person.
    static let person = Verdict(rawValue: 8)
    /// The value is the name of what stands beside it, and what stands beside it.
    static let name = Verdict(rawValue: 16)
    static let named = Verdict(rawValue: 32)
  }

  private static let exact = words(
    "pwd", "auth", "jwt", "cookie", "cookies", "setcookie", "authorization", "proxyauthorization", "otp", "pin", "cvv",
    "cvc", "ssn", "csrf", "xcsrf", "bearer")
  private static let ends = words(
    "token", "apikey", "accesskey", "privatekey", "sessionid", "sessionkey", "sessid")
  private static let parts = words("password", "passwd", "passphrase", "secret", "credential", "密码", "口令", "令牌")
  /// Keys of the protocol: names of code, of images and of releases, by which events are grouped and symbolicated.
  private static let protocolKeys: Set<String> = [
    "filename", "abs_path", "function", "raw_function", "module", "package", "code_file", "debug_file", "code_id",
    "debug_id", "image_addr", "instruction_addr", "symbol_addr", "event_id", "trace_id", "span_id", "parent_span_id",
    "release", "dist", "version", "build", "kernel_version", "modules", "sdk", "debug_meta", "timestamp", "fingerprint",
  ]
  private static let identities: Set<String> = ["id", "username", "email", "name", "contact_email"]
  private static let persons: Set<String> = ["user", "feedback"]
  /// The longest key that is looked at.
  private static let longest = 100

  private let hasSecrets: Bool
  private let own: [Glob]
  private let keep: [Glob]

  init(_ rules: ScrubbingRules) {
    hasSecrets = rules.builtin.contains(.secret)
    own = rules.keys.map { Glob($0, ignoresCase: true) }
    keep = rules.keep.map { Glob($0, ignoresCase: true) }
  }

  func verdict(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
    guard bytes.count <= Self.longest else { return [] }
    let key = String(decoding: bytes, as: UTF8.self)
    if keep.contains(where: { $0.matches(key) }) { return .kept }
    if own.contains(where: { $0.matches(key) }) { return .secret }
    if Self.protocolKeys.contains(key) { return .kept }
    var verdict: Verdict = hasSecrets && Self.namesSecret(bytes) ? .secret : []
    if Self.identities.contains(key) { verdict.insert(.identity) }
    if Self.persons.contains(key) { verdict.insert(.person) }
    if key == "key" || key == "name" { verdict.insert(.name) }
    if key == "value" { verdict.insert(.named) }
    return verdict
  }

  /// Tells whether a word names a secret, however it is written: `api_key`, `apiKey`, `API-Key`.
  static func namesSecret(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (3...longest).contains(bytes.count) else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { room in
      var count = 0
      for byte in bytes where byte != 0x2d && byte != 0x5f && byte != 0x2e && byte != 0x20 {
        room[count] = byte.lowercasedASCII
        count += 1
      }
      let word = UnsafeBufferPointer(rebasing: room[..<count])
      return exact.contains { $0.count == count && word.elementsEqual($0) }
        || ends.contains { $0.count <= count && word.suffix($0.count).elementsEqual($0) }
        || parts.contains { holds(word, $0) }
    }
  }

  private static func holds(_ word: UnsafeBufferPointer<UInt8>, _ part: [UInt8]) -> Bool {
    guard part.count <= word.count else { return false }
    return (0...word.count - part.count).contains { word[$0] == part[0] && word[$0...].starts(with: part) }
  }

  private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
