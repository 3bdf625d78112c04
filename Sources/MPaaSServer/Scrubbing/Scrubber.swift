import MPaaSSupport

/// Takes out of reports and texts what they tell of people and secrets.
struct Scrubber: Sendable {
  let rules: ScrubbingRules
  private let keys: SensitiveKeys
  private let texts: SensitiveText
  private let isIdle: Bool
  /// The word in the place of a value that was taken out.
  static let filtered = "[filtered]"

  init(_ rules: ScrubbingRules) {
    self.rules = rules
    keys = SensitiveKeys(rules)
    texts = SensitiveText(rules.builtin)
    isIdle = rules.builtin.isEmpty && rules.keys.isEmpty
  }

  /// A document in JSON, or several one after the other, as it is stored.
  ///
  /// It keeps its form: only the insides of strings, and numbers that are secrets, are others.
  ///
  /// - Returns: nil where nothing is taken out, or the bytes are no JSON.
  func document(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !isIdle, let first = bytes.first(where: { $0 > 0x20 }), first == 0x7b || first == 0x5b else { return nil }
    return bytes.withMemoryRebound(to: UInt8.self) { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var pass = ScrubbingPass(base, bytes.count, keys, texts)
      return pass.run()
    }
  }

  /// A text as it is stored; one that is JSON is read as such.
  func text(_ text: String) -> String {
    var text = text
    if isIdle { return text }
    return text.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      if let first = raw.first(where: { $0 > 0x20 }), first == 0x7b || first == 0x5b, JSONSkim.isDocument(raw) {
        return String(decoding: document(raw) ?? Array(raw), as: UTF8.self)
      }
      return Self.replaced(bytes, texts.findings(in: bytes)) ?? String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The text with a word in the place of each finding; nil without any.
  static func replaced(_ bytes: UnsafeBufferPointer<UInt8>, _ findings: [SensitiveText.Finding]) -> String? {
    if findings.isEmpty { return nil }
    var text: [UInt8] = []
    var place = 0
    for finding in findings {
      text += bytes[place..<finding.range.lowerBound]
      text += word(for: finding.kind).utf8
      place = finding.range.upperBound
    }
    text += bytes[place...]
    return String(decoding: text, as: UTF8.self)
  }

  static func word(for kind: ScrubbingRules.Kind) -> String { kind == .secret ? filtered : "[\(kind.rawValue)]" }
}

/// One pass over a document, from its first byte to its last.
private struct ScrubbingPass {
  private struct Level {
    let isObject: Bool
    /// All within it is a secret, or stays, or is about a person.
    let inherited: SensitiveKeys.Verdict
    var expectsKey: Bool
    var key: SensitiveKeys.Verdict = []
    /// The first element of a pair, or the name beside a value, names a secret.
    var namesSecret = false
    var index = 0
  }

  /// Levels that are told apart; what is deeper counts as part of the last.
  private static let deepest = 256

  private let base: UnsafePointer<UInt8>
  private let count: Int
  private let keys: SensitiveKeys
  private let texts: SensitiveText
  private var levels: [Level] = []
  private var deeper = 0
  private var output: [UInt8] = []
  /// The number of bytes that are in the output, or left out of it.
  private var copied = 0
  /// Verdicts of keys by the digests of their bytes: a document has few different ones.
  private var known: [UInt64: SensitiveKeys.Verdict] = [:]

  init(_ base: UnsafePointer<UInt8>, _ count: Int, _ keys: SensitiveKeys, _ texts: SensitiveText) {
    (self.base, self.count, self.keys, self.texts) = (base, count, keys, texts)
    levels.reserveCapacity(16)
  }

  mutating func run() -> [UInt8]? {
    var place = 0
    while place < count {
      switch base[place] {
      case UInt8(ascii: "\""):
        let end = JSONText.end(base, place + 1, count)
        guard end < count else { return finished() }
        string(place + 1..<end)
        place = end + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open(isObject: base[place] == UInt8(ascii: "{"))
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if deeper > 0 { deeper -= 1 } else { _ = levels.popLast() }
        place += 1
      case UInt8(ascii: ":"):
        if !levels.isEmpty { levels[levels.count - 1].expectsKey = false }
        place += 1
      case UInt8(ascii: ","):
        if let level = levels.last {
          levels[levels.count - 1].expectsKey = level.isObject && deeper == 0
          levels[levels.count - 1].index += 1
        }
        place += 1
      case 0x2d, 0x30...0x39: place = number(place)
      default: place += 1
      }
    }
    return finished()
  }

  private func finished() -> [UInt8]? {
    copied == 0 ? nil : output + UnsafeBufferPointer(start: base + copied, count: count - copied)
  }

