/// The form of a parameter on the command line.
package struct EditArgument: Sendable {
  package enum Kind: Sendable {
    case text, texts, flag, negatedFlag, position
    case choice(any EditChoice.Type)
  }

  package enum Completion: Sendable {
    case file([String])
    case folder
    /// A target, or a configuration, of the project that is edited.
    case target, configuration
  }

  package private(set) var kind = Kind.text
  /// The name of the option without hyphens; nil for an argument that is known by its place.
  package private(set) var option: String?
  private let isOption: Bool
  package private(set) var isRequired = false
  /// The key of its help in the catalogue, behind `command.project.edit`.
  package let help: String
  package let valueName: String?
  package let completion: Completion?
  /// Permission for a value that begins with a hyphen.
  package let takesHyphens: Bool
  /// The choice that is made where none is said.
  package private(set) var standard: String?

  /// An argument that is known by its place.
  static func argument(_ help: String, _ valueName: String, _ completion: Completion? = nil) -> Self {
    Self(
      isOption: false, help: help, valueName: valueName, completion: completion, takesHyphens: false)
  }

  /// An option that is called as the parameter is, or as `name` says.
  static func option(
    _ help: String, _ valueName: String? = nil, _ completion: Completion? = nil, named name: String? = nil,
    takesHyphens: Bool = false
  ) -> Self {
    Self(
      option: name, isOption: true, help: help, valueName: valueName, completion: completion,
      takesHyphens: takesHyphens)
  }

  func kind(_ kind: Kind, standard: String? = nil) -> Self {
    var argument = self
    (argument.kind, argument.standard) = (kind, standard)
    return argument
  }

  func required() -> Self {
    var argument = self
    argument.isRequired = true
    return argument
  }

  /// Names an option after its parameter: `phase_position` gives `--phase-position`, the list `targets` gives `--target`.
  func named(after key: String) -> Self {
    guard isOption, option == nil else { return self }
    var argument = self
    let name = key.replacing("_", with: "-")
    if case .texts = kind, name.hasSuffix("s") {
      argument.option = String(name.dropLast())
    } else {
      argument.option = name
    }
    return argument
  }
}

/// Values of which a parameter takes one, by their words.
package protocol EditChoice: RawRepresentable<String>, CaseIterable, Sendable {}
