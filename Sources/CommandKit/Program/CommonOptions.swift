package import ArgumentParser
package import MPaaSTerminal

/// The options of every command; each has an environment key too.
package struct CommonOptions: ParsableArguments {
  @Flag(name: .long, help: .text("command.common.json"))
  package var json = false

  @Option(name: .long, help: .text("command.common.color"))
  package var color: OutputSettings.Colour?

  @Option(
    name: .long, help: .text("command.common.lang", valueName: "en|zh-Hans"), completion: .list(["en", "zh-Hans"]))
  package var lang: String?

  @Flag(name: [.short, .long], help: .text("command.common.quiet"))
  package var quiet = false

  @Flag(name: [.short, .long], help: .text("command.common.verbose"))
  package var verbose = false

  @Flag(name: .long, help: .text("command.common.no-input"))
  package var noInput = false

  package init() {}

  package func validate() throws {
    if let lang, Language(tag: lang) == nil {
      throw ValidationError(Catalogue.current.text("text.unknown-language", ["language": lang]))
    }
  }

  /// The wishes for output that the options say.
  var wishes: OutputWishes {
    OutputWishes(json: json, color: color, quiet: quiet, verbose: verbose, noInput: noInput)
  }

  /// The common options among the arguments, which `help` and a call without a command take, too, and the others.
  static func parted(_ arguments: [String]) -> (common: [String], others: [String]) {
    var rest = arguments[...]
    var common: [String] = []
    var others: [String] = []
    while let word = rest.popFirst() {
      if ["--color", "--lang"].contains(word) {
        common += [word] + rest.prefix(1)
        rest = rest.dropFirst()
      } else if flags.contains(word) || word.hasPrefix("--color=") || word.hasPrefix("--lang=") {
        common.append(word)
      } else {
        others.append(word)
      }
    }
    return (common, others)
  }

  /// Checks options that no command takes, as the parser checks those of a command.
  static func check(_ options: [String]) throws {
    guard !options.isEmpty else { return }
    do {
      _ = try parse(options)
    } catch {
      throw ValidationError(message(for: error))
    }
  }

  private static let flags: Set<String> = ["--json", "--quiet", "-q", "--verbose", "-v", "--no-input"]

  /// The arguments with common options that stand before a command word moved behind the command words, where the
  /// parser takes them: `--json crash list` becomes `crash list --json`.
  static func movedBehindCommand(_ arguments: [String], root: any ParsableCommand.Type) -> [String] {
    // There is nothing to move where every option follows the last word.
    let options = arguments.drop { !$0.hasPrefix("-") }
    guard options.contains(where: { !$0.hasPrefix("-") }) else { return arguments }
    var rest = arguments[...]
    var moved: [String] = []
    var words: [String] = []
    var command = root
    while let word = rest.first {
      if flags.contains(word) || word.hasPrefix("--color=") || word.hasPrefix("--lang=") {
        moved.append(rest.removeFirst())
      } else if ["--color", "--lang"].contains(word), rest.count > 1 {
        moved += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if let next = command.subcommand(word) {
        words.append(rest.removeFirst())
        command = next
        if next.configuration.subcommands.isEmpty { break }
      } else {
        break
      }
    }
    return words + moved + rest
  }
}

extension OutputSettings.Colour: ExpressibleByArgument {}

extension ArgumentHelp {
  /// The help text of `key` in the language in force.
  package static func text(_ key: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(stringLiteral: Catalogue.current.text(key)).named(valueName)
  }

  private func named(_ valueName: String?) -> ArgumentHelp {
    var help = self
    if let valueName { help.valueName = valueName }
    return help
  }
}

extension CommandConfiguration {
  /// A configuration whose texts are `command.<key>.abstract` and `command.<key>.discussion` of the catalogue.
  package init(
    _ commandName: String, key: String, version: String = "", shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [], groups: [NounGroup] = []
  ) {
    let catalogue = Catalogue.current
    self.init(
      commandName: commandName, abstract: catalogue.text("command.\(key).abstract"),
      discussion: catalogue.optionalText("command.\(key).discussion") ?? "", version: version,
      shouldDisplay: shouldDisplay, subcommands: CommandTree.extent.needed(subcommands),
      groupedSubcommands: groups.map {
        CommandGroup(name: catalogue.text("text.group-\($0.key)"), subcommands: $0.nouns)
      })
  }
}
