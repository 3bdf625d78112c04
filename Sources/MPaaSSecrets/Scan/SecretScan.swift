import MPaaSPattern
package import MPaaSSupport

/// The search of one file for secrets.
///
/// One pass finds the words of all rules. Around a word, as far as a match of its rule may reach and the text goes, the
/// rule's automaton is asked, and where it says yes, the place is looked for.
package struct SecretScan: Sendable {
  private let rules: SecretRules
  /// The rules that apply to the path.
  private let isActive: [Bool]
  private let path: String

  /// The most findings of one rule in a file.
  package static let mostOfRule = 100
  /// The bytes around a word where a match of its rule has no end.
  private static let farthest = 4_096
  /// The bytes that are searched at once.
  private static let mostAtOnce = 1 << 16

  /// - Parameter path: The file's path, which rules and allow lists look at; `/` between its parts.
  package init(_ rules: SecretRules, path: String) {
    self.rules = rules
    self.path = path
    let isAllowed = rules.isAllowed(path: path)
    isActive = rules.rules.map { rule in !isAllowed && (rule.path?.matches(path) ?? true) }
  }

  /// Searches a file, text or not, and gives what it finds in the order of the file.
  package func findings(in bytes: Bytes) -> [SecretFinding] {
    withExtendedLifetime(bytes) {
      var state = State(rules: rules.rules.count)
      for (number, rule) in rules.rules.enumerated() where isActive[number] && rule.expression == nil {
        state.findings.append(SecretFinding(rule, secret: 0..<0, text: ""))
      }
      guard let base = bytes.buffer.baseAddress else { return state.findings }
      let all = UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      rules.keywords.scan(bytes.buffer) { end, words in
        for word in words {
          for number in rules.rulesOfKeyword[word] where isActive[number] {
            meet(number, word: end - rules.keywordLengths[word]..<end, all, &state)
          }
        }
        return true
      }
      for number in rules.rules.indices { flush(number, all, &state) }
      for number in rules.rulesWithoutKeyword where isActive[number] { searchAll(number, all, &state) }
      return state.findings.sorted { ($0.offset, $0.rule) < ($1.offset, $1.rule) }
    }
  }

  /// The work under way: for each rule the part that is to be searched, and how far it was searched.
  private struct State {
    var pending: [Range<Int>]
    var counts: [Int]
    var done: [Int]
    var findings: [SecretFinding] = []

    init(rules: Int) {
      pending = [Range<Int>](repeating: 0..<0, count: rules)
      counts = [Int](repeating: 0, count: rules)
      done = counts
    }
  }

  /// Notes the surroundings of a word, together with those of the one before where they touch.
  private func meet(_ number: Int, word: Range<Int>, _ all: UnsafeBufferPointer<UInt8>, _ state: inout State) {
    let pending = state.pending[number]
    let reach = min(rules.rules[number].expression?.search.longestMatch ?? Self.farthest, Self.farthest) + 8
    if word.lowerBound < pending.upperBound, word.upperBound + reach - pending.lowerBound < Self.mostAtOnce {
      let end = textEnd(from: pending.upperBound, limit: word.upperBound + reach, all)
      state.pending[number] = pending.lowerBound..<max(end, pending.upperBound)
      return
    }
    flush(number, all, &state)
    let start = textStart(from: word.lowerBound, limit: word.lowerBound - reach, all)
    state.pending[number] = start..<textEnd(from: word.upperBound, limit: word.upperBound + reach, all)
  }

  /// The first byte of the text around a place.
  private func textStart(from place: Int, limit: Int, _ all: UnsafeBufferPointer<UInt8>) -> Int {
    var place = place
    let limit = max(limit, 0)
    while place > limit, Self.isText(all[place - 1]) { place -= 1 }
    return place
  }

  private func textEnd(from place: Int, limit: Int, _ all: UnsafeBufferPointer<UInt8>) -> Int {
    var place = place
    let limit = min(limit, all.count)
    while place < limit, Self.isText(all[place]) { place += 1 }
    return place
  }

  /// Tells whether a byte may be one of a text: no control character but tabs, line feeds, and carriage returns.
  @inline(__always)
  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7f : byte == 0x0a || byte == 0x09 || byte == 0x0d
  }

  private func flush(_ number: Int, _ all: UnsafeBufferPointer<UInt8>, _ state: inout State) {
    let range = state.pending[number]
    state.pending[number] = 0..<0
    guard !range.isEmpty else { return }
    search(number, max(range.lowerBound, min(state.done[number], range.upperBound))..<range.upperBound, all, &state)
  }

  /// Looks for a rule in all text, piece by piece.
  private func searchAll(_ number: Int, _ all: UnsafeBufferPointer<UInt8>, _ state: inout State) {
    let reach = min(rules.rules[number].expression?.search.longestMatch ?? Self.farthest, Self.farthest) + 8
    var place = 0
    while place < all.count {
      guard Self.isText(all[place]) else {
        place += 1
        continue
      }
      let end = textEnd(from: place, limit: place + Self.mostAtOnce, all)
      search(number, max(place, state.done[number])..<max(end, state.done[number]), all, &state)
      // The next piece begins before the end of a long text, so that no match is cut.
      place = end - place < Self.mostAtOnce ? end : end - reach
    }
  }

  private func search(
    _ number: Int, _ range: Range<Int>, _ all: UnsafeBufferPointer<UInt8>, _ state: inout State
  ) {
    let rule = rules.rules[number]
    guard let expression = rule.expression, state.counts[number] < Self.mostOfRule, !range.isEmpty else { return }
    let part = UnsafeBufferPointer(rebasing: all[range])
    guard expression.search.mayMatch(part) else { return }
    if let pattern = expression.pattern, !pattern.matches(part) { return }
    var place = 0
    while place < part.count, let match = expression.search.firstMatch(in: part, from: place), let whole = match[0] {
      place = max(whole.upperBound, place + 1)
      state.done[number] = range.lowerBound + whole.upperBound
      let secret = Self.secret(match, rule) ?? whole
      guard accepts(secret, whole, part, rule) else { continue }
      let text = String(decoding: part[secret], as: UTF8.self)
      let start = range.lowerBound + secret.lowerBound
      state.findings.append(SecretFinding(rule, secret: start..<start + secret.count, text: text))
      state.counts[number] += 1
      if state.counts[number] == Self.mostOfRule { return }
    }
  }

  private static func secret(_ match: [Range<Int>?], _ rule: SecretRule) -> Range<Int>? {
    if rule.group > 0 { return match.indices.contains(rule.group) ? match[rule.group] : nil }
    return match.dropFirst().lazy.compactMap(\.self).first { !$0.isEmpty }
  }

  /// Tells whether a match is random enough, and no allow list lets it pass.
  private func accepts(
    _ secret: Range<Int>, _ match: Range<Int>, _ part: UnsafeBufferPointer<UInt8>, _ rule: SecretRule
  ) -> Bool {
    if let least = rule.entropy, SecretEntropy.bits(UnsafeBufferPointer(rebasing: part[secret])) <= least {
      return false
    }
    let lists = rule.allowlists + rules.allowlists.filter { $0.rules.isEmpty || $0.rules.contains(rule.id) }
    guard !lists.isEmpty else { return true }
    let start = part[..<match.lowerBound].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let end = part[match.upperBound...].firstIndex(of: 0x0a) ?? part.count
    func text(_ range: Range<Int>) -> String { String(decoding: part[range], as: UTF8.self) }
    let (secret, match, line) = (text(secret), text(match), text(start..<end))
    return !lists.contains { $0.allows(secret: secret, match: match, line: line, path: path) }
  }
}
