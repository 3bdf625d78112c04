import MPaaSLock
import MPaaSSupport

/// The settings of all scopes, and those that follow for an operation.
final class ConfigurationTable: Sendable {
  typealias Change = @Sendable (inout RPCConfiguration) -> Void

  private struct State {
    var all: RPCConfiguration
    var gateways: [(prefix: String, change: Change)] = []
    var operations: [(name: String, change: Change)] = []
    /// The settings that were looked up; emptied with each change.
    var known: [Key: RPCConfiguration] = [:]
  }

  private struct Key: Hashable {
    let operation: String
    let gateway: String?
  }

  private let state: Lock<State>
  private static let greatestCount = 1024

  init(_ all: RPCConfiguration) { state = Lock(State(all: all)) }

  func configure(_ scope: RPCConfiguration.Scope, _ change: @escaping Change) {
    state.withLock { state in
      state.known = [:]
      switch scope {
      case .all: change(&state.all)
      case .gateway(let prefix): state.gateways.append((prefix, change))
      case .operation(let name): state.operations.append((name, change))
      }
    }
  }

  /// The settings of a call: those of all, then of its gateway, then of its operation.
  func configuration(for call: RPCCall) -> RPCConfiguration {
    let key = Key(operation: call.operationType, gateway: call.gateway)
    return state.withLock { state in
      if let known = state.known[key] { return known }
      let configuration = Self.made(state, call)
      if state.known.count >= Self.greatestCount { state.known = [:] }
      state.known[key] = configuration
      return configuration
    }
  }

  private static func made(_ state: State, _ call: RPCCall) -> RPCConfiguration {
    let own = state.operations.filter { Glob($0.name).matches(call.operationType) }
    var chosen = state.all
    for change in own { change.change(&chosen) }
    // An operation may choose its gateway, whose settings come before those of the operation.
    let address = call.gateway ?? call.address ?? chosen.gateway
    var configuration = state.all
    for change in state.gateways where address.map({ Self.isBelow(change.prefix, $0) }) == true {
      change.change(&configuration)
    }
    for change in own { change.change(&configuration) }
    if let gateway = call.gateway { configuration.gateway = gateway }
    return configuration
  }

  /// Tells whether an address begins with another one, and not with a part of its host.
  private static func isBelow(_ prefix: String, _ address: String) -> Bool {
    guard address.hasPrefix(prefix) else { return false }
    let next = address.dropFirst(prefix.count).first
    return prefix.hasSuffix("/") || next.map { "/?#:".contains($0) } ?? true
  }
}

extension RPCCall {
  /// The address of a request of HTTP; nil for an operation.
  var address: String? {
    if case .http(_, let url) = form { url } else { nil }
  }
}
