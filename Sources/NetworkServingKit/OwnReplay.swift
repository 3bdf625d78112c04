import ServingKit

/// A timeline on a proxy that lives as long as the command.
package struct OwnReplay: ServedWork {
  package static let name = "replay"

  package let timeline: TimelineWords
  /// The file of the journal.
  package let journal: String?
  /// The address where the proxy listens, and where it leads; `any` for a proxy that clients tell where to.
  package let listen: String
  package let upstream: String

  package init(timeline: TimelineWords, journal: String?, listen: String, upstream: String) {
    self.timeline = timeline
    self.journal = journal
    self.listen = listen
    self.upstream = upstream
  }
}
