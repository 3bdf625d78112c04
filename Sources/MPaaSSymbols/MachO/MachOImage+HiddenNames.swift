import MPaaSSupport
import Synchronization

extension MachOImage {
  /// Tells whether the build hid names, so that a symbol map is wanted: the first symbols say so, since it hides all or
  /// none.
  package var hasHiddenNames: Bool {
    if let known = cache.withLock({ $0.hasHiddenNames }) { return known }
    let strings = symbolStrings
    let found = (0..<min(nlistCount, 4096)).contains { index in
      nlist(index).map { !$0.isStab && SymbolMap.isHidden(symbolString(strings, $0.name)) } ?? false
    }
    cache.withLock { $0.hasHiddenNames = found }
    return found
  }
}
