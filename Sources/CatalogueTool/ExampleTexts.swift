/// The examples of commands that a file of `Catalogue/Texts/Examples` has, as entries of the catalogue.
///
/// For each command `examples` has the sentences in each language, one a line, and `example-lines` what is typed, in
/// English alone, with an empty line between two examples. `scripts/examples.py` describes the form of a file; its
/// notes on running the examples are left out.
struct ExampleTexts {
  /// By language and key.
  private(set) var texts: [String: [String: String]] = [:]
  private var command = ""

  init(in source: String) {
    for line in source.split(separator: "\n") { read(line) }
  }

  private mutating func read(_ line: Substring) {
    if line.hasPrefix("== ") {
      command = "command." + line.dropFirst(3).split(separator: " ").joined(separator: ".")
    } else if line.hasPrefix("$ ") {
      add(line.dropFirst(2), to: "example-lines", "en", behind: "\n\n")
    } else if line.hasPrefix("> ") {
      add(line.dropFirst(2), to: "example-lines", "en", behind: "\n")
    } else if line.hasPrefix("en: ") {
      add(line.dropFirst(4), to: "examples", "en", behind: "\n")
    } else if line.hasPrefix("zh: ") {
      add(line.dropFirst(4), to: "examples", "zh-Hans", behind: "\n")
    }
  }

  private mutating func add(_ text: Substring, to part: String, _ language: String, behind separator: String) {
    let key = "\(command).\(part)"
    let before = texts[language]?[key].map { $0 + separator } ?? ""
    texts[language, default: [:]][key] = before + text
  }
}
