import MPaaSCrash
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import Synchronization

/// The rules that crashes are grouped by, from a file that is read again when it changes.
final class GroupingRuleBook: Sendable {
  struct Edition: Sendable {
    let rules: GroupingRules
    /// Another one with each change.
    let edition: Int
    /// The SHA-256 of the file; empty where there is none.
    let digest: String
  }

  private struct State {
    var edition = Edition(rules: GroupingRules(), edition: 0, digest: "")
    /// The identifier of the reason why the file could not be read, so that it is reported once.
    var refused = ""
  }

  private static let largestFile = 16 << 20

  /// nil where the rules never change.
  private let path: String?
  private let mustExist: Bool
  private let state = Mutex(State())

  /// Rules that stay as they are.
  init(rules: GroupingRules = GroupingRules()) {
    (path, mustExist) = (nil, false)
    state.withLock { $0.edition = Edition(rules: rules, edition: 0, digest: "") }
  }

  /// - Throws: `GroupingRulesError` naming the place, `FileError`.
  init(_ configuration: ServerConfiguration) throws {
    path = configuration.rules ?? configuration.data + "/.mpaas-groups"
    mustExist = configuration.rules != nil
    try look()
  }

  var current: Edition { state.withLock { $0.edition } }

  /// Reads the file again; what cannot be read leaves the rules as they are.
  ///
  /// - Returns: The identifier of why it cannot be read, where that was not said before.
  func tidy() -> String? {
    do {
      try look()
      return nil
    } catch {
      let id = (error as? any DiagnosticConvertible)?.diagnostic.id.name ?? ""
      let isNew = state.withLock { state in
        defer { state.refused = id }
        return state.refused != id
      }
      return isNew ? id : nil
    }
  }

  private func look() throws {
    guard let path else { return }
    // A file that was named at the start, and is gone for a moment, is being written.
    guard mustExist || FileStatus(path) != nil else { return follow(GroupingRules(), "") }
    let bytes = try Bytes.reading(path, limit: Self.largestFile).array
    let digest = bytes.sha256.hexadecimal
    if digest == current.digest { return follow(current.rules, digest) }
    follow(try GroupingRules(String(decoding: bytes, as: UTF8.self), path: path), digest)
  }

  private func follow(_ rules: GroupingRules, _ digest: String) {
    state.withLock { state in
      state.refused = ""
      guard state.edition.digest != digest else { return }
      state.edition = Edition(rules: rules, edition: state.edition.edition + 1, digest: digest)
    }
  }
}
