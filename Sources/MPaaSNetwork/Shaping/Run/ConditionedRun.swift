/// A network whose conditions can be changed while a program uses it.
package protocol ConditionedNetwork: Sendable {
  /// Puts `toxics` in the place of those that this layer had before.
  func setLayer(_ layer: String, _ toxics: [Toxic]) async throws(NetworkError)
  func statistics() async -> [ProxyStatistics]
}

/// The run of a program, and what went over its network.
package struct ConditionedRun: Sendable {
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// A network namespace of its own: everything is covered.
    case namespace
    /// A proxy that the environment names: what obeys that is covered.
    case proxy
  }

  package let mode: Mode
  package let end: ChildProgram.End
  package let statistics: [ProxyStatistics]

  package init(mode: Mode, end: ChildProgram.End, statistics: [ProxyStatistics]) {
    self.mode = mode
    self.end = end
    self.statistics = statistics
  }
}

/// A network that a program is run on, until it is ended.
package protocol RunNetwork: ConditionedNetwork {
  var mode: ConditionedRun.Mode { get }
  func run(_ program: ChildProgram) async throws(NetworkError) -> ChildProgram.End
  /// Takes back all that was done to the machine.
  func end() async
}

extension Toxic {
  /// Tells whether names are its matter.
  var touchesNames: Bool {
    switch condition.kind {
    case .dnsDelay, .dnsFailure: true
    default: false
    }
  }
}
