import Hummingbird
import Synchronization

/// Flags: what operators change, on pages too, and what apps ask by Unleash's client API and by OpenFeature's remote evaluation.
struct FlagRoutes: ServerRoutes {
  /// Rounds of tidying between two lines that keep streams alive.
  private static let beats = 3
  /// Rounds between two looks for counts that are too old: an hour.
  private static let looks = 720

  let book: FlagBook
  private let rounds = Rounds()

  private final class Rounds: Sendable {
    let count = Atomic<Int>(0)
  }

  init(_ services: ServerServices) { book = FlagBook(services) }

  func add(to router: Router<ServerContext>) {
    UnleashRoutes(book).add(to: router)
    RemoteEvaluationRoutes(book).add(to: router)
    FlagOperatorRoutes(book).add(to: router)
    FlagPageRoutes(book).add(to: router)
  }

  func begin() async throws { try await book.begin() }

  func follow(_ editions: Set<SharedEdition>) async throws {
    if editions.contains(.flags) { try await book.follow() }
  }

  func tidy() async {
    if await book.services.does(.proposals) { await book.publishDue() }
    let round = rounds.count.wrappingAdd(1, ordering: .relaxed).newValue
    if round.isMultiple(of: Self.beats) {
      let now = book.services.now()
      for place in book.all { place.audience.beat(at: now) }
    }
    if round.isMultiple(of: Self.looks), await book.services.does(.upkeep) { await FlagUsageRoutes(book).tidy() }
  }
}
