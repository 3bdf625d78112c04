/// The forms of numbers that languages have (Unicode CLDR, cardinal plural rules).
enum PluralForms {
  private static let byLanguage: [String: [String]] = {
    var all: [String: [String]] = [:]
    func add(_ languages: String, _ forms: String) {
      for language in languages.split(separator: " ") {
        all[String(language)] = forms.split(separator: " ").map(String.init)
      }
    }
    add("zh ja ko vi th id ms lo my yue km bo dz ig to wo yo su jv", "other")
    add("ru uk be pl", "one few many other")
    add("cs sk lt", "one few many other")
    add("hr sr bs sh ro mo", "one few other")
    add("ar", "zero one two few many other")
    add("cy", "zero one two few many other")
    add("sl dsb hsb", "one two few other")
    add("lv", "zero one other")
    add("he iw ga se", "one two other")
    add("br", "one two few many other")
    add("mt", "one few many other")
    add("gd", "one two few other")
    return all
  }()

  /// The plural forms that a language needs; a fraction's form of its own (`many` of Slavic languages) may be left out.
  static func required(_ language: String) -> [String] {
    let base = language.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() } ?? language
    let forms = byLanguage[base] ?? ["one", "other"]
    return ["cs", "sk", "lt"].contains(base) ? forms.filter { $0 != "many" } : forms
  }

  /// The forms that a text with others of its kind leaves out: `plural.few`.
  static func missing(in text: LocalizedText, _ language: String) -> [String] {
    var groups: [[TextStep]: Set<String>] = [:]
    for variant in text.variants {
      guard case .plural(let form)? = variant.path.last else { continue }
      groups[Array(variant.path.dropLast()), default: []].insert(form)
    }
    let required = required(language)
    return groups.flatMap { path, forms in
      required.filter { !forms.contains($0) }.map { (path + [.plural($0)]).map(\.name).joined(separator: ".") }
    }.sorted()
  }
}
