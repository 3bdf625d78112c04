/// Words that the console was given, and whom it speaks to.
public struct ConsoleInput: Sendable {
  /// The words that follow the command's name, in their order and without quotation marks.
  public let words: [String]
  /// The language of the console's answers.
  public let language: TextLanguage

  /// The words without `=`.
  public var names: [String] { words.filter { !$0.contains("=") } }

  /// The words with `=`, as parameters.
  public var parameters: Parameters {
    let pairs = words.compactMap { word -> (String, any Sendable)? in
      guard let mark = word.firstIndex(of: "="), mark != word.startIndex else { return nil }
      return (String(word[..<mark]), String(word[word.index(after: mark)...]))
    }
    return Parameters(Dictionary(pairs, uniquingKeysWith: { $1 }))
  }
}

/// One thing that the console can do; apps may add their own.
public struct ConsoleCommand: Sendable {
  /// The word that calls the command: `start`.
  public let name: String
  /// Other words that call the command as well.
  public let otherNames: [String]
  /// The words after the name: `APP [KEY=VALUE…]`.
  public let usage: String
  /// A short description of the command, which `help` shows.
  public let summary: ConsoleText
  /// The number of names that must be given.
  let least: Int
  let body: @MainActor @Sendable (ConsoleInput, MobileContext) async throws -> String

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - name: The word that calls the command.
  ///   - otherNames: Other words that call it as well.
  ///   - usage: The words after the name: `APP [KEY=VALUE…]`.
  ///   - least: With fewer words that are no `KEY=VALUE` the console answers with the usage.
  ///   - summary: A short description, which `help` shows.
  ///   - body: Gives the answer; what it throws is told, and the console goes on.
  public init(
    _ name: String, otherNames: [String] = [], usage: String = "", least: Int = 0, summary: ConsoleText,
    _ body: @escaping @MainActor @Sendable (ConsoleInput, MobileContext) async throws -> String
  ) {
    self.name = name
    self.otherNames = otherNames
    self.usage = usage
    self.least = least
    self.summary = summary
    self.body = body
  }

  /// `start APP [KEY=VALUE…]`.
  var line: String { usage.isEmpty ? name : "\(name) \(usage)" }
}
