import MPaaSTerminal

/// The examples of a command, as they stand at the end of its help.
///
/// They are read from the catalogue when a help page is shown, not when a command is set up.
struct HelpExamples {
  /// The lines that are typed, and a sentence of what they do.
  private let examples: [(line: String, sentence: String)]
  private let heading: String

  /// - Parameter command: The command with the program's name: `mpaas crash show`.
  init?(of command: String, _ catalogue: Catalogue) {
    let words = command.split(separator: " ")
    let key = "command." + (words.count > 1 ? words.dropFirst() : words[...]).joined(separator: ".")
    guard let lines = catalogue.optionalText(key + ".example-lines"),
      let sentences = catalogue.optionalText(key + ".examples")
    else { return nil }
    let texts = sentences.split(separator: "\n").map(String.init)
    examples = zip(Self.split(lines), texts).map { (line: $0, sentence: $1) }
    heading = catalogue.text("text.help-examples")
  }

  /// The parts of a text between empty lines.
  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).split { $0.isEmpty }
      .map { $0.joined(separator: "\n") }
  }

  /// The lines under their heading; no line is wider than `columns` where words allow it.
  func lines(_ columns: Int) -> [String] {
    var lines = [heading]
    for example in examples {
      lines += Self.sentence(example.sentence, columns)
      for line in example.line.split(separator: "\n") { lines += Self.typed(line, columns) }
    }
    return lines + [""]
  }

  private static func sentence(_ text: String, _ columns: Int) -> [String] {
    // No character takes more columns than bytes.
    if text.utf8.count + 2 <= columns { return ["  " + text] }
    let lines = text.wrapped(to: columns, indent: 2, hanging: 2)
    return ["  " + lines[0]] + lines.dropFirst()
  }

  /// A line of a shell; where it is wider than the terminal it goes on behind a backslash.
  private static func typed(_ line: Substring, _ columns: Int) -> [String] {
    let indent = 4
    guard indent + line.utf8.count > columns, indent + line.displayWidth > columns else {
      return [String(repeating: " ", count: indent) + line]
    }
    var lines: [String] = []
    var current = ""
    for part in ShellWords.parts(of: line, columns - indent - 4) {
      if current.isEmpty {
        current = String(repeating: " ", count: indent) + part
      } else if current.displayWidth + 1 + part.displayWidth + 2 > columns {
        lines.append(current + " \\")
        current = String(repeating: " ", count: indent + 2) + part
      } else {
        current += " " + part
      }
    }
    return lines + [current]
  }
}

/// The words of a line of a shell.
enum ShellWords {
  /// The parts between blanks that stand outside of quotes, as they are written.
  static func split(_ line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      if quote == nil, character == " " {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The words, an option and its value together where they are not wider than `columns`.
  static func parts(of line: some StringProtocol, _ columns: Int) -> [String] {
    var parts: [String] = []
    for word in split(line) {
      if let option = parts.last, option.hasPrefix("-"), option != "--", !option.contains(" "), !word.hasPrefix("-"),
        option.displayWidth + 1 + word.displayWidth <= columns
      {
        parts[parts.count - 1] = option + " " + word
      } else {
        parts.append(word)
      }
    }
    return parts
  }
}
