/// Words of Swift that cannot name a declaration without back-ticks.
package enum SwiftKeywords {
  /// The keywords of declarations, statements and expressions; `Any`, `Self` and words that are keywords in some places
  /// only are left to writers that need them.
  ///
  /// - Source: The Swift Programming Language, "Keywords and Punctuation".
  package static let reserved: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "as", "false",
    "is", "nil", "self", "super", "throws", "true", "try",
  ]
}
