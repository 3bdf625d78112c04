import MPaaSLock

#if canImport(Darwin)
  import Darwin
  import Dispatch
#endif

/// The word that memory is short, at which the caches that heed it forget all their values.
///
/// Apple's systems give it themselves; an app may do so, too, and elsewhere has to.
public enum MemoryWarning {
  private struct Heeding { weak var store: CacheStore? }

  private static let heeding = Lock([ObjectIdentifier: Heeding]())

  /// Empties all caches that heed warnings.
  public static func tell() {
    let stores = heeding.withLock { heeding in
      heeding = heeding.filter { $0.value.store != nil }
      return heeding.values.compactMap(\.store)
    }
    for store in stores { store.state.withLock { state in state.removeAll() } }
  }

  static func isHeeded(by store: CacheStore) -> Bool {
    heeding.withLock { heeding in heeding[ObjectIdentifier(store)]?.store === store }
  }

  static func set(_ isHeeded: Bool, by store: CacheStore) {
    heeding.withLock { heeding in
      heeding = heeding.filter { $0.value.store != nil }
      heeding[ObjectIdentifier(store)] = isHeeded ? Heeding(store: store) : nil
    }
    #if canImport(Darwin)
      if isHeeded { _ = isListening }
    #endif
  }

  #if canImport(Darwin)
    /// True once the system's warnings come here, which they do until the process ends.
    private static let isListening: Bool = {
      let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
      source.setEventHandler { tell() }
      source.resume()
      _ = Unmanaged.passRetained(source as AnyObject)
      return true
    }()
  #endif
}

extension MemoryCache {
  /// True where the cache forgets all its values at a `MemoryWarning`; false unless it is set.
  public var heedsMemoryWarnings: Bool {
    get { MemoryWarning.isHeeded(by: store) }
    set { MemoryWarning.set(newValue, by: store) }
  }
}
