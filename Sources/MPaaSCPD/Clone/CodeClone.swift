/// The likeness of two pieces of code.
package enum CloneType: Int, Sendable, CaseIterable {
  /// The same tokens; blanks and comments may differ.
  case exact = 1
  /// The same but for names, which are exchanged one for one, and literals.
  case renamed = 2
  /// Parts that are the same, with other code between them.
  case gapped = 3
}

/// A piece of a source.
package struct ClonePlace: Sendable, Hashable {
  /// The index of the source in the list of all.
  package var source: Int
  /// The tokens of the source.
  package var tokens: Range<Int>
}

/// Code that stands at several places.
package struct CodeClone: Sendable, Equatable {
  package var type: CloneType
  /// The tokens that are alike at all places.
  package var tokens: Int
  /// The part of the places that is alike, up to 1.
  package var similarity: Double
  package var places: [ClonePlace]
  /// The pieces of one place that are alike elsewhere: all of it, but for code between parts.
  package var parts: [ClonePlace]
  /// The name of the code by its tokens, the same wherever it stands.
  package var key: String
}

/// The wishes for a search.
package struct CloneOptions: Sendable, Equatable {
  package var minimumTokens = 100
  package var types: Set<CloneType> = Set(CloneType.allCases)
  /// Tokens that may differ between two parts of a clone.
  package var gap = 100
  package var ignoresImports = false
  /// Texts and numbers count as the same.
  package var ignoresLiterals = false

  package init() {}
}
