import Dispatch
import MPaaSDatabase
import MPaaSSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The place of this server among those of its console: signed in with a number of its own, it gives signs of life, and
/// sees those of the others.
///
/// A server whose sign of life did not change for `deadline`, as another one saw that could ask the database all the while,
/// is taken for dead and signed out. From then on the database takes nothing from it: each of its transactions asks for its
/// number at the end (`ServerStore.fence`), so what it was doing, and the works that were its own, may be another's at once.
/// It never signs in again, and its process ends.
final class ServerSession: Sendable {
  /// A server as the database has it.
  private struct Peer {
    let beat: Int64
    /// The moment at which its sign of life was seen to be this one.
    let since: ContinuousClock.Instant
  }

  private struct State {
    var peers: [Int64: Peer] = [:]
    /// The servers of works, and the numbers of these turns.
    var turns: [String: (server: Int64, number: Int64)] = [:]
    /// The numbers of the changes that were followed.
    var followed: [SharedEdition: Int64]
    var isFollowing = false
    var looked: ContinuousClock.Instant?
    var isEnding = false
    var isOver = false
    var whenOver: (@Sendable () -> Void)?
  }

  /// The facts that one look finds.
  private struct Look {
    var peers: [(number: Int64, beat: Int64)] = []
    var turns: [(work: String, server: Int64, number: Int64)] = []
    var editions: [SharedEdition: Int64] = [:]
  }

  /// Microseconds between two looks, and the time between two signs of life.
  private static let pause: UInt32 = 400_000
  private static let beat = Duration.seconds(2)
  /// The time after which a server is taken for dead that gives no sign of life.
  static let deadline = Duration.seconds(15)
  /// The longest time between two looks of one that may say so.
  private static let steady = Duration.seconds(3)

  /// Greater than that of every server that signed in before.
  let number: Int64
  /// The name of the data folder.
  let name: String
  /// Tells whether the console has its name of this folder.
  let isFirst: Bool
  private let store: ServerStore
  private let connection: StoreConnection
  private let now: @Sendable () -> Double
  private let state: Mutex<State>

  /// Signs the server in; one of the same data folder before it has ended, or is refused from now on.
  ///
  /// - Parameters:
  ///   - isFirst: Tells whether the console has its name of this folder.
  ///   - address: The database, to which looks have a connection of their own: they wait for no other work.
  init(
    _ name: String, isFirst: Bool, _ store: ServerStore, _ address: String, now: @escaping @Sendable () -> Double
  ) throws {
    let database = try DatabaseAddress(address).open()
    let moment = now()
    let (number, followed) = try database.transaction {
      let number = try SharedEdition.servers.next(in: database)
      try database.run("DELETE FROM servers WHERE name = ?", [.text(name)])
      try database.run(
        "INSERT INTO servers (number, name, started, beat) VALUES (?, ?, ?, 0)",
        [.integer(number), .text(name), .real(moment)])
      try Self.forgetHolds(in: database)
      return (number, try SharedEdition.numbers(in: database))
    }
    (self.number, self.name, self.isFirst, self.store, self.now) = (number, name, isFirst, store, now)
    state = Mutex(State(followed: followed))
    connection = StoreConnection(database, "mpaas.store.session", StorePatience(0))
    store.fence(by: number)
  }

  /// Waits until it is clear whether other servers live; a server that shares nothing may begin where none does.
  ///
  /// - Returns: The name of one that lives; nil where none does.
  static func other(
    than name: String?, in database: any SQLDatabase, wait: Duration = deadline
  ) throws -> String? {
    func beats() throws(SQLError) -> [String: String] {
      let rows = try database.rows("SELECT name, number, beat FROM servers") {
        ($0.text(0), "\($0.integer(1)) \($0.integer(2))")
      }
      return Dictionary(rows.filter { $0.0 != name }) { $1 }
    }
    let first = try beats()
    let end = ContinuousClock.now + wait
    var last = first
    while !last.isEmpty, ContinuousClock.now < end {
      usleep(pause)
      last = try beats()
      if let living = last.first(where: { first[$0.key] != $0.value }) { return living.key }
    }
    return nil
  }

  /// Tells whether a server of a folder's name gives signs of life: the folder was copied, and both would take the place
  /// of the other again and again.
  static func lives(_ name: String, in database: any SQLDatabase) throws -> Bool {
    func sign() throws(SQLError) -> String? {
      try database.row("SELECT number, beat FROM servers WHERE name = ?", [.text(name)]) {
        "\($0.integer(0)) \($0.integer(1))"
      }
    }
    guard let first = try sign() else { return false }
    let end = ContinuousClock.now + beat * 2
    while ContinuousClock.now < end {
      usleep(pause)
      guard let next = try sign() else { return false }
      if next != first { return true }
    }
    return false
  }

  // MARK: - Living

  /// Begins to look at the others, and to be seen.
  ///
  /// - Parameters:
  ///   - follow: Reads anew what another server, or this one, has changed; where it throws, it is called again.
  ///   - over: Called once where the server was taken for dead.
  func begin(
    follow: @escaping @Sendable (Set<SharedEdition>) async throws -> Void, over: @escaping @Sendable () -> Void
  ) {
    state.withLock { $0.whenOver = over }
    DetachedThread.run { [self] in
      var last: ContinuousClock.Instant?
      while !state.withLock({ $0.isEnding || $0.isOver }) {
        let isBeat = last.map { ContinuousClock.now - $0 >= Self.beat } ?? true
        if isBeat { last = .now }
        look(isBeat: isBeat, follow)
        usleep(Self.pause)
      }
    }
  }

