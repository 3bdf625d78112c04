import ArgumentParser
import MPaaSSupport

/// A word where a subcommand should stand that is none, and what was probably meant.
struct UnknownSubcommand: Equatable {
  let word: String
  /// The command so far: `mpaas crash`.
  let parent: String
  let suggestion: String?

  /// Finds the first such word; nil where the words lead to a command.
  ///
  /// - Parameter arguments: Without the common options, which may stand between them.
  init?(_ arguments: [String], root: any ParsableCommand.Type) {
    var command = root
    var path = root.configuration.commandName ?? ""
    for word in arguments {
      let children = command.configuration.subcommands
      guard !children.isEmpty, !word.hasPrefix("-") else { return nil }
      let names = children.flatMap { [$0._commandName] + $0.configuration.aliases }
      if let next = command.subcommand(word) {
        command = next
        path += " " + word
      } else if command.configuration.defaultSubcommand != nil || (word == "help" && command == root) {
        // It is an argument of the subcommand that needs no name.
        return nil
      } else {
        self.word = word
        parent = path
        suggestion = closestMatch(to: word, among: names)
        return
      }
    }
    return nil
  }

  var diagnostic: Diagnostic {
    let values = ["word": word, "parent": parent, "suggestion": suggestion ?? ""]
    return Diagnostic(suggestion == nil ? "unknown-command" : "unknown-command-near", values, exit: .usage)
  }
}
