import ArgumentParser
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An argument, option or flag as a command declares it to the parser.
struct ArgumentDeclaration: Decodable {
  enum Kind: String, Decodable { case positional, option, flag }

  enum Parsing: String, Decodable {
    case `default`, scanningForValue, unconditional, upToNextOption, allRemainingInput, postTerminator, allUnrecognized
  }

  struct Name: Decodable {
    let kind: String
    let name: String

    var isShort: Bool { kind == "short" }
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  let kind: Kind
  let shouldDisplay: Bool
  let isRepeating: Bool
  let parsingStrategy: Parsing
  let names: [Name]?
  let preferredName: Name?
  /// The permitted values.
  let allValues: [String]?
  let allValueDescriptions: [String: String]?
  let completionKind: ArgumentCompletion?
  let abstract: String?

  /// All that a command declares, hidden arguments included; empty where the parser describes it in another way.
  static func all(of command: any ParsableArguments.Type) -> [ArgumentDeclaration] {
    struct Tool: Decodable {
      struct Command: Decodable { let arguments: [ArgumentDeclaration]? }
      let command: Command
    }
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    return tool?.command.arguments ?? []
  }

  func isNamed(_ text: some StringProtocol) -> Bool { names?.contains { $0.text == text } ?? false }

  /// The name for which the argument is known.
  var mainName: String { (preferredName ?? names?.first)?.text ?? "" }

  /// The meaning in the language in force: the parser has its own words for what it adds.
  var detail: String {
    switch mainName {
    case "--help", "-h": Catalogue.current.text("text.help-help")
    case "--version": Catalogue.current.text("text.help-version")
    default: abstract?.firstLine ?? ""
    }
  }
}

/// The way in which the values of an argument are completed.
enum ArgumentCompletion: Decodable {
  case list([String])
  case file([String])
  case directory
  case custom
  case other

  private enum CodingKeys: String, CodingKey { case list, file, directory, custom }
  private struct List: Decodable { let values: [String] }
  private struct File: Decodable { let extensions: [String] }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .list: self = .list(try container.decode(List.self, forKey: .list).values)
    case .file: self = .file(try container.decode(File.self, forKey: .file).extensions)
    case .directory: self = .directory
    case .custom: self = .custom
    case nil: self = .other
    }
  }
}
