import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags diff FILE OTHER`: what two states say differently; with one file, what publishing it would change.
  struct Diff: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "flags.diff") }

    @Argument(help: .text("command.flags.diff.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Argument(help: .text("command.flags.diff.other"), completion: .file(extensions: ["json"]))
    var other: String?

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ComparedFlags {
      let state = try context.flagState(at: file)
      guard let other else {
        return ComparedFlags(FlagComparison(from: try await context.flagServer(server).state().state, to: state))
      }
      return ComparedFlags(FlagComparison(from: state, to: try context.flagState(at: other)))
    }
  }
}

/// The differences between two states.
struct ComparedFlags: Presentable {
  let same: Bool
  let changes: [FlagDifference]

  init(_ comparison: FlagComparison) {
    changes = comparison.changes.map { change in
      FlagDifference(
        kind: FlagDifference.Kind(change.kind), subject: change.subject, name: change.name,
        members: change.members.map { .init(member: $0.member, before: $0.before, after: $0.after) })
    }
    same = changes.isEmpty
  }

  var exit: ExitStatus { same ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for change in changes { document.append(change, catalogue) }
    return document
  }
}

extension FlagDifference.Kind {
  init(_ kind: FlagComparison.Change.Kind) {
    self =
      switch kind {
      case .added: .added
      case .removed: .removed
      case .changed: .changed
      }
  }
}
