import MPaaSSupport

extension TextTable {
  /// The table of a string catalogue.
  package init(_ catalog: StringCatalog, name: String) {
    self.init(name: name, development: catalog.sourceLanguage)
    isCatalog = true
    var seen = Set<String>()
    for entry in catalog.entries {
      let place = catalog.place(of: entry)
      if !seen.insert(entry.name).inserted { findings.append(LanguageFinding(.duplicate, entry.name, at: place)) }
      let node = entry.value
      update(entry.name) { key in
        key.comment = node["comment"]?.string
        key.isStale = node["extractionState"]?.string == "stale"
        key.isManual = node["extractionState"]?.string == "manual"
        key.isTranslated = node["shouldTranslate"] != .word("false")
        key.place = place
        key.texts = [:]
        for language in node["localizations"]?.object?.members ?? [] {
          key.texts[language.name] = LocalizedText(catalog: language.value, place: place)
        }
      }
    }
    self.catalog = catalog
  }
}

extension LocalizedText {
  /// A language's object of a catalogue; nil where it has no text.
  init?(catalog node: CatalogNode, place: Place?) {
    var variants: [Variant] = []
    var states: [String] = []
    Self.collect(node, [], &variants, &states)
    var substitutions: [Substitution] = []
    for member in node["substitutions"]?.object?.members ?? [] {
      let number: Int? =
        if case .word(let word)? = member.value["argNum"] { Int(word) } else { nil }
      substitutions.append(
        Substitution(
          name: member.name, argument: number, specifier: member.value["formatSpecifier"]?.string ?? "lld"))
      Self.collect(member.value, [.substitution(member.name)], &variants, &states)
    }
    guard !variants.isEmpty else { return nil }
    let worst = [State.new, .needsReview, .stale].first { states.contains($0.rawValue) }
    self.init(variants, worst ?? .translated, place: place)
    self.substitutions = substitutions
  }

  private static func collect(
    _ node: CatalogNode, _ path: [TextStep], _ variants: inout [Variant], _ states: inout [String]
  ) {
    if let unit = node["stringUnit"]?.object {
      variants.append(Variant(path, unit["value"]?.string ?? ""))
      states.append(unit["state"]?.string ?? "translated")
    }
    // Variations are followed at any depth: limiting it is the reader's business.
    for kind in node["variations"]?.object?.members ?? [] {
      for variant in kind.value.object?.members ?? [] {
        let step: TextStep =
          switch kind.name {
          case "plural": .plural(variant.name)
          case "device": .device(variant.name)
          default: .width(variant.name)
          }
        collect(variant.value, path + [step], &variants, &states)
      }
    }
  }

  /// The text as a catalogue has it.
  package func catalogNode(_ state: State? = nil) -> CatalogNode {
    let word = (state ?? self.state).rawValue
    var node = CatalogNode.object(CatalogObject())
    for substitution in substitutions {
      let path = ["substitutions", substitution.name]
      if let number = substitution.argument { node.set(.word(String(number)), at: path + ["argNum"]) }
      node.set(.string(substitution.specifier), at: path + ["formatSpecifier"])
    }
    for variant in variants {
      var path: [String] = []
      for step in variant.path {
        switch step {
        case .substitution(let name): path += ["substitutions", name]
        case .plural(let name): path += ["variations", "plural", name]
        case .device(let name): path += ["variations", "device", name]
        case .width(let name): path += ["variations", "width", name]
        }
      }
      node.set(.string(word), at: path + ["stringUnit", "state"])
      node.set(.string(variant.value), at: path + ["stringUnit", "value"])
    }
    return node
  }
}
