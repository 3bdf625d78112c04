import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import NetworkServingKit

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

    @Argument(help: .text("command.net.shape.profile", valueName: "profile"), completion: .networkProfiles)
    var profile: String?

    func run(in context: Context) async throws -> ShapedInterface {
      let limit = try time.map(Self.duration)
      let wanted = try conditions.words(profile: profile).wanted(in: context)
      guard !wanted.toxics.isEmpty else { throw Diagnostic("net-no-conditions", exit: .usage) }
      guard let interface = interface ?? KernelShaper.defaultInterface else {
        throw NetworkError(.interfaceUnknown, ["interface": "default"])
      }
      let shaper = KernelShaper(ledger: ShapingLedger(data: context.directories.data))
      // A name that is none is refused before the kernel is asked.
      _ = try KernelShaper.device(of: interface)
      let features = await shaper.features()
      let wish = ShapingWish(
        interface: interface, upstream: wanted.conditions(.upstream), downstream: wanted.conditions(.downstream),
        label: wanted.label, isTrial: isDryRun, overridesOthers: force)
      let holds = hold || limit != nil
      return ShapedInterface(
        try shaper.shape(
          wish, with: features, hold: holds ? { Self.hold(interface, for: limit, in: context) } : nil))
    }

    /// Takes signals from now on, so that none can come between the first change and what undoes it.
    private static func hold(_ interface: String, for limit: Duration?, in context: Context) -> () -> Void {
      let end = EndRequest()
      return {
        context.terminal.note(
          StyledText(context.catalogue.text("text.net-shape-holds", ["interface": interface])))
        if let limit { _ = end.next(within: limit) } else { end.wait() }
      }
    }

    private static func duration(_ text: String) throws -> Duration {
      guard let value = Quantity.duration(text), value > .zero else {
        throw Diagnostic("net-time-malformed", ["text": text], exit: .usage)
      }
      return value
    }
  }
}

/// The changes of an interface, done or planned.
struct ShapedInterface: Presentable {
  struct Gap: Encodable {
    let direction: String
    let condition: String
    let reason: String
  }

  let interface: String
  let conditions: String
  let state: String
  /// Tells whether the kernel was asked what it has; else everything was taken for granted.
  let isProbed: Bool
  let commands: [String]
  let undo: [String]
  let missing: [Gap]

  enum CodingKeys: String, CodingKey {
    case interface, conditions, state, commands, undo, missing
    case isProbed = "probed"
  }

  private let outcome: ShapingOutcome

  init(_ outcome: ShapingOutcome) {
    self.outcome = outcome
    let plan = outcome.plan
    interface = plan.interface
    conditions = outcome.label
    state = outcome.state.rawValue
    isProbed = outcome.isProbed
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
    switch outcome.state {
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
      let start = outcome.state == .planned ? "# " : ""
      document.line(StyledText(start + catalogue.text("text.net-shape-gap", values), .warning))
    }
    return document
  }
}
