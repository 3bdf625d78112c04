import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import NIOCore
import Synchronization

/// An environment of an app: its flags of the moment, and who is told of changes.
final class FlagPlace: Sendable {
  struct Key: Sendable, Hashable {
    let app: String
    let environment: String
  }

  let key: Key
  /// The word that opens the stream of notices that flags have changed, and nothing else.
  let channel: String
  /// The turns of changes, one after the other.
  let turns = Turns(1)
  let audience = FlagAudience()
  private let current: Mutex<FlagEdition>

  init(_ key: Key, channel: String, _ edition: FlagEdition) {
    self.key = key
    self.channel = channel
    current = Mutex(edition)
  }

  var edition: FlagEdition { current.withLock { $0 } }

  /// Puts a new edition in place, and tells of it.
  func publish(_ edition: FlagEdition, _ edits: [FlagEdit], _ version: FlagVersion) {
    let before = current.withLock { current in
      defer { current = edition }
      return current
    }
    let present = before.projects.union(edition.projects)
    var told: [FlagProjects: ByteBuffer?] = [:]
    audience.send { kind in
      switch kind {
      case .unleash(let projects):
        let projects = projects.among(present)
        if let known = told[projects] { return known }
        let message = Self.message(of: edits, projects, before: before, after: edition)
        told[projects] = .some(message)
        return message
      case .remote: return Self.notice(edition)
      case .versions: return FlagWire.message(version)
      }
    }
  }

  /// The message by which clients of projects learn of edits; nil where these are none of theirs.
  private static func message(
    of edits: [FlagEdit], _ projects: FlagProjects, before: FlagEdition, after edition: FlagEdition
  ) -> ByteBuffer? {
    let told = edits.filter { projects.includes($0, before: before, after: edition) }
    guard !told.isEmpty else { return nil }
    let events = told.map { event($0, projects, edition) }.joined(separator: ",")
    return ServerSentEvent.message("unleash-updated", id: edition.version, "{\"events\":[\(events)]}")
  }

  /// The event of an edit; a flag that left the projects is removed for their clients.
  static func event(_ edit: FlagEdit, _ projects: FlagProjects, _ edition: FlagEdition) -> String {
    guard case .flag(let name) = edit.item, let flag = edition.flag(name), !projects.includes(flag) else {
      return edit.event(edition.version)
    }
    return FlagEdit(item: edit.item, before: edit.before, after: nil).event(edition.version)
  }

  /// The message by which OpenFeature's clients ask again.
  ///
  /// - Source: OFREP 0.3.0, event streams.
  static func notice(_ edition: FlagEdition) -> ByteBuffer {
    let seconds = Int(exactly: edition.updated.rounded(.down)) ?? 0
    return ServerSentEvent.message(
      "message", id: edition.version,
      "{\"etag\":\"\(edition.etag)\",\"lastModified\":\(seconds),\"type\":\"refetchEvaluation\"}")
  }
}
