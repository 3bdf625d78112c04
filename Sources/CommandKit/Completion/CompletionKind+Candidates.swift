package import ArgumentParser
package import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The words that were typed before the one that a completion is for.
package struct CompletionInput: Sendable {
  /// The options before it: long names with their values, empty ones for flags.
  package let options: [(name: String, value: String)]
  /// The arguments of the command before it that are no options.
  package let arguments: [String]
  /// The beginning of the word itself.
  package let current: String
  package let environment: [String: String]

  /// Reads the words as `TypedWords.canonical` writes them.
  init(canonical words: [String], environment: [String: String]) {
    let named = words.prefix { $0 != "--" }
    options = named.map { word in
      let name = word.prefix { $0 != "=" }
      return (String(name), String(word.dropFirst(name.count + 1)))
    }
    let rest = words.dropFirst(named.count + 1)
    arguments = Array(rest.dropLast())
    current = rest.last ?? ""
    self.environment = environment
  }

  /// The last value of an option such as `--file`; nil where it was not given.
  package func option(_ name: String) -> String? {
    options.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The folders of the kit for this user.
  package var directories: Directories { Directories(environment: environment) }
}

extension CompletionKind {
  /// Values that are found when they are asked for; what cannot be read has none.
  package static func candidates(
    _ find: @escaping @Sendable (CompletionInput) throws -> Candidates
  ) -> CompletionKind {
    .custom { words, _, _ in
      let input = CompletionInput(canonical: words, environment: ProcessInfo.processInfo.environment)
      return (try? find(input))?.lines ?? []
    }
  }

  /// The same for values without a meaning to be told.
  package static func values(_ find: @escaping @Sendable (CompletionInput) throws -> [String]) -> CompletionKind {
    candidates { Candidates(try find($0).map { Candidate($0) }) }
  }

  /// A command of the machine and its arguments, as the shell completes them.
  package static var machineCommand: CompletionKind { candidates { _ in Candidates(shell: .command) } }
}
