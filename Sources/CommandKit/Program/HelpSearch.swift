import ArgumentParser
import MPaaSSupport
import MPaaSTerminal

/// The commands for a task, found by words of their names and texts in both languages: `mpaas help WORD…`.
struct HelpSearch: Presentable {
  struct Hit: Encodable {
    let command: String
    let abstract: String
  }

  let commands: [Hit]

  /// Nil where the words are no call of help, or lead to a command, whose help the parser shows.
  ///
  /// - Throws: `help-topic-unknown` where no command has the words.
  init?(_ arguments: [String], root: any ProgramRoot.Type) throws {
    let words = Array(arguments.dropFirst())
    guard arguments.first == "help", !words.isEmpty, !words.contains(where: { $0.hasPrefix("-") }),
      !Self.leads(words, from: root)
    else { return nil }
    let pages = Self.pages(of: root, named: "mpaas", in: Language.allCases.map(Catalogue.init(language:)))
    let ranks = Dictionary(grouping: pages) { $0.rank(words) }
    let found: [HelpTexts] = (0...2).flatMap { ranks[$0] ?? [] }
    commands = found.prefix(12).map { Hit(command: $0.command, abstract: $0.abstract) }
    guard commands.isEmpty else { return }
    throw Self.unknown(words, pages)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = []
    for hit in commands {
      document.line("  " + StyledText(hit.command, .emphasis))
      document.line("      " + StyledText(hit.abstract))
    }
    document.line()
    document.line(StyledText(catalogue.text("text.help-search-more"), .faint))
    return document
  }

  private static func leads(_ words: [String], from root: any ParsableCommand.Type) -> Bool {
    var command = root
    for word in words {
      guard let next = command.subcommand(word) else { return false }
      command = next
    }
    return true
  }

  private static func unknown(_ words: [String], _ pages: [HelpTexts]) -> Diagnostic {
    let topic = words.joined(separator: " ")
    let names = Set(pages.flatMap { $0.command.split(separator: " ").dropFirst().map(String.init) })
    let near = words.count == 1 ? closestMatch(to: topic, among: names.sorted()) : nil
    return Diagnostic(
      near == nil ? "help-topic-unknown" : "help-topic-unknown-near", ["topic": topic, "suggestion": near ?? ""],
      exit: .usage)
  }

  /// The command and all below it.
  private static func pages(
    of command: any ParsableCommand.Type, named name: String, in catalogues: [Catalogue]
  ) -> [HelpTexts] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { child in
      let name = name + " " + child._commandName
      return [HelpTexts(name, child, catalogues)] + pages(of: child, named: name, in: catalogues)
    }
  }
}

/// The texts of one command's help that a search looks at.
private struct HelpTexts {
  let command: String
  let abstract: String
  private let abstracts: String
  private let everything: String

  init(_ name: String, _ command: any ParsableCommand.Type, _ catalogues: [Catalogue]) {
    self.command = name
    abstract = command.configuration.abstract
    let key = name.split(separator: " ").dropFirst().joined(separator: ".")
    func texts(_ part: String) -> String {
      catalogues.compactMap { $0.optionalText("command.\(key).\(part)") }.joined(separator: "\n")
    }
    abstracts = "\(name)\n\(abstract)\n\(texts("abstract"))\n\(texts("keywords"))".lowercased()
    everything = "\(abstracts)\n\(command.configuration.discussion)\n\(texts("discussion"))".lowercased()
  }

  /// 0 where a word of the command is what was asked for, 1 where its abstract has all words, 2 where its help has them.
  func rank(_ words: [String]) -> Int? {
    let words = words.map { $0.lowercased() }
    let names = command.split(separator: " ").map(String.init)
    if words.allSatisfy(names.contains) { return 0 }
    if words.allSatisfy({ abstracts.contains($0) }) { return 1 }
    return words.allSatisfy { everything.contains($0) } ? 2 : nil
  }
}
