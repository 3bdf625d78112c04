package import MPaaSNetworkConditions
import MPaaSSupport
package import ServingKit

/// A program that is run on a network with conditions.
package struct NetworkRun: ServedWork {
  package static let name = "run"

  /// The kind of network.
  package enum Network: String, Codable, Sendable {
    case any, namespace, proxy
  }

  package let command: [String]
  /// The user that the command runs as; nil for the one that calls.
  package let user: String?
  package let conditions: ConditionWords
  /// A timeline's file, or its text.
  package let timeline: String?
  /// The destination of the report: a journal where its name ends in `.jsonl`.
  package let report: String?
  package let network: Network
  package let hostPorts: [UInt16]
  package let bypass: [String]
  package let seed: UInt64

  package init(
    command: [String], user: String?, conditions: ConditionWords, timeline: String?, report: String?, network: Network,
    hostPorts: [UInt16], bypass: [String], seed: UInt64
  ) {
    self.command = command
    self.user = user
    self.conditions = conditions
    self.timeline = timeline
    self.report = report
    self.network = network
    self.hostPorts = hostPorts
    self.bypass = bypass
    self.seed = seed
  }

  /// The timelines that hold beside the conditions: the profile's own first.
  package func timelines(of profile: NetworkProfile?, in context: Context) throws -> [Timeline] {
    let own = [profile?.timeline].compactMap { $0 }
    guard let timeline else { return own }
    let profiles = try ProfileCatalogue.loading(in: context)
    // A text has a colon behind its time; a file of such a name can be given as ./NAME.
    if FileStatus(timeline) == nil, timeline.contains(":") {
      return own + [try Timeline(text: timeline.replacing(";", with: "\n"), file: "--timeline", profiles: profiles)]
    }
    return own + [try Timeline.reading(timeline, profiles: profiles)]
  }
}
