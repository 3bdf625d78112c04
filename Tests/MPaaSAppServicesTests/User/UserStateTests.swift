import MPaaSAppServices
import MPaaSLock
import Testing

@Suite("The user's state") struct UserStateTests {
  /// The lines that parts were told, in order.
  final class Told: Sendable {
    private let lines = Lock<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test("storage is told first, then logs, flags, badges, push and the app, whatever order they came in")
  func order() async {
    let (users, told) = (UserState(), Told())
    for stage in UserStage.allCases.reversed() {
      users.observe(stage) { session in
        // A part that takes its time is waited for.
        for _ in 0..<10 { await Task.yield() }
        told.add("\(stage) \(session.userID ?? "nil")")
      }
    }
    await users.signIn("ann", sessionID: "s1")
    #expect(told.all == ["storage ann", "logs ann", "flags ann", "badges ann", "push ann", "app ann"])
    #expect(users.userID == "ann")
    #expect(users.sessionID == "s1")
    await users.signOut()
    #expect(told.all.suffix(6) == ["storage nil", "logs nil", "flags nil", "badges nil", "push nil", "app nil"])
    #expect(users.userID == nil)
    #expect(users.sessionID == nil)
  }

  @Test("parts of a stage are told in the order in which they came; one that was taken out, or is gone, is not")
  func stages() async {
    final class Part: UserObserver {
      let told: Told
      init(_ told: Told) { self.told = told }
      func userChanged(to session: UserSession) async { told.add("part") }
    }
    let (users, told) = (UserState(), Told())
    users.observe(.app) { _ in told.add("first") }
    let second = users.observe(.app) { _ in told.add("second") }
    var part: Part? = Part(told)
    if let part { users.observe(.app, by: part) }
    await users.signIn("ann")
    second.cancel()
    part = nil
    await users.signIn("bob")
    #expect(told.all == ["first", "second", "part", "first"])
    #expect(part == nil)
  }

  @Test("the new user is the current one only when the storage knows, and for all parts after it")
  func current() async {
    let (users, told) = (UserState(), Told())
    users.observe(.storage) { [weak users] _ in told.add("storage sees \(users?.userID ?? "nil")") }
    users.observe(.logs) { [weak users] _ in told.add("logs see \(users?.userID ?? "nil")") }
    await users.signIn("ann")
    #expect(told.all == ["storage sees nil", "logs see ann"])
  }

  @Test("switches that are called at the same time are told one after the other, each whole")
  func whole() async {
    let (users, told) = (UserState(), Told())
    for stage in [UserStage.storage, .badges] {
      users.observe(stage) { session in
        await Task.yield()
        told.add(session.userID ?? "nil")
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 { group.addTask { await users.signIn("u\(number)") } }
    }
    let lines = told.all
    #expect(lines.count == 100)
    for index in stride(from: 0, to: 100, by: 2) { #expect(lines[index] == lines[index + 1]) }
    #expect(users.userID == lines.last)
  }

  @Test("a part may call a switch itself: it follows the one that is under way")
  func nested() async {
    let (users, told) = (UserState(), Told())
    users.observe(.flags) { [weak users] session in
      told.add("flags \(session.userID ?? "nil")")
      if session.userID == "banned" { await users?.signOut() }
    }
    users.observe(.badges) { session in told.add("badges \(session.userID ?? "nil")") }
    await users.signIn("banned")
    await users.signIn("ann")
    #expect(
      told.all == ["flags banned", "badges banned", "flags nil", "badges nil", "flags ann", "badges ann"])
  }

  @Test("what was fetched for one user does not count for another, nor for the same one after a log-out")
  func fetch() async throws {
    let users = UserState()
    await users.signIn("ann")
    #expect(try await users.fetch { ticket in ticket.userID } == .some("ann"))
    let crossed = try await users.fetch { ticket in
      await users.signIn("bob")
      return ticket.userID ?? ""
    }
    #expect(crossed == nil)
    let away = try await users.fetch { _ in
      await users.signOut()
      await users.signIn("bob")
      return 1
    }
    #expect(away == nil)
    struct Failure: Error {}
    let failed: Int? = try await users.fetch { _ in
      await users.signIn("cid")
      throw Failure()
    }
    #expect(failed == nil)
    await #expect(throws: Failure.self) { try await users.fetch { _ -> Int in throw Failure() } }
  }

  @Test("a ticket ends when the switch is called, not when all parts know; a renewed session keeps it")
  func tickets() async {
    let users = UserState()
    await users.signIn("ann", sessionID: "1")
    let ticket = users.ticket
    await users.signIn("ann", sessionID: "2")
    #expect(users.isCurrent(ticket))
    #expect(users.sessionID == "2")
    users.observe(.storage) { [weak users] _ in #expect(users?.isCurrent(ticket) == false) }
    await users.signIn("bob")
    #expect(!users.isCurrent(ticket))
  }

  @Test("users are one by their bytes: equal texts of different bytes are two, and an empty one is none")
  func bytes() async {
    let users = UserState()
    await users.signIn("\u{e9}")
    let ticket = users.ticket
    await users.signIn("e\u{301}")
    #expect(!users.isCurrent(ticket))
    await users.signIn("")
    #expect(users.userID == nil)
  }

  @Test("sequences get each user after all parts")
  func sequence() async {
    let (users, told) = (UserState(), Told())
    users.observe(.app) { session in told.add(session.userID ?? "nil") }
    let changes = users.changes
    await users.signIn("ann")
    await users.signOut()
    var seen: [String?] = []
    for await session in changes {
      seen.append(session.userID)
      if seen.count == 2 { break }
    }
    #expect(seen == ["ann", nil])
    #expect(told.all == ["ann", "nil"])
  }

  @Test("a badge tree follows the state, and fetches under the state's tickets count for it alone")
  @MainActor func badges() async throws {
    let folder = AcknowledgingServer()
    let (users, tree) = (UserState(), BadgeTree(folder.configuration))
    users.observe(.badges, by: tree)
    await users.signIn("ann")
    let ticket = users.ticket
    #expect(tree.ticket == ticket)
    #expect(tree.updateRemote([BadgeInfo("a", style: .new, temporary: 1)], for: ticket))
    await users.signIn("bob")
    #expect(tree.count(widgetID: "a") == 0)
    #expect(!tree.updateRemote([BadgeInfo("a", style: .new, temporary: 1)], for: ticket))
    await users.signOut()
    #expect(tree.userID == nil)
  }
}
