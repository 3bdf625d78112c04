/// The languages in which a user may be addressed.
package enum LanguageChain {
  /// The tags to look for, the best first, in small letters: `zh-Hans-CN` gives `zh-hans-cn`, `zh-hans`, `zh-cn`, `zh`.
  ///
  /// - Source: RFC 4647, section 3.4; Chinese without a script has the one that its region writes.
  package static func tags(of locale: String) -> [String] {
    // After `@` or a dot come the system's own words.
    let plain = locale.lowercased().prefix { $0 != "@" && $0 != "." }
    var parts = plain.split { $0 == "-" || $0 == "_" }.prefix(8).map(String.init)
    if let extra = parts.firstIndex(where: { $0.count == 1 }) { parts.removeSubrange(extra...) }
    guard let language = parts.first else { return [] }
    var tags: [String] = []
    func add(_ parts: some Collection<String>) {
      let tag = parts.joined(separator: "-")
      if !tags.contains(tag) { tags.append(tag) }
    }
    for count in stride(from: parts.count, to: 1, by: -1) { add(parts.prefix(count)) }
    if language == "zh" {
      let isTraditional = parts.contains("hant") || (!parts.contains("hans") && !traditional.isDisjoint(with: parts))
      add(["zh", isTraditional ? "hant" : "hans"])
      add(["zh", isTraditional ? "tw" : "cn"])
    }
    add([language])
    return tags
  }

  private static let traditional: Set<String> = ["tw", "hk", "mo"]

  /// The name of the best of some languages for a user.
  ///
  /// - Parameter names: The languages by their tags in small letters.
  static func best(of names: [String: String], for locale: String?) -> String? {
    locale.flatMap { tags(of: $0).lazy.compactMap { names[$0] }.first }
  }
}
