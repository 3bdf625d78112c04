import MPaaSLock

/// The flags of an app: evaluated from any thread without a lock, while a new state may come in.
///
/// ```swift
/// let flags = Flags()
/// try flags.update(json: state)
/// if flags.isEnabled("new-search", for: FlagContext(userId: "7")) { … }
/// ```
public final class Flags: Sendable {
  private let slot: SnapshotSlot
  /// The state of the snapshot, which changes are made to.
  private let state: Lock<FlagState>

  /// Creates flags that are all off, until a state comes.
  public init() {
    slot = SnapshotSlot(FlagSnapshot())
    state = Lock(FlagState())
  }

  /// Takes a state, or changes of the one at hand, as Unleash's client API and its delta have them.
  ///
  /// The last state stays where a new one is refused.
  /// - Throws: `FlagError` where the bytes are no state, or pass a limit.
  public func update(json bytes: UnsafeRawBufferPointer) throws(FlagError) {
    try state.withLock { state throws(FlagError) in
      let next = try FlagState(json: bytes, changing: state)
      slot.replace(with: FlagSnapshot(next))
      state = next
    }
  }

  /// Takes a state of JSON text.
  ///
  /// - Throws: `FlagError` as of bytes.
  public func update(json text: String) throws(FlagError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(FlagError) in try update(json: UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Takes a state that was read before, in the place of the one at hand.
  package func replace(with next: FlagState) {
    state.withLock { state in
      slot.replace(with: FlagSnapshot(next))
      state = next
    }
  }

  /// Tells whether a flag is on for a context; a flag that there is not is off.
  public func isEnabled(_ name: String, for context: FlagContext) -> Bool {
    slot.read({ $0.isEnabled(name, for: context) }, else: { false })
  }

  /// The variant of a flag that a context gets.
  public func variant(_ name: String, for context: FlagContext) -> FlagVariant {
    slot.read({ $0.variant(name, for: context) }, else: { .none(isFlagEnabled: false) })
  }

  /// The snapshot of the moment, for several evaluations of one state.
  public var snapshot: FlagSnapshot { slot.read({ $0 }, else: { FlagSnapshot() }) }
}
