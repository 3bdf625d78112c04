import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net unshape`: takes back what was done to this machine.
  struct Unshape: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("unshape", key: "net.unshape") }

    @Option(name: [.short, .long], help: .text("command.net.unshape.interface", valueName: "name"))
    var interface: String?

    @Flag(name: .customLong("dry-run"), help: .text("command.net.unshape.dry-run"))
    var isDryRun = false

    @Flag(help: .text("command.net.unshape.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> UndoneShaping {
      let ledger = ShapingLedger(data: context.directories.data)
      for problem in ledger.all().problems { context.terminal.warning(problem.diagnostic) }
      let removals = ledger.takeBack(interface: interface, isTrial: isDryRun, force: force)
      return UndoneShaping(entries: removals.map { UndoneShaping.Entry($0) })
    }
  }
}

/// The changes that were undone.
struct UndoneShaping: Presentable {
  struct Entry: Encodable {
    let kind: String
    let interface: String
    let conditions: String
    let standing: String
    let state: String
    /// The commands that undo.
    let commands: [String]
    /// Those of them that failed.
    let failed: [String]

    init(_ removal: ShapingRemoval) {
      let record = removal.record
      kind = record.kind.rawValue
      interface = record.interface
      conditions = record.label
      standing = removal.standing.rawValue
      state = removal.fate.rawValue
      commands = record.undo.map(\.text)
      failed = removal.failed.map(\.text)
    }
  }

  let entries: [Entry]

  func document(_ catalogue: Catalogue) -> Document {
    guard !entries.isEmpty else { return [.line(StyledText(catalogue.text("text.net-unshape-nothing")))] }
    var document = Document()
    for entry in entries {
      let isKept = entry.state == ShapingRemoval.Fate.kept.rawValue
      let key = "text.net-unshape-" + (isKept ? "kept-\(entry.standing)" : entry.state)
      document.line(
        StyledText(catalogue.text(key, ["interface": entry.interface, "conditions": entry.conditions])))
      if entry.state == ShapingRemoval.Fate.planned.rawValue {
        for command in entry.commands { document.line(StyledText("  " + command)) }
      }
      for command in entry.failed {
        document.line(StyledText("  " + catalogue.text("text.net-unshape-failed", ["command": command]), .warning))
      }
    }
    return document
  }
}
