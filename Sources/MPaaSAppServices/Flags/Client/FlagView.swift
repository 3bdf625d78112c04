import MPaaSFlags
import MPaaSLock

/// The flags of the moment and the person and device that they are evaluated for, which change together.
final class FlagView: Sendable {
  private struct State {
    var snapshot: FlagSnapshot
    var context: FlagContext
    /// The context without the facts of the device.
    var person: FlagContext
    var facts: DeviceFacts
    var source: FlagSource?
  }

  /// The flags, for evaluations without a lock.
  let flags = Flags()
  private let state: Lock<State>

  init(_ person: FlagContext, _ facts: DeviceFacts) {
    state = Lock(
      State(snapshot: FlagSnapshot(), context: person.filled(with: facts), person: person, facts: facts, source: nil))
  }

  var context: FlagContext { state.withLock { $0.context } }
  /// The origin of the state at hand; nil before there is one.
  var source: FlagSource? { state.withLock { $0.source } }

  /// The state and the context of the same moment.
  func pair() -> (snapshot: FlagSnapshot, context: FlagContext) { state.withLock { ($0.snapshot, $0.context) } }

  /// Puts a state in, and the user whom it came for.
  ///
  /// - Parameter next: The state; nil where it is the one at hand.
  func replace(with next: FlagState?, from source: FlagSource?, for user: String?) {
    if let next { flags.replace(with: next) }
    let snapshot = flags.snapshot
    state.withLock { state in
      state.snapshot = snapshot
      state.source = source
      state.person.userId = user
      state.context = state.person.filled(with: state.facts)
    }
  }

  /// Puts the facts of the device in the place of those before.
  func setFacts(_ facts: DeviceFacts) {
    state.withLock { state in
      state.facts = facts
      state.context = state.person.filled(with: facts)
    }
  }

  /// Changes the properties of the context that the app gives itself.
  func setProperty(_ name: String, to value: String?) {
    state.withLock { state in
      state.person.properties[name] = value
      state.context = state.person.filled(with: state.facts)
    }
  }

  // MARK: - Answers

  func variant(_ name: String) -> FlagVariant {
    let (snapshot, context) = pair()
    return snapshot.variant(name, for: context)
  }

  func isEnabled(_ name: String) -> Bool {
    let (snapshot, context) = pair()
    return snapshot.isEnabled(name, for: context)
  }

  /// The answer of a flag as a label of a number.
  func label(_ name: String) -> String {
    let variant = variant(name)
    if variant.isEnabled { return variant.name }
    return variant.isFlagEnabled ? "enabled" : "disabled"
  }
}

extension FlagContext {
  fileprivate func filled(with facts: DeviceFacts) -> FlagContext {
    var context = self
    context.fill(with: facts)
    return context
  }
}
