/// A function of an app's own that asks for a text, as an option names it.
///
/// `L` alone: the key first, then by Swift's labels or in the order of `NSLocalizedString`. `tr:_,key,table` names the
/// arguments in their order. `.localized` is a property or a method of the key's literal.
package struct WrapperSignature: Sendable, Hashable {
  package let name: String
  package let roles: [ArgumentRole]
  /// Tells whether it follows the literal: `"key".localized`.
  package let isPostfix: Bool

  /// Nil where the text is no signature.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    isPostfix = first.hasPrefix(".")
    name = String(isPostfix ? first.dropFirst() : first)
    guard !name.isEmpty, name.utf8.allSatisfy({ SourceBytes.isWord($0) }),
      name.utf8.first.map({ !(0x30...0x39).contains($0) }) == true
    else { return nil }
    guard parts.count == 2 else {
      roles = isPostfix ? [.comment] : [.key, .comment]
      return
    }
    var roles: [ArgumentRole] = []
    for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      guard let role = ArgumentRole(rawValue: String(word)) else { return nil }
      roles.append(role)
    }
    guard isPostfix != roles.contains(.key) else { return nil }
    self.roles = roles
  }
}

/// The purposes of an argument.
package enum ArgumentRole: String, Sendable {
  case key, table, value, comment
  case other = "_"

  /// By Swift's label; nil for one that says nothing.
  init?(label: UnsafeBufferPointer<UInt8>) {
    func isLabel(_ word: StaticString) -> Bool {
      word.withUTF8Buffer { $0.count == label.count && $0.elementsEqual(label) }
    }
    switch label.first {
    case UInt8(ascii: "l") where isLabel("localized"): self = .key
    case UInt8(ascii: "f") where isLabel("forKey"): self = .key
    case UInt8(ascii: "f") where isLabel("fallback"): self = .value
    case UInt8(ascii: "s") where isLabel("stringLiteral"): self = .key
    case UInt8(ascii: "k") where isLabel("key"): self = .key
    case UInt8(ascii: "t") where isLabel("table") || isLabel("tableName"): self = .table
    case UInt8(ascii: "v") where isLabel("value"): self = .value
    case UInt8(ascii: "d") where isLabel("defaultValue"): self = .value
    case UInt8(ascii: "c") where isLabel("comment"): self = .comment
    default: return nil
    }
  }
}
