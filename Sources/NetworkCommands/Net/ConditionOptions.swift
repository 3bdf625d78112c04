import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

/// The conditions that a command is to make, beside its profile.
struct ConditionOptions: ParsableArguments {
  @Option(name: [.short, .long], help: .text("command.net.conditions.toxic", valueName: "condition"))
  var toxic: [String] = []

  /// The conditions that are to hold, and their name.
  struct Wanted: Sendable {
    var profile: NetworkProfile?
    var toxics: [Toxic]
    var label: String

    func conditions(_ direction: Direction) -> [Condition] {
      toxics.filter { $0.direction == direction }.map(\.condition)
    }
  }

  /// - Parameter profile: The name of a built-in profile, or of one of the user's.
  func wanted(profile name: String?, in context: Context) throws -> Wanted {
    let profile = try name.map { try profiles(in: context).named($0) }
    let own = try toxic.flatMap { try ConditionPhrase.toxics($0, file: "--toxic", hasColumns: false) }
    let words = [profile?.name].compactMap { $0 } + toxic
    return Wanted(
      profile: profile, toxics: (profile?.toxics ?? []) + Toxic.distinct(own), label: words.joined(separator: ", "))
  }

  func profiles(in context: Context) throws -> ProfileCatalogue {
    try ProfileCatalogue.loading(configuration: context.directories.configuration)
  }
}

extension Toxic {
  /// The same with names that differ, as several conditions of a kind may be given.
  static func distinct(_ toxics: [Toxic]) -> [Toxic] {
    var seen: [String: Int] = [:]
    return toxics.map { toxic in
      var toxic = toxic
      let count = seen[toxic.name, default: 0] + 1
      seen[toxic.name] = count
      if count > 1 { toxic.name += "_\(count)" }
      return toxic
    }
  }
}
