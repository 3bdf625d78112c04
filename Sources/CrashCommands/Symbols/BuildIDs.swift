import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols

extension CompletionKind {
  /// The build IDs of the user's store, with the names of their files.
  static var buildIDs: CompletionKind {
    candidates { input in
      let store = SymbolStore(input.directories.symbols)
      let builds = try store.builds(beginningWith: input.current.lowercased(), limit: 300)
      return Candidates(
        builds.map { id, files in Candidate(id.hex, Set(files.map(\.name)).sorted().joined(separator: ", ")) })
    }
  }
}
