/// Names of functions that say too little by themselves, so that their caller counts too.
///
/// They report a fault that their caller found, are accessors that fail for who called them, or have names such as `run`
/// that many functions have.
enum VagueName {
  /// - Parameter name: Canonical.
  static func isVague(_ name: String) -> Bool {
    var parts = name.split(whereSeparator: { $0 == "." || $0 == ":" })
    if parts.count > 1, parts.first == "main" { parts.removeFirst() }
    guard var last = parts.last else { return true }
    if accessors.contains(last) || parts.count > 1 && parts[parts.count - 2] == "subscript" { return true }
    if last.hasPrefix("-[") || last.hasPrefix("+[") { last = last.drop { $0 != " " }.dropFirst().prefix { $0 != "]" } }
    let words = words(of: last)
    guard let first = words.first else { return true }
    if words.contains(where: reporting.contains) || raising.contains(first) { return true }
    guard parts.count == 1, !name.hasPrefix("-["), !name.hasPrefix("+[") else { return false }
    return last.utf8.count <= 2 || checking.contains(first) || words.count == 1 && common.contains(first)
      || words.count == 2 && (common.contains(first) && common.contains(words[1]) || first == "do")
  }

  private static let accessors: Set<Substring> = [
    "operator[]", "operator*", "operator->", "operator()", "subscript", "at", "unwrap", "get", "closure", "callback",
  ]

  /// Anywhere in a name.
  private static let reporting: Set<String> = [
    "fail", "fails", "failed", "failure", "die", "dies", "panic", "fatal", "abort", "assert", "assertion",
    "unreachable",
    "oops", "bail",
  ]

  /// At the front of a name.
  private static let raising: Set<String> = ["crash", "throw", "rethrow", "raise", "trap", "terminate", "bug"]

  /// At the front of the name of a function that is no type's member.
  private static let checking: Set<String> = [
    "check", "verify", "require", "ensure", "expect", "precondition", "enforce", "must", "invariant",
  ]

  private static let common: Set<String> = [
    "run", "call", "invoke", "apply", "execute", "exec", "perform", "process", "handle", "handler", "callback", "work",
    "worker", "body", "helper", "helpers", "inner", "outer", "leaf", "test", "trigger", "foo", "bar", "baz", "func",
    "function", "fn", "task", "job", "action", "entry", "thread", "main", "routine", "wrapper", "impl", "internal",
    "loop", "step", "next", "init", "level", "cb", "it", "one", "two", "three", "do",
  ]

  /// `checkFailed` and `check_failed` as `check`, `failed`.
  private static func words(of name: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var wasUpper = false
    for character in name {
      let isUpper = character.isUppercase
      guard character.isLetter else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if isUpper, !wasUpper, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(contentsOf: character.lowercased())
      wasUpper = isUpper
    }
    return word.isEmpty ? words : words + [word]
  }
}
