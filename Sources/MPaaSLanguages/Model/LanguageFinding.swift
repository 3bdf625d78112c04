package import MPaaSSupport

/// Something about an app's texts that somebody should look at.
package struct LanguageFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A source asks for a key that no table has.
    case missingKey = "missing-key"
    /// A language has no text for a key.
    case missing
    /// The text is not translated: new, or the same as in the language of development.
    case untranslated
    /// Somebody asked for a second look.
    case review
    /// Specifiers that differ from those of the language of development.
    case specifiers
    /// A key that stands in a table twice.
    case duplicate
    /// A key that no source asks for.
    case unused
    /// A form of numbers that the language needs.
    case pluralMissing = "plural-missing"
    /// A format that names a variable which is not there.
    case variableMissing = "variable-missing"
    /// Sources that tell translators different things about one key.
    case comments
    /// Sources that give different texts for one key.
    case values
    /// A key that is known at run time only.
    case dynamic
  }

  package let kind: Kind
  package let key: String
  package let table: String?
  package let language: String?
  package let place: Place?
  /// The further values that its sentence names.
  package let details: [String: String]

  package init(
    _ kind: Kind, _ key: String, table: String? = nil, language: String? = nil, at place: Place? = nil,
    details: [String: String] = [:]
  ) {
    self.kind = kind
    self.key = key
    self.table = table
    self.language = language
    self.place = place
    self.details = details
  }
}
