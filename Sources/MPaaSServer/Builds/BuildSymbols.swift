import MPaaSAppPackage
import MPaaSSupport
import MPaaSSymbols

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Gives the debug files of Xcode's archives to the symbol store of this machine, which all apps' reports are read with.
struct BuildSymbols {
  /// Bytes of an archive's content beyond which it is left to `mpaas symbols add`.
  private static let largest: UInt64 = 4 << 30

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// The number of images that were added; nil where none are taken.
  ///
  /// Build IDs are what their sender says: only a caller who works for all apps may add what is looked up for all.
  func add(_ package: AppPackage, at path: String, by grant: Grant?) async -> Int? {
    guard package.kind == .xcarchive, package.contentSize <= Self.largest, let grant, grant.app == nil,
      grant.apps == nil
    else { return nil }
    let store = SymbolStore(Directories(environment: ProcessInfo.processInfo.environment).symbols)
    let added = try? await services.disk { try? store.add(path).count }
    return added ?? 0
  }
}
