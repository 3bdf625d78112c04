import ArgumentParser
import MPaaSCommands
import MPaaSTerminal
import Testing

@testable import CommandKit

@Suite("The help of every command") struct HelpWidthTests {
  @Test("has no line that is wider than the terminal, in both languages", arguments: [40, 80, 100])
  func width(columns: Int) {
    for language in [Language.english, .simplifiedChinese] {
      Language.$current.withValue(language) {
        let catalogue = Catalogue(language: language)
        let page = HelpPage(columns: columns, catalogue)
        for command in ListedCommand.all {
          do {
            // The parser answers with a command of its own, which shows the help by what it throws.
            var help = try RootCommand.parseAsRoot(command.path.split(separator: " ").map(String.init) + ["--help"])
            try help.run()
            Issue.record("mpaas \(command.path) has no help")
          } catch {
            let text = RootCommand.fullMessage(for: error, columns: HelpPage.unlimited)
            let lines = page.wrapped(text, ParserWords(catalogue)).split(separator: "\n")
            // A word that is wider than the line stays whole, and so does a word of the shell in quotes.
            let wide = lines.filter { line in
              let words = line.split(separator: " ").filter { $0 != "\\" }
              return String(line).displayWidth > columns && words.count > 1 && words[0].first != "'"
            }
            #expect(wide == [], "mpaas \(command.path) in \(language)")
          }
        }
      }
    }
  }
}
