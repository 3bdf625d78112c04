import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension NetCommand {
  /// `mpaas net shape PROFILE`: an interface of this machine under conditions, by the kernel.
  struct Shape: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("shape", key: "net.shape") }

    @OptionGroup var conditions: ConditionOptions

    @Option(name: [.short, .long], help: .text("command.net.shape.interface", valueName: "name"))
    var interface: String?

    @Option(name: .customLong("for"), help: .text("command.net.shape.for", valueName: "time"))
    var time: String?

    @Flag(help: .text("command.net.shape.hold"))
    var hold = false

    @Flag(name: .customLong("dry-run"), help: .text("command.net.shape.dry-run"))
    var isDryRun = false

    @Flag(help: .text("command.net.shape.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    @Argument(help: .text("command.net.shape.profile", valueName: "profile"))
    var profile: String?

    func run(in context: Context) async throws -> ShapedInterface {
      let limit = try time.map(Self.duration)
      let wanted = try conditions.wanted(profile: profile, in: context)
      guard !wanted.toxics.isEmpty else { throw Diagnostic("net-no-conditions", exit: .usage) }
      guard let interface = interface ?? KernelShaper.defaultInterface else {
        throw NetworkError(.interfaceUnknown, ["interface": "default"])
      }
      let ledger = ShapingLedger(data: context.directories.data)
      let shaper = KernelShaper(ledger: ledger)
      let device = try KernelShaper.device(of: interface)
      let found = await shaper.features()
      let plan = ShapePlan(
        interface: interface, upstream: wanted.conditions(.upstream), downstream: wanted.conditions(.downstream),
        features: found ?? .all, device: device)
      var result = ShapedInterface(
        plan: plan, label: wanted.label, isProbed: found != nil, state: isDryRun ? .planned : .shaped)
      if isDryRun { return result }
      guard found != nil else { throw NetworkError(.shapingRefused, ["interface": interface]) }
      let holds = hold || limit != nil
      // Before the first change, so that no signal can come between it and what undoes it.
      let end = holds ? EndRequest() : nil
      let record = try shaper.apply(plan, label: wanted.label, holding: holds, overridesOthers: force)
      guard let end else { return result }
      context.terminal.note(StyledText(context.catalogue.text("text.net-shape-holds", ["interface": interface])))
      if let limit { _ = end.next(within: limit) } else { end.wait() }
      ledger.undo(record)
      result.state = .undone
      return result
    }

    private static func duration(_ text: String) throws -> Duration {
      guard let value = Quantity.duration(text), value > .zero else {
        throw Diagnostic("net-time-malformed", ["text": text], exit: .usage)
      }
      return value
    }
  }
}

/// What was done to an interface, or would be.
struct ShapedInterface: Presentable {
  enum State: String, Encodable {
    case planned, shaped, undone
  }

  struct Gap: Encodable {
    let direction: String
    let condition: String
    let reason: String
  }

  let interface: String
  let conditions: String
  var state: State
  /// Whether the kernel was asked what it has; else everything was taken for granted.
  let isProbed: Bool
  let commands: [String]
  let undo: [String]
  let missing: [Gap]

  enum CodingKeys: String, CodingKey {
    case interface, conditions, state, commands, undo, missing
    case isProbed = "probed"
  }

  init(plan: ShapePlan, label: String, isProbed: Bool, state: State) {
    interface = plan.interface
    conditions = label
    self.state = state
    self.isProbed = isProbed
    commands = plan.commands.map(\.text)
    undo = plan.undo.map(\.text)
    missing = plan.gaps.map {
      Gap(direction: $0.direction.rawValue, condition: $0.condition.rawValue, reason: $0.reason.rawValue)
    }
  }

  /// A plan of nothing, asked for as a plan, is a negative answer.
  var exit: ExitStatus { commands.isEmpty ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["interface": interface, "conditions": conditions]
    switch state {
    case .planned:
      if !isProbed { document.line(StyledText("# " + catalogue.text("text.net-shape-not-probed"), .faint)) }
      for command in commands { document.line(StyledText(command)) }
      document.line(StyledText("# " + catalogue.text("text.net-shape-undo"), .faint))
      for command in undo { document.line(StyledText(command)) }
    case .shaped: document.line(StyledText(catalogue.text("text.net-shape-done", values), .good))
    case .undone: document.line(StyledText(catalogue.text("text.net-shape-undone", values)))
    }
    for gap in missing {
      let values = [
        "direction": catalogue.text("text.net-direction-\(gap.direction)"), "condition": gap.condition,
        "reason": catalogue.text("text.net-shape-gap-\(gap.reason)"),
      ]
      let start = state == .planned ? "# " : ""
      document.line(StyledText(start + catalogue.text("text.net-shape-gap", values), .warning))
    }
    return document
  }
}
