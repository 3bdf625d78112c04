import ArgumentParser
import CommandKit
import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal

/// The forms of results.
enum CPDFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif, xml, csv, markdown, html
}

/// Options that say what counts as a clone.
struct CPDSearchOptions: ParsableArguments {
  @Option(help: .text("command.cpd.minimum-tokens", valueName: "number"))
  var minimumTokens = 100

  @Option(help: .text("command.cpd.types", valueName: "list"), completion: .list(["1", "2", "3", "1,2", "1,2,3"]))
  var types = "1,2,3"

  @Option(help: .text("command.cpd.gap", valueName: "number"))
  var gap = 100

  @Flag(help: .text("command.cpd.ignore-imports"))
  var ignoreImports = false

  @Flag(help: .text("command.cpd.ignore-literals"))
  var ignoreLiterals = false

  func validate() throws {
    let catalogue = Catalogue.current
    guard (10...1_000_000).contains(minimumTokens) else {
      throw ValidationError(catalogue.text("text.cpd-minimum", ["value": "\(minimumTokens)"]))
    }
    guard (0...1_000_000).contains(gap) else {
      throw ValidationError(catalogue.text("text.cpd-gap", ["value": "\(gap)"]))
    }
    _ = try typeSet()
  }

  private func typeSet() throws -> Set<CloneType> {
    let words = types.split(separator: ",", omittingEmptySubsequences: false)
    let found = words.compactMap { Int($0).flatMap(CloneType.init(rawValue:)) }
    guard !found.isEmpty, found.count == words.count else {
      throw ValidationError(Catalogue.current.text("text.cpd-types", ["value": types]))
    }
    return Set(found)
  }

  func options() throws -> CloneOptions {
    var options = CloneOptions()
    options.minimumTokens = minimumTokens
    options.types = try typeSet()
    options.gap = gap
    options.ignoresImports = ignoreImports
    options.ignoresLiterals = ignoreLiterals
    return options
  }
}

/// Options that say what is read.
struct CPDFileOptions: ParsableArguments {
  @Option(help: .text("command.cpd.include", valueName: "pattern"))
  var include: [String] = []

  @Option(help: .text("command.cpd.exclude", valueName: "pattern"))
  var exclude: [String] = []

  @Option(
    help: .text("command.cpd.language", valueName: "name"), completion: .list(SourceLanguage.allCases.map(\.name)))
  var language: [String] = []

  @Option(help: .text("command.cpd.text", valueName: "pattern"))
  var text: [String] = []

  @Flag(help: .text("command.cpd.generated"))
  var generated = false

  @Flag(help: .text("command.cpd.no-gitignore"))
  var noGitignore = false

  func validate() throws {
    for name in language where SourceLanguage(name: name) == nil {
      let names = SourceLanguage.allCases.map(\.name)
      throw ValidationError(
        Catalogue.current.text("text.cpd-language", ["value": name, "names": names.joined(separator: ", ")]))
    }
  }

  func tree() throws -> SourceTree {
    var tree = SourceTree()
    tree.included = include.compactMap { IgnorePattern($0) }
    tree.excluded = exclude.compactMap { IgnorePattern($0) }
    tree.texts = text.compactMap { IgnorePattern($0) }
    tree.languages = Set(language.compactMap { SourceLanguage(name: $0) })
    tree.usesIgnoreFiles = !noGitignore
    return tree
  }
}
