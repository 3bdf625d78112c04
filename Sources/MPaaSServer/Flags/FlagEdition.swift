import MPaaSDigests
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import NIOCore
import Synchronization

/// The flags of an environment at one version, as clients are told of them; it never changes.
final class FlagEdition: Sendable {
  let version: Int
  /// Seconds since 1970.
  let updated: Double
  let sources: FlagSources
  let state: FlagState
  let snapshot: FlagSnapshot
  /// A word that is another one for each version of each environment.
  let etag: String
  /// The projects that flags belong to.
  let projects: Set<String>
  private let numbers: [ExactName: Int]
  /// The flags by name.
  private let flags: [FlagDefinition]
  /// Bodies that were asked for, of a few selections of projects.
  private let bodies = Mutex<[BodyKey: ByteBuffer]>([:])

  private struct BodyKey: Hashable {
    let kind: String
    let projects: FlagProjects
  }

  private static let mostBodies = 16

  /// - Parameter channel: A word that is the environment's own.
  init(_ sources: FlagSources, _ state: FlagState, version: Int, updated: Double, channel: String) {
    (self.version, self.updated, self.sources, self.state) = (version, updated, sources, state)
    snapshot = FlagSnapshot(state)
    etag = "\(channel.utf8.sha256.prefix(6).hexadecimal)-\(version)"
    projects = Set(state.flags.map(\.ownProject))
    flags = state.flags.sorted { ExactName($0.name) < ExactName($1.name) }
    numbers = Dictionary(
      state.flags.enumerated().map { (ExactName($0.element.name), $0.offset) }, uniquingKeysWith: { $1 })
  }

  /// The flag of a name; nil where there is none.
  func flag(_ name: ExactName) -> FlagDefinition? { numbers[name].map { state.flags[$0] } }

  /// The flags of projects by name.
  func flags(of projects: FlagProjects) -> [FlagDefinition] { flags.filter(projects.includes) }

  /// `"features":[…],"segments":[…]` of projects.
  func members(of projects: FlagProjects) -> String {
    sources.members { name in flag(name).map(projects.includes) ?? false }
  }

  /// The event of Unleash's delta that tells everything.
  func hydration(of projects: FlagProjects) -> String {
    "{\"events\":[{\"eventId\":\(version),\(members(of: projects)),\"type\":\"hydration\"}]}"
  }

  /// A body, made once: all clients share its bytes, whatever projects they name that there are not.
  ///
  /// - Parameter kind: Names what `make` makes.
  func body(_ kind: String, of projects: FlagProjects, _ make: () -> String) -> ByteBuffer {
    let key = BodyKey(kind: kind, projects: projects.among(self.projects))
    if let known = bodies.withLock({ $0[key] }) { return known }
    let body = ByteBuffer(string: make())
    return bodies.withLock { bodies in
      if let known = bodies[key] { return known }
      // That of all projects, which most clients ask for, stays.
      if bodies.count >= Self.mostBodies, let other = bodies.keys.first(where: { $0.projects != .all }) {
        bodies[other] = nil
      }
      bodies[key] = body
      return body
    }
  }
}
