package import MPaaSAppServices
import MPaaSDeltas
import MPaaSDigests
import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

extension UpdatePublisher {
  /// A version that is to be published.
  package struct Candidate: Sendable {
    package var app: String
    package var version: AppVersion
    package var platform: String
    package var channel: String
    /// The package; nil where the version is had from its page alone.
    package var path: String?
    /// Older packages that differences are made from, at most.
    package var deltas = 3

    package init(app: String, version: AppVersion, platform: String, channel: String, path: String?) {
      self.app = app
      self.version = version
      self.platform = platform
      self.channel = channel
      self.path = path
    }
  }

  /// Puts a package with differences from older ones into the repository, and names it in the feed.
  ///
  /// A version that is there with the same package gets the facts that `changes` names.
  ///
  /// - Throws: `TrustError` `update-name`, `update-version-taken`, `update-no-file` where there is neither package nor
  ///   page; what the repository says.
  package func publish(
    _ candidate: Candidate, _ changes: ReleaseChanges, keys: [SigningKey]
  ) throws(TrustError) -> Change {
    try check(candidate, changes)
    let time = editor.now()
    let feed = try feed(app: candidate.app) ?? UpdateFeed(app: candidate.app, updated: time)
    var release = UpdateRelease(
      version: candidate.version, platform: candidate.platform, channel: candidate.channel, published: time,
      group: "\(candidate.app):\(candidate.platform):\(candidate.version.text)", file: nil, page: changes.page)
    var contents: ExactMap<TargetContent> = [:]
    if let path = candidate.path { try prepare(&release, path, candidate, feed, &contents) }
    release.apply(changes)
    // Refused before anything is written where the feed would refuse it.
    var trial = feed
    try trial.publish(release, at: time)
    if !contents.isEmpty {
      let added = try editor.edit(keys: keys) { draft throws(TrustError) in try draft.add(contents) }
      // The call is repeated once all have signed; the feed must not name files that readers do not find.
      guard added.isComplete else { return Change(feed: feed, release: release, outcome: added) }
    }
    let (asked, wanted) = (release, changes)
    return try change(app: candidate.app, keys: keys, makes: true) { feed throws(TrustError) in
      try feed.publish(asked, at: time)
      let index = try feed.index(of: ReleaseChoice(version: asked.version.text, platform: asked.platform))
      try feed.change(index, wanted, at: time)
      return index
    }
  }

  private func check(_ candidate: Candidate, _ changes: ReleaseChanges) throws(TrustError) {
    for name in [candidate.app, candidate.platform, candidate.channel] where !UpdateFeed.isName(name) {
      throw TrustError(.updateName, ["name": name])
    }
    guard candidate.path != nil || changes.page != nil else {
      throw TrustError(.updateNoFile, ["version": candidate.version.text])
    }
  }

  /// Fills in the files of a release, and the contents that the repository gets.
  private func prepare(
    _ release: inout UpdateRelease, _ path: String, _ candidate: Candidate, _ feed: UpdateFeed,
    _ contents: inout ExactMap<TargetContent>
  ) throws(TrustError) {
    let new: Bytes
    do throws(FileError) { new = try Bytes.mapping(path) } catch { throw TrustError(error) }
    let place = Place(candidate)
    let digest = new.sha256.hexadecimal
    let name = place.path(FileSystem.name(of: path))
    contents[name] = .file(path)
    release.file = UpdateFile(path: name, length: new.count, sha256: digest)
    if let known = feed.releases.first(where: { $0.platform == release.platform && $0.version == release.version }),
      known.file?.sha256 == digest
    {
      // A call that goes on: the differences are there, and making them takes long.
      release.file = known.file
      release.deltas = known.deltas
      contents = [:]
      return
    }
    var deltas: [UpdateDelta] = []
    for origin in feed.origins(of: release, count: candidate.deltas) {
      guard let made = try delta(from: origin, to: new), let bytes = made.bytes else { continue }
      let name = place.path("from-\(origin.version.text).zst")
      contents[name] = .bytes(bytes.array)
      deltas.append(
        UpdateDelta(
          from: origin.version, fromSHA256: made.fromSHA256,
          file: UpdateFile(path: name, length: bytes.count, sha256: bytes.sha256.hexadecimal)))
    }
    release.deltas = deltas
  }

  private func delta(from origin: UpdateRelease, to new: Bytes) throws(TrustError) -> MadeDelta? {
    guard let file = origin.file else { return nil }
    var draft = try editor.read()
    guard let old = try draft.bytes(of: file.path) else { return nil }
    do throws(DeltaError) {
      return try MadeDelta(from: origin.version, old, to: new)
    } catch {
      throw TrustError(.updateDeltaNotMade, ["version": origin.version.text, "reason": error.reason])
    }
  }

  /// The folder of a version in the repository.
  private struct Place {
    let candidate: Candidate

    init(_ candidate: Candidate) { self.candidate = candidate }

    /// The name of a file of the version, with characters that stand in names of targets.
    func path(_ name: String) -> String {
      func plain(_ text: String) -> String {
        let kept = String(text.map { UpdateFeed.isName("x\($0)") ? $0 : "_" })
        return kept.hasPrefix(".") ? "_" + kept : kept
      }
      return UpdateFeed.filePath(
        app: candidate.app, platform: candidate.platform, version: plain(candidate.version.text), name: plain(name))
    }
  }
}

extension TrustError.Code {
  package static let updateDeltaNotMade = TrustError.Code("update-delta-not-made", exit: .internalFault)
}
