import ArgumentParser
import CommandKit
import Foundation
import MPaaSCommands
import MPaaSTerminal
import Testing

/// Looks at the examples that the catalogue has; `scripts/help-examples` runs them.
@Suite("The examples in the help") struct ExampleTests {
  @Test("two at least for every command, one at least for every noun, with a sentence each in both languages")
  func number() {
    for command in ListedCommand.all {
      let examples = command.examples
      #expect(examples.count >= (command.isNoun ? 1 : 2), "mpaas \(command.path)")
      for catalogue in [Language.english, .simplifiedChinese].map(Catalogue.init(language:)) {
        let sentences = command.sentences(catalogue)
        #expect(sentences.count == examples.count, "mpaas \(command.path) in \(catalogue.language)")
        for sentence in sentences {
          #expect(".。".contains(sentence.last ?? " "), "mpaas \(command.path): \(sentence)")
        }
      }
    }
  }

  @Test("stand with commands that exist")
  func commands() {
    let known = Set(ListedCommand.all.map(\.key))
    let keys = Catalogue(language: .english).keys(startingWith: "command.").filter { $0.hasSuffix(".example-lines") }
    #expect(keys.filter { !known.contains(String($0.dropLast(".example-lines".count))) } == [])
  }

  @Test("are parsed as calls of the command that they stand with")
  func parsing() {
    for command in ListedCommand.all where !command.isNoun {
      for example in command.examples {
        let calls = ShellCall.calls(in: example).filter { $0.first == "mpaas" }.map { Array($0.dropFirst()) }
        #expect(calls.contains { $0.starts(with: command.path.split(separator: " ").map(String.init)) }, "\(example)")
        for call in calls {
          do {
            _ = try RootCommand.parseAsRoot(call)
          } catch {
            Issue.record("\(example): \(RootCommand.message(for: error))")
          }
        }
      }
    }
  }
}
