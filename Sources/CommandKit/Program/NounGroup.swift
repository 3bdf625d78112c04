package import ArgumentParser

/// Nouns that stand together in the help, under a heading.
package struct NounGroup {
  /// The heading's key in the catalogue, behind `text.group-`.
  let key: String
  let nouns: [any ParsableCommand.Type]

  package init(_ key: String, _ nouns: [any ParsableCommand.Type]) {
    self.key = key
    self.nouns = nouns
  }
}
