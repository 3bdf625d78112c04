package import MPaaSTerminal

/// The meaning of a diagnostic.
package struct Explanation: Encodable {
  package let id: String
  package let summary: String
  package let explanation: String
  package let help: String?

  package init(_ id: String, _ catalogue: Catalogue) {
    self.id = id
    func shown(_ template: String) -> String {
      // Other braces are those of JSON that a help shows.
      template.replacing(/\{\w+:[^|}]*\|([^}]*)\}/) { $0.1 }.replacing(/\{([\w-]+)\}/) { "<\($0.1)>" }
    }
    summary = shown(catalogue.text("diagnostic.\(id)"))
    explanation = catalogue.text("diagnostic.\(id).explain")
    help = catalogue.optionalText("diagnostic.\(id).help").map(shown)
  }

  package static func allIDs(_ catalogue: Catalogue) -> [String] {
    catalogue.keys(startingWith: "diagnostic.").compactMap { key in
      let name = key.dropFirst("diagnostic.".count)
      return name.contains(".") ? nil : String(name)
    }
  }
}
