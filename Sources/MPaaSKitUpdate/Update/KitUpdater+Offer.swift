import MPaaSSupport
import MPaaSTransfer

/// The version that a channel offers, beside the one that is in use.
struct KitOffer {
  let current: String
  let channel: String
  let release: KitRelease
  let kit: KitRelease.Kit
  let isNewer: Bool
  var channels: KitChannels

  /// The digests of the files that may come.
  var digests: Set<String> { Set([kit.archive.sha256] + kit.deltas.map(\.file.sha256)) }
}

extension KitUpdater {
  /// Asks the channel.
  ///
  /// - Throws: `KitUpdateError` `kit-root-missing`, `kit-bad-channel`, `kit-version-older`, `kit-machine-missing`, of the
  ///   channel and its repository.
  func offer() throws(KitUpdateError) -> KitOffer {
    guard let current = folder.current, let root = KitSource.root(of: folder.version(current)) else {
      throw KitUpdateError(.rootMissing, ["path": folder.path])
    }
    let source = KitSource(in: folder.version(current))
    let urls = self.urls.isEmpty ? source?.urls ?? [] : self.urls
    guard !urls.isEmpty else { throw KitUpdateError(.rootMissing, ["path": folder.path]) }
    let channel = self.channel ?? folder.channel ?? source?.channel ?? "stable"
    try Self.validate(channel)
    var channels = try KitChannels(folder, root: root, urls: urls, http: effects.http, now: effects.now)
    let release = try channels.release(channel)
    let isNewer = try Self.isNewer(release, than: KitFolder.version(named: current))
    guard let kit = release.kits[effects.machine] else {
      throw KitUpdateError(.machineMissing, ["channel": channel, "machine": effects.machine])
    }
    return KitOffer(
      current: current, channel: channel, release: release, kit: kit, isNewer: isNewer, channels: channels)
  }

  private static func validate(_ channel: String) throws(KitUpdateError) {
    let isName = channel.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    guard isName, (1...64).contains(channel.utf8.count) else {
      throw KitUpdateError(.badChannel, ["channel": channel])
    }
  }

  private static func isNewer(_ release: KitRelease, than installed: String) throws(KitUpdateError) -> Bool {
    // A folder of another name is taken for older than anything.
    guard let offered = DottedVersion(release.version), let here = DottedVersion(installed) else { return true }
    guard offered >= here else {
      throw KitUpdateError(
        .versionOlder, ["channel": release.channel, "version": release.version, "installed": installed])
    }
    return offered > here
  }
}
