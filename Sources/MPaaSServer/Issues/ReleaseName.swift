/// The name of a release, as `package@version+build`, or a version alone.
///
/// Versions are compared as Semantic Versioning 2.0.0 has it, with one to four numbers; builds by their number.
struct ReleaseName: Sendable, Equatable {
  let text: String
  /// In front of the `@`; empty where there is none.
  let package: String
  /// nil where the text has no version that can be compared.
  let version: Version?
  let build: [UInt64]?

  struct Version: Sendable, Equatable {
    /// Four of them.
    var numbers: [UInt64]
    /// The parts after the hyphen; none of a final version.
    var early: [Substring]
  }

  init(_ text: String) {
    self.text = text
    let at = text.lastIndex(of: "@")
    package = at.map { String(text[..<$0]) } ?? ""
    var rest = at.map { text[text.index(after: $0)...] } ?? text[...]
    var build: Substring?
    if let plus = rest.firstIndex(of: "+") {
      build = rest[rest.index(after: plus)...]
      rest = rest[..<plus]
    } else if rest.hasSuffix(")"), let bracket = rest.firstIndex(of: "(") {
      // Reports of the system name their version so: `8.2.0 (412)`.
      build = rest[rest.index(after: bracket)...].dropLast()
      rest = rest[..<bracket]
      while rest.last == " " { rest.removeLast() }
    }
    version = Self.version(rest)
    self.build = build.flatMap(Self.numbers)
  }

  private static func version(_ text: Substring) -> Version? {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, var numbers = numbers(first) else { return nil }
    while numbers.count < 4 { numbers.append(0) }
    guard parts.count == 2 else { return Version(numbers: numbers, early: []) }
    let early = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return early.contains("") ? nil : Version(numbers: numbers, early: early)
  }

  /// One to four whole numbers with dots between them.
  private static func numbers(_ text: Substring) -> [UInt64]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard !part.isEmpty, part.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = UInt64(part) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Tells whether this release is newer than another by their names; nil where the names do not tell.
  func isNewer(than other: ReleaseName) -> Bool? {
    if text == other.text { return false }
    guard package == other.package, let version, let known = other.version else { return nil }
    if version != known { return known < version }
    guard let build, let knownBuild = other.build else { return nil }
    return knownBuild.lexicographicallyPrecedes(build)
  }

  /// Tells whether this release is newer: by the names, else by the times at which the releases were first seen.
  func isNewer(than other: ReleaseName, seen: Double?, other otherSeen: Double?) -> Bool {
    if let verdict = isNewer(than: other) { return verdict }
    // A release that was never seen cannot be placed; what comes now came after it was named.
    guard let seen, let otherSeen else { return false }
    return seen > otherSeen
  }

  /// A text that sorts by its bytes as versions do; nil without a version.
  var sortKey: String? { version?.sortKey }
}

extension ReleaseName.Version: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    if left.early.isEmpty || right.early.isEmpty { return !left.early.isEmpty && right.early.isEmpty }
    for (one, other) in zip(left.early, right.early) where one != other {
      switch (Self.number(one), Self.number(other)) {
      case (let number?, let second?): if number != second { return number < second }
      case (nil, nil): return one.utf8.lexicographicallyPrecedes(other.utf8)
      case (let number, _): return number != nil
      }
    }
    return left.early.count < right.early.count
  }

  private static func number(_ text: Substring) -> UInt64? {
    text.utf8.allSatisfy { $0 &- 0x30 < 10 } ? UInt64(text) : nil
  }

  /// A text that sorts by its bytes as versions do: numbers behind their number of digits, and a tilde behind final ones.
  var sortKey: String {
    func key(_ number: UInt64) -> String {
      let digits = String(number)
      return (digits.utf8.count < 10 ? "0" : "") + String(digits.utf8.count) + digits
    }
    let front = numbers.map(key).joined(separator: ".")
    guard !early.isEmpty else { return front + "~" }
    return front + "-"
      + early.map { part in Self.number(part).map { "0" + key($0) } ?? "1" + part }.joined(separator: ".")
  }
}
