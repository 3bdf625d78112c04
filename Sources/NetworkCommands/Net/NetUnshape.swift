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
      let (records, problems) = ledger.all()
      for problem in problems { context.terminal.warning(problem.diagnostic) }
      var result = UndoneShaping()
      for record in records where interface == nil || record.interface == interface {
        let standing = ledger.standing(of: record)
        var entry = UndoneShaping.Entry(record, standing)
        switch standing {
        case .live: entry.state = .kept
        case .elsewhere where !force: entry.state = .kept
        case .elsewhere:
          // The rules went with their namespace, or only who is in it can undo them.
          if !isDryRun { ledger.remove(record) }
          entry.state = .forgotten
        case .applied, .stale, .gone:
          entry.state = isDryRun ? .planned : .undone
          if !isDryRun { entry.failed = ledger.undo(record).map(\.text) }
        }
        result.entries.append(entry)
      }
      return result
    }
  }
}

/// What was undone.
struct UndoneShaping: Presentable {
  struct Entry: Encodable {
    enum State: String, Encodable {
      case undone, planned, kept, forgotten
    }

    let kind: String
    let interface: String
    let conditions: String
    let standing: String
    var state = State.kept
    /// The commands that undo.
    let commands: [String]
    /// Those of them that failed.
    var failed: [String] = []

    init(_ record: ShapingRecord, _ standing: ShapingLedger.Standing) {
      kind = record.kind.rawValue
      interface = record.interface
      conditions = record.label
      self.standing = standing.rawValue
      commands = record.undo.map(\.text)
    }
  }

  var entries: [Entry] = []

  func document(_ catalogue: Catalogue) -> Document {
    guard !entries.isEmpty else { return [.line(StyledText(catalogue.text("text.net-unshape-nothing")))] }
    var document = Document()
    for entry in entries {
      let key =
        switch entry.state {
        case .kept: "text.net-unshape-kept-\(entry.standing)"
        case .undone, .planned, .forgotten: "text.net-unshape-\(entry.state.rawValue)"
        }
      document.line(
        StyledText(catalogue.text(key, ["interface": entry.interface, "conditions": entry.conditions])))
      if entry.state == .planned { for command in entry.commands { document.line(StyledText("  " + command)) } }
      for command in entry.failed {
        document.line(StyledText("  " + catalogue.text("text.net-unshape-failed", ["command": command]), .warning))
      }
    }
    return document
  }
}
