import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

/// The kinds of flags that Unleash knows.
///
/// A misspelled kill-switch would wait for approvals.
enum FlagKind: String, ExpressibleByArgument, CaseIterable {
  case release, experiment, operational, permission
  case killSwitch = "kill-switch"
}

/// The members of a flag that a command sets.
struct FlagEditOptions: ParsableArguments {
  @Flag(help: .text("command.flags.set.on"))
  var on = false

  @Flag(help: .text("command.flags.set.off"))
  var off = false

  @Option(help: .text("command.flags.set.rollout", valueName: "percent"))
  var rollout: Int?

  @Option(
    help: .text("command.flags.set.stickiness", valueName: "field"),
    completion: .list(["default", "userId", "sessionId", "random"]))
  var stickiness: String?

  @Option(help: .text("command.flags.set.variant", valueName: "name=weight"))
  var variant: [String] = []

  @Option(help: .text("command.flags.set.value", valueName: "text"))
  var value: String?

  @Option(help: .text("command.flags.set.type", valueName: "kind"))
  var type: FlagKind?

  @Option(help: .text("command.flags.set.description", valueName: "text"))
  var description: String?

  @Flag(help: .text("command.flags.set.stale"))
  var stale = false

  @Flag(help: .text("command.flags.set.active"))
  var active = false

  @Option(
    help: .text("command.flags.set.definition", valueName: "file"), completion: .file(extensions: ["json"]))
  var definition: String?

  func validate() throws {
    func problem(_ key: String, _ values: [String: String] = [:]) -> ValidationError {
      ValidationError(Catalogue.current.text(key, values))
    }
    if on && off { throw problem("text.flags-exclusive", ["one": "--on", "other": "--off"]) }
    if stale && active { throw problem("text.flags-exclusive", ["one": "--stale", "other": "--active"]) }
    if let rollout, !(0...100).contains(rollout) { throw problem("text.flags-rollout-range") }
    for word in variant where Self.weight(word) == nil { throw problem("text.flags-variant-form", ["value": word]) }
  }

  /// Tells whether no member is set.
  var isEmpty: Bool { definition == nil && amendment.isEmpty }

  func edit(in context: Context) throws -> FlagAmendment {
    var edit = amendment
    edit.definition = try definition.map { try Self.definition($0, in: context) }
    return edit
  }

  private var amendment: FlagAmendment {
    var edit = FlagAmendment()
    edit.isEnabled = on ? true : off ? false : nil
    edit.isStale = stale ? true : active ? false : nil
    (edit.type, edit.summary, edit.rollout, edit.stickiness) = (type?.rawValue, description, rollout, stickiness)
    edit.value = value
    edit.weights = variant.compactMap { Self.weight($0) }
    return edit
  }

  private static func weight(_ word: String) -> FlagAmendment.Weight? {
    guard let equals = word.lastIndex(of: "="), equals != word.startIndex,
      let weight = Int(word[word.index(after: equals)...]), (0...1_000_000).contains(weight)
    else { return nil }
    return FlagAmendment.Weight(variant: String(word[..<equals]), weight: weight)
  }

  private static func definition(_ path: String, in context: Context) throws -> JSONValue {
    let data = try context.data(at: path)
    do throws(JSONError) {
      return try JSONValue(reading: data.buffer)
    } catch {
      let values = ["line": "\(error.line)", "column": "\(error.column)", "reason": error.code.rawValue]
      throw FlagError(.malformed, values).inFile(context.name(ofData: path))
    }
  }
}
