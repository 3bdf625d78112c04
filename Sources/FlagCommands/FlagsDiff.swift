import ArgumentParser
import CommandKit
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags diff FILE OTHER`: what two states say differently.
  struct Diff: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "flags.diff") }

    @Argument(help: .text("command.flags.diff.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Argument(help: .text("command.flags.diff.other"), completion: .file(extensions: ["json"]))
    var other: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ComparedFlags {
      let comparison = FlagComparison(
        from: try context.flagState(at: file), to: try context.flagState(at: other))
      return ComparedFlags(comparison)
    }
  }
}

/// The differences between two states.
struct ComparedFlags: Presentable {
  struct Change: Encodable {
    let change: FlagComparison.Change.Kind
    let subject: String
    let name: String
    let members: [FlagComparison.Member]
  }

  let same: Bool
  let changes: [Change]

  init(_ comparison: FlagComparison) {
    changes = comparison.changes.map {
      Change(change: $0.kind, subject: $0.subject, name: $0.name, members: $0.members)
    }
    same = changes.isEmpty
  }

  var exit: ExitStatus { same ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for change in changes {
      let sign = change.change == .added ? "+ " : change.change == .removed ? "- " : "~ "
      let subject = catalogue.text("text.flags-subject-\(change.subject)")
      document.line(StyledText(sign + subject + " ", .faint) + StyledText(change.name, .function))
      for member in change.members {
        document.line("  " + StyledText("- \(member.member): \(member.before)", .bad))
        document.line("  " + StyledText("+ \(member.member): \(member.after)", .good))
      }
    }
    return document
  }
}
