import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension CompletionKind {
  /// The names of templates of projects.
  static var templateNames: CompletionKind { names(of: .project) }
  /// The kinds of parts that `mpaas new` makes.
  static var pieceNames: CompletionKind { names(of: .piece) }

  static var allTemplateNames: CompletionKind { names(of: nil) }

  private static func names(of kind: TemplateManifest.Kind?) -> CompletionKind {
    candidates { input in
      let kit = try? Kit.locate(nil, environment: input.environment, executable: Executable.current())
      let folders = [input.directories.configuration + "/templates"] + (kit?.templates.map { [$0] } ?? [])
      let entries = TemplateShelf(folders.map { .init(folder: $0, origin: "") }).entries(of: kind)
      return Candidates(entries.map { Candidate($0.manifest.name) })
    }
  }
}
