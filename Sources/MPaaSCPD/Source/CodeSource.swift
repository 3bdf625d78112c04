/// A source as it was read.
package struct CodeSource: Sendable, Equatable {
  package var path: String
  package var language: SourceLanguage
  /// The number of tokens, without cuts.
  package var tokens = 0
  package var lines = 0
  /// Tokens and lines in clones, each counted once.
  package var duplicatedTokens = 0
  package var duplicatedLines = 0
  /// The place of its first token in the stream of all.
  var start = 0
  /// The number of its tokens with cuts.
  var length = 0
  /// The index of an earlier source with the same content; its tokens are in the stream once.
  package var original: Int?
  /// Lines that a token has beyond its first, by the token's index: texts of several lines are few.
  var tallTokens: [Int: Int] = [:]

  package init(path: String, language: SourceLanguage) {
    (self.path, self.language) = (path, language)
  }
}

/// A source that could not be read, and the reason.
package struct UnreadSource: Sendable, Equatable {
  package var path: String
  package var reason: String
}
