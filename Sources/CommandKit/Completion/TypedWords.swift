/// The words behind a command's name, as its declarations take them, up to the one that is being typed.
struct TypedWords {
  /// The place where the word that is being typed belongs.
  enum Place {
    /// A value of an option.
    case value(of: ArgumentDeclaration)
    /// An argument by its number among the positional ones; nil where the command takes no more.
    case argument(Int?)
  }

  private let declarations: [ArgumentDeclaration]
  private let positionals: [ArgumentDeclaration]
  /// The options that were given, with their values.
  private(set) var given: [(declaration: ArgumentDeclaration, value: String)] = []
  private(set) var arguments: [String] = []
  /// The number of the word, among those behind the command's name, with which a command of the machine begins.
  private(set) var commandStart: Int?
  /// True behind `--`, where no word is an option.
  private(set) var isTerminated = false
  /// The option that takes the next word, or all up to the next option.
  private var pending: ArgumentDeclaration?

  init(_ words: some Sequence<String>, _ declarations: [ArgumentDeclaration]) {
    self.declarations = declarations
    positionals = declarations.filter { $0.kind == .positional }
    for (number, word) in words.enumerated() { take(word, number) }
  }

  /// The option of this name; nil for words that are none.
  func option(_ word: some StringProtocol) -> ArgumentDeclaration? {
    declarations.first { $0.kind != .positional && $0.isNamed(word) }
  }

  /// The place of the word behind all others.
  ///
  /// - Parameter number: Its number among the words behind the command's name.
  mutating func place(ofNext number: Int) -> Place {
    if let pending { return .value(of: pending) }
    let next = nextPositional
    if commandStart == nil, let next, takesRest(next) { commandStart = number }
    return .argument(next)
  }

  /// The words as completions of values read them: options with their values, `--`, arguments.
  var canonical: [String] {
    given.map { $0.declaration.mainName + ($0.value.isEmpty ? "" : "=" + $0.value) } + ["--"] + arguments
  }

  private mutating func take(_ word: String, _ number: Int) {
    if commandStart != nil {
      arguments.append(word)
    } else if let pending, pending.parsingStrategy != .upToNextOption || !word.hasPrefix("-") {
      given.append((pending, word))
      if pending.parsingStrategy != .upToNextOption { self.pending = nil }
    } else if word == "--", !isTerminated {
      isTerminated = true
      pending = nil
    } else if word.hasPrefix("-"), word.count > 1, !isTerminated {
      takeOption(word)
    } else {
      pending = nil
      if let next = nextPositional, takesRest(next) { commandStart = number }
      arguments.append(word)
    }
  }

  private mutating func takeOption(_ word: String) {
    pending = nil
    let name = word.prefix { $0 != "=" }
    if let option = option(name) {
      given.append((option, String(word.dropFirst(name.count + 1))))
      if option.kind == .option, name.count == word.count {
        given.removeLast()
        pending = option
      }
    } else if !word.hasPrefix("--") {
      // Flags of one letter stand together: `-qv`.
      given += word.dropFirst().compactMap { option("-\($0)") }.map { ($0, "") }
    }
  }

  /// The number of the positional argument that takes the next word.
  private var nextPositional: Int? {
    let usual = positionals.indices.filter { (positionals[$0].parsingStrategy == .postTerminator) == isTerminated }
    let open = usual.isEmpty && isTerminated ? Array(positionals.indices) : usual
    let isBehind = isTerminated && !usual.isEmpty
    let taken = isBehind ? 0 : arguments.count
    if taken < open.count { return open[taken] }
    return open.last.flatMap { positionals[$0].isRepeating ? $0 : nil }
  }

  func positional(_ number: Int) -> ArgumentDeclaration { positionals[number] }

  private func takesRest(_ number: Int) -> Bool {
    [.allRemainingInput, .postTerminator].contains(positionals[number].parsingStrategy)
  }
}
