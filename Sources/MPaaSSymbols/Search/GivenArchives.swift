import MPaaSSupport
import Synchronization

/// Files inside archives that the user gave: read again when they are needed, the last ones kept.
final class GivenArchives: Sendable {
  private struct State {
    var members: [String: (archive: String, member: String)] = [:]
    var kept: [String: Bytes] = [:]
    var order: [String] = []
    var size = 0
  }

  private let state = Mutex(State())
  /// Bytes of members that are kept, so that a compressed archive is not read again for each.
  private static let mostKept = 256 << 20

  /// Notes that `path` means a member of an archive.
  func add(_ path: String, archive: String, member: String, content: Bytes) {
    state.withLock { state in
      state.members[path] = (archive, member)
      Self.keep(content, path, &state)
    }
  }

  /// The content of a member that was noted; nil where `path` means none or the archive cannot be read any more.
  func bytes(at path: String) -> Bytes? {
    let (place, kept) = state.withLock { ($0.members[path], $0.kept[path]) }
    if let kept { return kept }
    guard let place, let content = try? FileContent.member(place.member, of: place.archive) else { return nil }
    state.withLock { Self.keep(content, path, &$0) }
    return content
  }

  private static func keep(_ content: Bytes, _ path: String, _ state: inout State) {
    guard state.kept[path] == nil, content.count <= mostKept / 2 else { return }
    state.kept[path] = content
    state.order.append(path)
    state.size += content.count
    while state.size > mostKept, !state.order.isEmpty {
      state.size -= state.kept.removeValue(forKey: state.order.removeFirst())?.count ?? 0
    }
  }
}
