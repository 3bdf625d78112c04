package import MPaaSAppServices
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Appcast {
  /// The appcast of a feed: its running versions of a platform, the newest first.
  ///
  /// Sparkle's differences are of another format, so that ours do not stand in it; versions that are phased in have an
  /// interval by which Sparkle's seven parts take `days` days.
  ///
  /// - Parameters:
  ///   - base: The address of the repository's targets.
  ///   - language: The language of the notes.
  ///   - main: The channel that everybody gets, and which Sparkle has no name for.
  ///   - signature: The Ed25519 signature of a file in base64; nil for none.
  package init(
    _ feed: UpdateFeed, platform: String, base: String, language: String, main: String = "release", days: Int = 7,
    signature: (UpdateFile) -> String? = { _ in nil }
  ) {
    self.init(title: feed.app)
    self.language = language
    let running = feed.releases.filter { $0.platform == platform && $0.state == .running }
    for release in running.sorted(by: { $0.version > $1.version }) {
      var item = AppcastItem(version: release.version)
      item.title = "\(feed.app) \(release.version.text)"
      item.published = release.published.timeIntervalSince1970
      item.notes = UpdateOffer(release: release, isForced: false, prompt: release.prompt).notes(in: language)
      item.notesFormat = item.notes == nil ? nil : "plain-text"
      item.channel = release.channel == main ? nil : release.channel
      item.minimumSystem = release.minimumSystem?.text
      item.isCritical = release.prompt == .force || release.forceBelow != nil
      item.criticalBelow = release.prompt == .force ? nil : release.forceBelow
      if release.basisPoints < UpdateBucket.count { item.phasedInterval = days * 86400 / Self.groups }
      item.link = release.page.flatMap { $0.hasPrefix("http") ? $0 : nil }
      if let file = release.file {
        var enclosure = AppcastFile(url: base + "/" + file.path.encodedPath)
        enclosure.length = file.length
        enclosure.edSignature = signature(file)
        item.file = enclosure
      } else {
        item.isInformational = true
      }
      items.append(item)
    }
  }
}

extension String {
  /// The path with each part encoded as URLs have it.
  package var encodedPath: String {
    split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }
}
