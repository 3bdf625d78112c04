import MPaaSCrashReport
import MPaaSSymbols
import Synchronization

/// The builds that the store has under the name of an image: a build that was added and is not the one that a report
/// asks for.
///
/// The store is listed once, and only when something is missing.
final class StoredNames: Sendable {
  private let store: SymbolStore?
  private let byName = Mutex<[String: [StoredSymbols]]?>(nil)
  /// More builds of one name do not help.
  private static let most = 5

  init(_ store: SymbolStore?) {
    self.store = store
  }

  /// The symbols of an image, with the store's other builds of it as near misses where none of it was found.
  func completing(_ symbols: ImageSymbols, of image: CrashReport.Image) -> ImageSymbols {
    guard let store, symbols.reason == .notFound, symbols.frames == nil else { return symbols }
    var symbols = symbols
    var known = Set(symbols.nearMisses.map(\.uuid))
    for stored in named(image.name, in: store) where stored.buildID.hex != image.buildID {
      guard symbols.nearMisses.count < Self.most, known.insert(stored.buildID.hex).inserted else { continue }
      symbols.nearMisses.append(MissingSymbols.NearMiss(path: store.path(of: stored), uuid: stored.buildID.hex))
    }
    return symbols
  }

  private func named(_ name: String, in store: SymbolStore) -> [StoredSymbols] {
    guard !name.isEmpty else { return [] }
    return byName.withLock { all in
      let known = all ?? Dictionary(grouping: (try? store.list()) ?? [], by: \.name)
      all = known
      return (known[name] ?? []).sorted { ($1.added, $0.buildID.hex) < ($0.added, $1.buildID.hex) }
    }
  }
}
