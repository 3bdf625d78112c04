package import MPaaSTerminal
package import MPaaSToolSupport

extension FlamePicture.Words {
  /// The words of flame graphs in a language.
  package init(_ catalogue: Catalogue) {
    self.init(
      search: catalogue.text("text.flame-search"), reset: catalogue.text("text.flame-reset"),
      found: catalogue.text("text.flame-found", ["share": "{share}"]))
  }
}
