import MPaaSSupport
import MPaaSTransfer
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The repository that channels of the kit are in, and what is trusted of it.
struct KitChannels {
  private var client: RepositoryClient
  private let downloads: String

  /// Trusts a root and follows the repository from there.
  ///
  /// - Parameter root: The root that the kit came with; a later one that is known already stays.
  init(
    _ folder: KitFolder, root: [UInt8], urls: [String], http: HTTPClient, now: @escaping @Sendable () -> Date
  ) throws(KitUpdateError) {
    downloads = folder.downloads
    client = try Self.trusting { () throws(TrustError) in
      let fetch = try RepositoryFetch(
        metadata: urls.map { $0 + "/metadata" }, targets: urls.map { $0 + "/targets" }, http: http,
        scratch: folder.trust)
      var client = RepositoryClient(metadataFolder: folder.trust, fetch: fetch, now: now)
      try client.initialize(root: root)
      try client.refresh()
      return client
    }
  }

  private static func trusting<Value>(_ work: () throws(TrustError) -> Value) throws(KitUpdateError) -> Value {
    do throws(TrustError) { return try work() } catch { throw KitUpdateError(error) }
  }

  /// The version that a channel offers.
  ///
  /// - Throws: `KitUpdateError` `kit-channel-missing`, of the document and of the repository.
  mutating func release(_ channel: String) throws(KitUpdateError) -> KitRelease {
    let path = downloads + "/" + channel + ".json"
    var client = client
    let isThere = try Self.trusting { () throws(TrustError) in
      guard let target = try client.target("kit/\(channel).json"), target.length <= KitRelease.largestDocument else {
        return false
      }
      try client.download(target, to: path)
      return true
    }
    self.client = client
    guard isThere else { throw KitUpdateError(.channelMissing, ["channel": channel]) }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(path) } catch { throw KitUpdateError(error) }
    return try KitRelease(reading: bytes, channel: channel)
  }

  /// Brings a file of a release, or goes on with it, and says where it is.
  ///
  /// - Throws: `KitUpdateError` `kit-archive-mismatch` where the repository has another file under that name.
  mutating func file(
    _ file: KitRelease.File, progress: @escaping @Sendable (HTTPProgress) -> Void
  ) throws(KitUpdateError) -> String {
    let path = downloads + "/" + file.sha256
    var client = client
    let found = try Self.trusting { () throws(TrustError) in try client.target(file.name) }
    guard let found, found.length == file.length, found.file.digests.hexadecimal["sha256"] == file.sha256 else {
      throw KitUpdateError(.archiveMismatch, ["file": file.name])
    }
    _ = try Self.trusting { () throws(TrustError) in try client.download(found, to: path, progress: progress) }
    self.client = client
    return path
  }
}
