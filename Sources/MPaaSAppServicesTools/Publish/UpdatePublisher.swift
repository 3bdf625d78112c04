package import MPaaSAppServices
import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts versions and their feed into a signed repository.
///
/// Packages and differences are published before the feed names them, both by the repository's own steps, each of which
/// readers see whole or not at all. Killed in between, the repository is valid and the same call goes on where it
/// stopped.
package struct UpdatePublisher: Sendable {
  package let editor: RepositoryEditor

  package init(_ editor: RepositoryEditor) { self.editor = editor }

  /// The effect of a change.
  package struct Change: Sendable {
    package let feed: UpdateFeed
    package let release: UpdateRelease
    package let outcome: RepositoryEditor.Outcome
  }

  /// The feed of an app as it is staged or published; nil where there is none.
  package func feed(app: String) throws(TrustError) -> UpdateFeed? {
    var draft = try editor.read()
    return try Self.feed(app: app, in: &draft)
  }

  /// The feeds of all apps, by the apps' names.
  package func feeds() throws(TrustError) -> [UpdateFeed] {
    var draft = try editor.read()
    var feeds: [UpdateFeed] = []
    for name in try draft.allTargets().keys.sorted() {
      guard let app = UpdateFeed.app(ofPath: name) else { continue }
      if let feed = try Self.feed(app: app, in: &draft) { feeds.append(feed) }
    }
    return feeds
  }

  private static func feed(app: String, in draft: inout RepositoryDraft) throws(TrustError) -> UpdateFeed? {
    guard let bytes = try draft.bytes(of: UpdateFeed.path(app: app)) else { return nil }
    return try UpdateFeed(reading: bytes.buffer)
  }

  /// The app that is meant: the one that is named, or the only one of the repository.
  ///
  /// - Throws: `TrustError` `update-app` where none or several are there.
  package func app(named name: String?) throws(TrustError) -> String {
    if let name { return name }
    let apps = try feeds().map(\.app)
    guard apps.count == 1, let app = apps.first else {
      throw TrustError(.updateApp, ["apps": apps.joined(separator: ", ")])
    }
    return app
  }

  /// The keys that are named, and those that the repository's settings name for its online roles, still closed.
  ///
  /// - Throws: `TrustError` `rollout-no-key` where neither names one.
  package func sealedKeys(_ words: [String], of store: KeyStore) throws(TrustError) -> [SealedKey] {
    var names = words
    for name in try editor.read().settings.onlineKeys where !names.contains(name) { names.append(name) }
    guard !names.isEmpty else { throw TrustError(.updateNoKey) }
    return try names.map { name throws(TrustError) in try store.sealedKey(name) }
  }

  // MARK: - Changing

  /// Changes the feed of an app, and publishes it.
  ///
  /// - Parameter makes: Whether a feed is made where there is none.
  /// - Throws: `TrustError` `update-unknown`, `update-not-in-targets`, what `body` throws.
  package func change(
    app: String, keys: [SigningKey], makes: Bool = false,
    _ body: (inout UpdateFeed) throws(TrustError) -> Int
  ) throws(TrustError) -> Change {
    var result: (UpdateFeed, UpdateRelease)?
    let time = editor.now()
    let outcome = try editor.edit(keys: keys) { draft throws(TrustError) in
      let before = try Self.feed(app: app, in: &draft)
      guard var feed = before ?? (makes ? UpdateFeed(app: app, updated: time) : nil) else {
        throw TrustError(.updateUnknown, ["app": app, "version": "*", "platforms": ""])
      }
      let index = try body(&feed)
      result = (feed, feed.releases[index])
      guard feed != before else { return }
      var lookup = draft
      try feed.check { name throws(TrustError) in try lookup.target(name)?.file }
      try draft.add(.bytes(try feed.encoded()), as: UpdateFeed.path(app: app))
    }
    guard let result else { throw TrustError(.updateUnknown, ["app": app, "version": "*", "platforms": ""]) }
    return Change(feed: result.0, release: result.1, outcome: outcome)
  }

  /// Changes one release.
  ///
  /// - Throws: As `change(app:keys:makes:_:)`, `UpdateFeed.index` and `UpdateFeed.change`.
  package func change(
    app: String, _ choice: ReleaseChoice, _ changes: ReleaseChanges, keys: [SigningKey]
  ) throws(TrustError) -> Change {
    let time = editor.now()
    return try change(app: app, keys: keys) { feed throws(TrustError) in
      let index = try feed.index(of: choice)
      try feed.change(index, changes, at: time)
      return index
    }
  }
}

extension TrustError.Code {
  package static let updateApp = TrustError.Code("update-app", exit: .usage)
  package static let updateNoKey = TrustError.Code("update-no-key", exit: .usage)
  package static let updateName = TrustError.Code("update-name", exit: .usage)
}