  /// Tells whether the server was taken for dead.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Signs out: another server may go on with its works at once.
  func end() async {
    state.withLock { $0.isEnding = true }
    let number = number
    _ = try? await store.write { [store] database in
      try database.run("DELETE FROM servers WHERE number = ?", [.integer(number)])
      // One that was taken for dead does not get around the fence.
      if database.changes > 0 { store.fence(by: nil) }
    }
  }

  private func look(isBeat: Bool, _ follow: @escaping @Sendable (Set<SharedEdition>) async throws -> Void) {
    let found: Look
    do {
      found = try connection.queue.sync { try connection.read { try look(isBeat: isBeat, in: $0) } }
    } catch {
      return state.withLock { $0.looked = nil }
    }
    note(found)
    followChanges(found, follow)
  }

  private func look(isBeat: Bool, in database: any SQLDatabase) throws(SQLError) -> Look {
    if isBeat { try database.run("UPDATE servers SET beat = beat + 1 WHERE number = ?", [.integer(number)]) }
    var look = Look()
    look.peers = try database.rows("SELECT number, beat FROM servers") { ($0.integer(0), $0.integer(1)) }
    look.turns = try database.rows("SELECT work, server, number FROM work_leases") {
      ($0.text(0), $0.integer(1), $0.integer(2))
    }
    look.editions = try SharedEdition.numbers(in: database)
    return look
  }

  /// Remembers what a look found, and signs out those that are dead.
  private func note(_ look: Look) {
    let (dead, over) = state.withLock { state -> ([Int64: Peer], (@Sendable () -> Void)?) in
      let now = ContinuousClock.now
      let isSteady = state.looked.map { now - $0 < Self.steady } ?? false
      state.looked = now
      state.turns = Dictionary(look.turns.map { ($0.work, ($0.server, $0.number)) }) { $1 }
      let before = state.peers
      state.peers = Dictionary(
        look.peers.map { peer in
          let known = before[peer.number]
          let since = isSteady && known?.beat == peer.beat ? known?.since ?? now : now
          return (peer.number, Peer(beat: peer.beat, since: since))
        }
      ) { $1 }
      let dead = state.peers.filter { $0.key != number && now - $0.value.since >= Self.deadline }
      guard state.peers[number] == nil, !state.isEnding else { return (dead, nil) }
      state.isOver = true
      return ([:], state.whenOver.take())
    }
    over?()
    guard !dead.isEmpty else { return }
    let store = store
    Task {
      try? await store.write { database in
        for (number, peer) in dead {
          try database.run(
            "DELETE FROM servers WHERE number = ? AND beat = ?", [.integer(number), .integer(peer.beat)])
        }
        try Self.forgetHolds(in: database)
      }
    }
  }

  /// Forgets what servers held that are signed out.
  private static func forgetHolds(in database: any SQLDatabase) throws(SQLError) {
    try database.run("DELETE FROM blob_holds WHERE server NOT IN (SELECT number FROM servers)", [])
  }

  private func followChanges(
    _ look: Look, _ follow: @escaping @Sendable (Set<SharedEdition>) async throws -> Void
  ) {
    let changed = state.withLock { state -> Set<SharedEdition> in
      let changed = look.editions.filter {
        SharedEdition.inMemory.contains($0.key) && state.followed[$0.key] != $0.value
      }
      guard !changed.isEmpty, !state.isFollowing else { return [] }
      state.isFollowing = true
      return Set(changed.keys)
    }
    guard !changed.isEmpty else { return }
    Task { [self] in
      let isDone = (try? await follow(changed)) != nil
      state.withLock { state in
        state.isFollowing = false
        if isDone { for name in changed { state.followed[name] = look.editions[name] } }
      }
    }
  }

  // MARK: - The others

  /// Tells whether a server of a data folder is signed in, as the database has it: one that came just now was not seen yet.
  static func isSignedIn(_ name: String, in database: any SQLDatabase) throws(SQLError) -> Bool {
    try database.row("SELECT 1 FROM servers WHERE name = ?", [.text(name)]) { _ in true } == true
  }

  /// The servers that are signed in.
  var count: Int { max(state.withLock { $0.peers.count }, 1) }

  /// Tells whether this server is to do a work, and takes it where no other one does.
  func does(_ work: SharedWork) async -> Bool {
    let known = state.withLock { state -> Bool? in
      guard !state.isOver, !state.isEnding else { return false }
      guard let turn = state.turns[work.rawValue] else { return nil }
      if turn.server == number { return true }
      return state.peers[turn.server] == nil ? nil : false
    }
    if let known { return known }
    let (own, moment) = (number, now())
    let turn = try? await store.write { database -> Int64? in
      let taken = try database.row(
        "SELECT l.server, l.number FROM work_leases l JOIN servers s ON s.number = l.server WHERE l.work = ?",
        [.text(work.rawValue)]
      ) { (server: $0.integer(0), turn: $0.integer(1)) }
      if let taken { return taken.server == own ? taken.turn : nil }
      let turn = try SharedEdition.turns.next(in: database)
      try database.run(
        """
        INSERT INTO work_leases (work, server, number, taken) VALUES (?, ?, ?, ?) ON CONFLICT (work) DO UPDATE
        SET server = excluded.server, number = excluded.number, taken = excluded.taken
        """, [.text(work.rawValue), .integer(own), .integer(turn), .real(moment)])
      return turn
    }
    guard let turn = turn ?? nil else { return false }
    state.withLock { $0.turns[work.rawValue] = (own, turn) }
    return true
  }
}
