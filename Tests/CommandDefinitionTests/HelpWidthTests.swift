import ArgumentParser
import MPaaSCommands
import MPaaSTerminal
import Testing

@testable import CommandKit

@Suite("The help of every command") struct HelpWidthTests {
  @Test(
    "has no line that is wider than the terminal, in both languages",
    arguments: [Language.english, .simplifiedChinese])
  func width(language: Language) {
    Language.$current.withValue(language) {
      let catalogue = Catalogue(language: language)
      for command in ListedCommand.all {
        do {
          // The parser answers with a command of its own, which shows the help by what it throws.
          var help = try RootCommand.parseAsRoot(command.path.split(separator: " ").map(String.init) + ["--help"])
          try help.run()
          Issue.record("mpaas \(command.path) has no help")
        } catch {
          let text = RootCommand.fullMessage(for: error, columns: HelpPage.unlimited)
          for columns in [40, 80, 100] {
            let wide = Self.wide(HelpPage(columns: columns, catalogue).wrapped(text, ParserWords(catalogue)), columns)
            #expect(wide == [], "mpaas \(command.path) in \(language), \(columns) columns")
          }
        }
      }
    }
  }

  /// The lines that are wider than the terminal: a word that is wider than the line stays whole, and so does a word of
  /// the shell in quotes.
  private static func wide(_ text: String, _ columns: Int) -> [Substring] {
    text.split(separator: "\n").filter { line in
      // No text is wider than its bytes of UTF-8 are many.
      guard line.utf8.count > columns, String(line).displayWidth > columns else { return false }
      let words = line.split(separator: " ").filter { $0 != "\\" }
      return words.count > 1 && words[0].first != "'"
    }
  }
}
