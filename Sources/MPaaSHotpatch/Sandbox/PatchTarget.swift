internal import CLua
internal import MPaaSLock

/// A function of the app that a patch may replace, whatever its type.
package protocol PatchTarget: AnyObject, Sendable {
  var name: String { get }
  var signature: SymbolList.Signature { get }
  /// Puts a replacement in place, or takes `nil` for the original.
  func install(_ replacement: Replacement?)
  /// The patch that replaces it now.
  var replacement: Replacement? { get }
  /// Calls the original with the arguments that stand from `first` on.
  ///
  /// - Parameter frame: What the call under way keeps of its own original; nil where Lua calls it out of turn.
  func callOriginal(_ stack: PatchStack, first: Int32, frame: UnsafeMutableRawPointer?) throws -> HostResult
}

/// The Lua function that stands for a function of the app.
package struct Replacement: Sendable {
  let state: PatchState
  let function: Int32
  /// The value given as `self`; 0 for nothing.
  let receiver: Int32
  let symbol: Int64
  let failures: PatchFailures

  /// The same for a function whose first argument is the object that the method is of: that is its `self`.
  package func fitted(to signature: SymbolList.Signature) -> Replacement {
    guard case .object = signature.parameters.first else { return self }
    return Replacement(state: state, function: function, receiver: 0, symbol: symbol, failures: failures)
  }

  /// Begins a call; nil, and reported, where too many are under way.
  package func begin(_ name: String, frame: UnsafeMutableRawPointer?) -> PatchStack? {
    guard let call = mp_lua_begin(state.handle, function, receiver, symbol, frame) else {
      failures.report(PatchFailure(.busy, "too many calls are under way", symbol: name))
      return nil
    }
    state.calls.add(1)
    return PatchStack(call, state)
  }
}

/// Counts the failures of a patch, tells of them, and turns the patch off when they are too many.
final class PatchFailures: Sendable {
  private let count = AtomicInteger(0)
  private let maximum: Int?
  private let tell: (@Sendable (PatchFailure) -> Void)?
  private let disable = Lock<(@Sendable () -> Void)?>(nil)

  init(maximum: Int?, tell: (@Sendable (PatchFailure) -> Void)?) {
    self.maximum = maximum
    self.tell = tell
  }

  var total: Int { count.load() }

  func whenTooMany(_ action: @escaping @Sendable () -> Void) {
    disable.withLock { $0 = action }
  }

  func report(_ failure: PatchFailure) {
    let total = count.add(1)
    tell?(failure)
    guard let maximum, total >= maximum else { return }
    disable.withLock { action in
      defer { action = nil }
      return action
    }?()
  }
}
