package import ArgumentParser
import MPaaSTerminal

/// The candidates for a word of a command line of ours, found by what the commands declare to the parser.
package struct CompletionAnswer {
  package private(set) var candidates = Candidates()
  /// The number of the word, that of the program being 0, with which a command of the machine begins.
  package private(set) var commandStart: Int?
  /// The part of the word that belongs to no candidate, such as `--output=`.
  package private(set) var fixedPart = ""

  private let current: String
  private let place: CommandPlace

  /// - Parameter words: The words before the one that is being typed, without the program's name.
  package init(_ words: [String], current: String, root: any ParsableCommand.Type) {
    self.current = current
    place = CommandPlace(words, root: root)
    let behind = words[place.rest...]
    if place.isHelp {
      if behind.isEmpty { candidates.list = subcommands }
    } else if place.takesWords || behind.allSatisfy({ $0.hasPrefix("-") }) {
      find(TypedWords(behind, place.declarations), behind.count)
    }
  }

  /// - Parameter number: The number of the word among those behind the command's name.
  private mutating func find(_ typed: TypedWords, _ number: Int) {
    var typed = typed
    let next = typed.place(ofNext: number)
    let isInCommand = typed.commandStart.map { $0 < number } ?? false
    let isOption = current.hasPrefix("-") && !typed.isTerminated && !isInCommand
    if case .value(let option) = next, !(isOption && option.parsingStrategy == .upToNextOption) {
      candidates = values(of: option, option.mainName, typed)
    } else if isOption {
      findOptions(typed)
    } else if case .argument(let argument) = next {
      findArguments(argument, typed)
      if candidates.shell == .command { commandStart = place.rest + (typed.commandStart ?? number) + 1 }
      // Options are offered where nothing else can stand.
      if candidates == Candidates(), current.isEmpty, !typed.isTerminated { candidates.list = options(typed) }
    }
  }

  private mutating func findArguments(_ number: Int?, _ typed: TypedWords) {
    if let number {
      let argument = typed.positional(number)
      candidates = values(of: argument, "positional@\(number)", typed)
      if argument.isRepeating { candidates.list.removeAll { typed.arguments.contains($0.value) } }
    }
    if place.takesSubcommand, typed.arguments.isEmpty { candidates.list = subcommands + candidates.list }
  }

  private mutating func findOptions(_ typed: TypedWords) {
    guard let sign = current.firstIndex(of: "=") else {
      candidates.list = options(typed)
      return
    }
    let name = current[..<sign]
    guard let option = typed.option(name), option.kind == .option else { return }
    fixedPart = String(name) + "="
    candidates = values(of: option, String(name), typed)
  }

  /// The commands below the one that is named so far.
  private var subcommands: [Candidate] {
    let shown = place.command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let list = shown.map { Candidate($0._commandName, $0.configuration.abstract) }
    guard place.isRoot, !place.isHelp else { return list }
    return list + [Candidate("help", Catalogue.current.text("text.completion-help"))]
  }

  /// The options that were not given yet or may be given again; short names for `-` alone, or where there is no other.
  private func options(_ typed: TypedWords) -> [Candidate] {
    let given = Set(typed.given.map(\.declaration.mainName) + place.given)
    let offered = place.declarations.filter {
      $0.kind != .positional && $0.shouldDisplay && ($0.isRepeating || !given.contains($0.mainName))
    }
    let version = place.isRoot ? [Candidate("--version", Catalogue.current.text("text.help-version"))] : []
    return version
      + offered.flatMap { option in
        let names = option.names ?? []
        let long = names.filter { !$0.isShort }
        return (long.isEmpty || current == "-" ? names : long).map { Candidate($0.text, option.detail) }
      }
  }

  /// The values of an argument.
  ///
  /// - Parameter name: Its name for the parser, where it is to call what finds them.
  private func values(of argument: ArgumentDeclaration, _ name: String, _ typed: TypedWords) -> Candidates {
    switch argument.completionKind {
    case .list(let values): Candidates(values.map { Candidate($0, argument.allValueDescriptions?[$0] ?? "") })
    case .file(let extensions): Candidates(shell: .files(extensions))
    case .directory: Candidates(shell: .folders)
    case .custom: found(name, typed)
    case .other, nil: Candidates((argument.allValues ?? []).map { Candidate($0) })
    }
  }

  /// The values that a completion of the command's own finds, which only the parser can call.
  private func found(_ name: String, _ typed: TypedWords) -> Candidates {
    let word = String(current.dropFirst(fixedPart.count))
    let words = typed.canonical + [word]
    let call = ["---completion", "--", name, String(words.count - 1), String(word.count)] + words
    do {
      _ = try place.leaf.parseAsRoot(call)
      return Candidates()
    } catch {
      guard place.leaf.exitCode(for: error) == .success else { return Candidates() }
      return Candidates(lines: place.leaf.fullMessage(for: error).split(separator: "\n"))
    }
  }
}
