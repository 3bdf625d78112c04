/// A change that must not be: `size>+2%`, `size>+500000`, `new-permission` and others of the kind.
package enum DifferenceLimit: Sendable, Equatable {
  /// Growth of all images in percent.
  case percent(Double)
  /// Growth of all images in bytes.
  case bytes(Int64)
  case named(Kind)

  package enum Kind: String, Sendable, CaseIterable {
    case newPermission = "new-permission"
    case newEntitlement = "new-entitlement"
    case newScheme = "new-scheme"
    case newPart = "new-part"
    case newFinding = "new-finding"
    case hardeningLost = "hardening-lost"
  }

  /// Reads a limit; nil where it is none.
  package init?(_ text: Substring) {
    if let kind = Kind(rawValue: String(text)) {
      self = .named(kind)
      return
    }
    guard text.hasPrefix("size>") else { return nil }
    let rest = text.dropFirst("size>".count)
    let number = rest.hasPrefix("+") ? rest.dropFirst() : rest
    if number.hasSuffix("%"), let percent = Double(number.dropLast()), percent.isFinite, percent >= 0 {
      self = .percent(percent)
    } else if let bytes = Int64(number), bytes >= 0 {
      self = .bytes(bytes)
    } else {
      return nil
    }
  }

  /// Tells whether a difference passes the limit.
  package func isPassed(by difference: ScanDifference) -> Bool {
    switch self {
    case .percent(let percent):
      Double(difference.total.change) > Double(difference.total.old) * percent / 100
    case .bytes(let bytes): difference.total.change > bytes
    case .named(.newPermission): !difference.permissions.added.isEmpty
    case .named(.newEntitlement): !difference.entitlements.added.isEmpty
    case .named(.newScheme): !difference.schemes.added.isEmpty
    case .named(.newPart): !difference.parts.added.isEmpty
    case .named(.newFinding): !difference.findings.added.isEmpty
    case .named(.hardeningLost): !difference.losses.isEmpty
    }
  }
}
