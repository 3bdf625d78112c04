import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The words of a kit about where it is updated from: `share/mpaas/channel/` in each version.
struct KitSource: Codable, Equatable {
  /// The channel that is followed where no other was asked for.
  var channel: String
  /// Addresses of the repository, in the order in which they are tried.
  var urls: [String]

  /// Reads what a version says; nil where it says nothing.
  init?(in version: String) {
    guard let bytes = try? Bytes.reading(version + "/share/mpaas/channel/channel.json", limit: 1 << 16),
      let source = try? JSONDecoder().decode(KitSource.self, from: Data(bytes.buffer))
    else { return nil }
    self = source
  }

  /// The root of trust that a version came with; nil where it came without.
  static func root(of version: String) -> [UInt8]? {
    try? Bytes.reading(version + "/share/mpaas/channel/root.json", limit: 1 << 20).array
  }
}
