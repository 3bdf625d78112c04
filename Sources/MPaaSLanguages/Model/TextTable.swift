package import MPaaSSupport

/// A table's texts in all languages, whatever files they come from.
package struct TextTable: Sendable {
  package let name: String
  /// The language that the app is developed in.
  package var development: String
  /// In the order in which they were met.
  package private(set) var keys: [TextKey]
  package var findings: [LanguageFinding] = []
  /// Tells whether a key without a text is its own text in the language of development.
  package var isCatalog = false
  /// Tells whether the system asks for its texts, and no source does.
  package var isOfSystem = false
  /// The catalogue that says all that the table says; nil where it comes from elsewhere, or was changed.
  var catalog: StringCatalog?
  private var index: [String: Int] = [:]

  package init(name: String, development: String) {
    self.name = name
    self.development = development
    keys = []
  }

  /// All languages that have a text, the language of development first.
  package var languages: [String] {
    var all = Set<String>()
    for key in keys { all.formUnion(key.texts.keys) }
    all.remove(development)
    return [development] + all.sorted()
  }

  package func key(_ name: String) -> TextKey? { index[name].map { keys[$0] } }

  /// Changes a key, which is made where it is new.
  package mutating func update(_ name: String, _ change: (inout TextKey) -> Void) {
    catalog = nil
    if index[name] == nil {
      index[name] = keys.count
      keys.append(TextKey(key: name))
    }
    if let at = index[name] { change(&keys[at]) }
  }
}

/// A key and its texts.
package struct TextKey: Sendable {
  package let key: String
  package var comment: String?
  package var isStale = false
  /// Tells whether it was made by hand, so that no source need name it.
  package var isManual = false
  package var isTranslated = true
  package var place: Place?
  /// By language.
  package var texts: [String: LocalizedText] = [:]

  package init(key: String) { self.key = key }

  /// The text in the language of development; the key itself where the table leaves it out.
  package func developmentText(_ language: String) -> LocalizedText {
    texts[language] ?? LocalizedText(key, .translated)
  }
}

/// The text of a key in a language.
package struct LocalizedText: Sendable, Equatable {
  package enum State: String, Sendable { case translated, new, needsReview = "needs_review", stale }

  /// A text for one case: a number's form, a device, a width.
  package struct Variant: Sendable, Equatable {
    package let path: [TextStep]
    package var value: String

    package init(_ path: [TextStep], _ value: String) {
      self.path = path
      self.value = value
    }
  }

  /// An argument whose form depends on its number: `%#@apples@`.
  package struct Substitution: Sendable, Equatable {
    package let name: String
    /// The number of the argument, from 1; nil for the next one.
    package var argument: Int?
    /// The type of the argument, such as `lld`.
    package var specifier: String
  }

  package var state: State
  package var variants: [Variant]
  package var substitutions: [Substitution] = []
  package var place: Place?

  package init(_ value: String, _ state: State, place: Place? = nil) {
    self.init([Variant([], value)], state, place: place)
  }

  package init(_ variants: [Variant], _ state: State, place: Place? = nil) {
    self.variants = variants
    self.state = state
    self.place = place
  }

  /// The text where it has no variants; else the one that stands for most.
  package var value: String {
    let most = variants.first { $0.path.isEmpty } ?? variants.first { $0.path.allSatisfy(\.isOther) }
    return (most ?? variants.first)?.value ?? ""
  }

  package var isPlain: Bool { variants.count == 1 && variants[0].path.isEmpty }
}

/// A step from a text to one of its variants.
package enum TextStep: Sendable, Hashable {
  case plural(String)
  case device(String)
  case width(String)
  case substitution(String)

  var isOther: Bool {
    switch self {
    case .plural(let name), .device(let name): name == "other"
    case .width, .substitution: false
    }
  }

  /// The step as files name it, such as `plural.one`.
  package var name: String {
    switch self {
    case .plural(let name): "plural.\(name)"
    case .device(let name): "device.\(name)"
    case .width(let name): "width.\(name)"
    case .substitution(let name): "substitutions.\(name)"
    }
  }
}
