package import ArgumentParser

/// The part of the commands' tree that a call needs: for the whole of it the parser takes milliseconds.
package enum CommandExtent: Sendable {
  /// All commands, for completion, manuals, and calls without a known noun.
  case whole
  /// The nouns alone, for the overview.
  case nouns
  /// The commands that the call names, from the noun on, and those below the last of them.
  case path([any ParsableCommand.Type])

  /// The extent of a call.
  init(_ arguments: [String], root: any ProgramRoot.Type) {
    let others = CommonOptions.parted(arguments).others
    if others.count == 1, ["help", "--help", "-h"].contains(others[0]) {
      self = .nouns
      return
    }
    var path: [any ParsableCommand.Type] = []
    for word in arguments {
      let named = path.last.map { $0.subcommand(word) } ?? root.nouns.first { $0._commandName == word }
      guard let named else { break }
      path.append(named)
    }
    self = path.isEmpty ? .whole : .path(path)
  }

  /// Those of a command's subcommands that the call needs.
  func needed(_ subcommands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
    switch self {
    case .whole: return subcommands
    case .nouns: return []
    case .path(let path):
      let named = subcommands.filter { command in path.contains { $0 == command } }
      return named.isEmpty ? subcommands : named
    }
  }
}