  /// The meaning of the value that comes next.
  private var current: SensitiveKeys.Verdict {
    guard let level = levels.last else { return [] }
    var verdict = level.inherited.intersection([.secret, .kept])
    if level.inherited.contains(.kept) { return verdict }
    if level.isObject {
      verdict.formUnion(level.key)
      if level.key.contains(.identity), !isPersonal(level) { verdict.remove(.identity) }
      if level.namesSecret, level.key.contains(.named) { verdict.insert(.secret) }
    } else if level.namesSecret, level.index == 1 {
      verdict.insert(.secret)
    }
    return verdict
  }

  /// Tells whether names within a level are a person's: in the objects for that, and beside a report of a user.
  private func isPersonal(_ level: Level) -> Bool { level.inherited.contains(.person) || levels.count == 1 }

  private mutating func open(isObject: Bool) {
    guard levels.count < Self.deepest else { return deeper += 1 }
    let verdict = current
    levels.append(Level(isObject: isObject, inherited: verdict, expectsKey: isObject))
  }

  private mutating func string(_ range: Range<Int>) {
    let inside = UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    guard let level = levels.last else { return scrub(range, inside, isIdentity: false) }
    if level.isObject, level.expectsKey, deeper == 0 {
      levels[levels.count - 1].key = verdict(of: inside)
      return
    }
    let verdict = current
    if verdict.contains(.kept) { return }
    if verdict.contains(.secret) {
      if !inside.isEmpty { replace(range, Scrubber.filtered.utf8) }
      return
    }
    noteName(inside, range.upperBound, level)
    scrub(range, inside, isIdentity: verdict.contains(.identity))
  }

  /// Notes that what follows is the value of a name: in `{"key": "token", "value": …}` and `["token", …]`.
  private mutating func noteName(_ inside: UnsafeBufferPointer<UInt8>, _ end: Int, _ level: Level) {
    let isName = level.isObject ? level.key.contains(.name) : level.index == 0 && isPair(from: end + 1)
    guard isName else { return }
    levels[levels.count - 1].namesSecret = verdict(of: inside).contains(.secret)
  }

  /// Tells whether one more string and the end of the array follow.
  private func isPair(from place: Int) -> Bool {
    var place = place
    func skip() { while place < count, base[place] <= 0x20 { place += 1 } }
    skip()
    guard place < count, base[place] == UInt8(ascii: ",") else { return false }
    place += 1
    skip()
    guard place < count, base[place] == UInt8(ascii: "\"") else { return false }
    place = JSONText.end(base, place + 1, count) + 1
    skip()
    return place < count && base[place] == UInt8(ascii: "]")
  }

  private mutating func verdict(of key: UnsafeBufferPointer<UInt8>) -> SensitiveKeys.Verdict {
    // FNV-1a; what a document names otherwise by the same digest would be taken for the first, and no document does.
    let digest = key.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    if let found = known[digest] { return found }
    let verdict = keys.verdict(key)
    if known.count < 4096 { known[digest] = verdict }
    return verdict
  }

  private mutating func scrub(_ range: Range<Int>, _ inside: UnsafeBufferPointer<UInt8>, isIdentity: Bool) {
    let findings = texts.findings(in: inside, isIdentity: isIdentity)
    if findings.isEmpty { return }
    guard inside.contains(UInt8(ascii: "\\")) else {
      if let text = Scrubber.replaced(inside, findings) { replace(range, text.utf8) }
      return
    }
    // Escapes are no part of the text that they stand for.
    let quoted = UnsafeRawBufferPointer(start: base + range.lowerBound - 1, count: range.count + 2)
    guard var text = (try? JSONValue(reading: quoted))?.string else { return }
    let clean = text.withUTF8 { Scrubber.replaced($0, texts.findings(in: $0, isIdentity: isIdentity)) }
    if let clean { replace(range, JSONValue.string(clean).line.utf8.dropFirst().dropLast()) }
  }

  /// Goes past a number, which is taken out where it is a secret.
  private mutating func number(_ start: Int) -> Int {
    var end = start + 1
    while end < count, SensitiveText.isAlphanumeric(base[end]) || "+-.".utf8.contains(base[end]) { end += 1 }
    let verdict = current
    if verdict.contains(.secret), !verdict.contains(.kept) { replace(start..<end, "\"\(Scrubber.filtered)\"".utf8) }
    return end
  }

  private mutating func replace(_ range: Range<Int>, _ bytes: some Sequence<UInt8>) {
    output += UnsafeBufferPointer(start: base + copied, count: range.lowerBound - copied)
    output += bytes
    copied = range.upperBound
  }
}
