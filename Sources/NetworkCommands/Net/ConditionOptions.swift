import ArgumentParser
import CommandKit
import NetworkServingKit

/// The conditions that a command is to make, beside its profile.
struct ConditionOptions: ParsableArguments {
  @Option(name: [.short, .long], help: .text("command.net.conditions.toxic", valueName: "condition"))
  var toxic: [String] = []

  /// - Parameter profile: The name of a built-in profile, or of one of the user's.
  func words(profile: String?) -> ConditionWords { ConditionWords(profile: profile, toxics: toxic) }
}
