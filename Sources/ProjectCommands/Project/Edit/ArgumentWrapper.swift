import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

/// A property wrapper of the parser: it declares an argument, and gives the words that were found for it.
protocol ArgumentWrapper: Decodable {
  var words: [String] { get }
}

extension ArgumentWrapper {
  func words(of key: ParameterKey, in values: KeyedDecodingContainer<ParameterKey>) throws -> [String] {
    try values.decode(Self.self, forKey: key).words
  }
}

extension EditArgument {
  /// The wrapper that declares the argument.
  var wrapper: any ArgumentWrapper {
    guard let option else { return positional }
    let name = NameSpecification.customLong(option)
    return switch kind {
    case .text:
      Option<String?>(
        name: name, parsing: takesHyphens ? .unconditional : .next, help: helpText, completion: completionKind)
    case .texts: Option<[String]>(wrappedValue: [], name: name, help: helpText, completion: completionKind)
    case .flag, .negatedFlag: Flag(wrappedValue: false, name: name, help: helpText)
    case .position: Option<EditPosition?>(name: name, help: helpText)
    case .choice(let type): choice(of: type, name)
    }
  }

  var isNegated: Bool {
    if case .negatedFlag = kind { true } else { false }
  }

  private var positional: any ArgumentWrapper {
    if case .texts = kind {
      guard isRequired else { return Argument<[String]>(wrappedValue: [], help: helpText, completion: completionKind) }
      return Argument<[String]>(help: helpText, completion: completionKind)
    }
    guard isRequired else { return Argument<String?>(help: helpText, completion: completionKind) }
    return Argument<String>(help: helpText, completion: completionKind)
  }

  private func choice<Value: EditChoice>(of type: Value.Type, _ name: NameSpecification) -> any ArgumentWrapper {
    if let value = standard.flatMap(Value.init(rawValue:)) {
      return Option<ChoiceArgument<Value>>(wrappedValue: ChoiceArgument(value: value), name: name, help: helpText)
    }
    guard isRequired else { return Option<ChoiceArgument<Value>?>(name: name, help: helpText) }
    return Option<ChoiceArgument<Value>>(name: name, help: helpText)
  }

  private var helpText: ArgumentHelp { .text("command.project.edit." + help, valueName: valueName) }

  private var completionKind: CompletionKind? {
    switch completion {
    case nil: nil
    case .file(let extensions): .file(extensions: extensions)
    case .folder: .directory
    case .target: .editedProject { $0.targets.map(\.name) }
    case .configuration: .editedProject { $0.configurations }
    }
  }
}

/// One of the words of a choice.
struct ChoiceArgument<Value: EditChoice>: ExpressibleByArgument {
  let value: Value

  init(value: Value) { self.value = value }

  init?(argument: String) {
    guard let value = Value(rawValue: argument) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { value.rawValue }
  static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension EditPosition: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package static var allValueStrings: [String] { ["first", "last", "sorted", "before:NAME", "after:NAME"] }
}

// MARK: - The words of values

/// A value that the parser makes of words, or of nothing.
protocol ArgumentValue {
  var words: [String] { get }
}

extension String: ArgumentValue { var words: [String] { [self] } }
extension [String]: ArgumentValue { var words: [String] { self } }
extension Bool: ArgumentValue { var words: [String] { self ? ["YES"] : [] } }
extension EditPosition: ArgumentValue { var words: [String] { [text] } }
extension ChoiceArgument: ArgumentValue { var words: [String] { [value.rawValue] } }
extension Optional: ArgumentValue where Wrapped: ArgumentValue { var words: [String] { self?.words ?? [] } }

extension Argument: ArgumentWrapper where Value: ArgumentValue { var words: [String] { wrappedValue.words } }
extension Option: ArgumentWrapper where Value: ArgumentValue { var words: [String] { wrappedValue.words } }
extension Flag: ArgumentWrapper where Value: ArgumentValue { var words: [String] { wrappedValue.words } }
