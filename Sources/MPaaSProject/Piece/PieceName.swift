import MPaaSSupport

/// The name of a part of a project, with and without the word that its kind ends in.
package struct PieceName: Sendable, Equatable {
  /// `Orders` of `orders`, `Orders` and `OrdersMicroApp`.
  package let base: String
  /// `OrdersMicroApp`.
  package let type: String

  /// - Parameter suffix: The word that types of the kind end in; may be empty.
  /// - Throws: `TemplateError` as a project's name does; `project-identifier-wrong` where no type can have the name.
  package init(_ text: String, suffix: String) throws(TemplateError) {
    let name = try ProjectName(text)
    let words = ProjectName.joinedWords(text)
    guard !words.isEmpty else {
      throw TemplateError(.identifierWrong, ["value": name.text, "suggestion": "Orders" + suffix])
    }
    let isWhole = !suffix.isEmpty && words.hasSuffix(suffix) && words.utf8.count > suffix.utf8.count
    base = isWhole ? String(words.dropLast(suffix.count)) : words
    type = base + suffix
    guard SwiftWords.isTypeName(type) else {
      throw TemplateError(.identifierWrong, ["value": type, "suggestion": base + "Item"])
    }
  }
}
