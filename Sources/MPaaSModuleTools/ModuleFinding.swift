/// Something about a module's archive that its publisher should know.
package struct ModuleFinding: Sendable, Hashable, Encodable {
  package enum Severity: String, Sendable, Encodable, Comparable {
    case warning, error

    package static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
  }

  /// The kind of finding; each has a text of its own in the catalog, `text.module-finding-…`.
  package enum Kind: String, Sendable, Encodable, CaseIterable {
    // The contents against the list in module.toml.
    case contentMissing = "content-missing"
    case contentTwice = "content-twice"
    case contentKind = "content-kind"
    case contentUnlisted = "content-unlisted"
    /// Two of the module's own that land under one name.
    case contentClash = "content-clash"
    /// One of this module and one of another module.
    case contentClashOther = "content-clash-other"

    // Code.
    case binaryMissing = "binary-missing"
    case binaryUnreadable = "binary-unreadable"
    case architecture
    case platform
    /// Built for a newer system than module.toml claims.
    case minimum
    case platformsMissing = "platforms-missing"
    case sliceList = "slice-list"
    case sliceMissing = "slice-missing"
    case sliceArchitecture = "slice-architecture"
    case slicePlatform = "slice-platform"

    // Findings about module.toml.
    case keyUnknown = "key-unknown"
    case license
    case licenseExpression = "license-expression"
    case licenseFile = "license-file"
    case homepage
    case summary
    case notes
    case dependencyUnknown = "dependency-unknown"
    case dependencyVersion = "dependency-version"
  }

  package let severity: Severity
  package let kind: Kind
  /// The subject: a path in the archive, a key, a name.
  package let subject: String
  /// The further values that its text names.
  package let values: [String: String]

  init(_ severity: Severity, _ kind: Kind, _ subject: String, _ values: [String: String] = [:]) {
    self.severity = severity
    self.kind = kind
    self.subject = subject
    self.values = values
  }
}
