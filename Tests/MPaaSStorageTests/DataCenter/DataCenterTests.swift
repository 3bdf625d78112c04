import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("A data center") struct DataCenterTests {
  private func center(_ folder: TemporaryFolder, _ version: String = "1") throws -> DataCenter {
    try DataCenter(root: folder.path + "/Preferences", appVersion: version)
  }

  @Test("keeps what belongs to all, to a user and to a business apart, across starts")
  func apart() throws {
    let folder = try TemporaryFolder()
    do {
      let center = try center(folder)
      #expect(try center.user == nil)
      #expect(try center.business("b").user == nil)
      try center.common.set(1, forKey: "k")
      center.switchUser(to: "ann")
      try center.user?.set(2, forKey: "k")
      try center.business("b").user?.set(3, forKey: "k")
      center.switchUser(to: "bob")
      #expect(try center.user?.integer(forKey: "k") == nil)
      center.switchUser(to: "")
      #expect(center.currentUser == nil)
    }
    let center = try center(folder)
    #expect(try center.common.integer(forKey: "k") == 1)
    #expect(try center.storage(forUser: "ann").integer(forKey: "k") == 2)
    #expect(try center.business("b").storage(forUser: "ann").integer(forKey: "k") == 3)
    #expect(try center.business("b").storage(forUser: "ann").allKeys == ["k"])
  }

  @Test("has a plain folder in its root for each user id, whatever characters it has")
  func names() throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    // The two last ones are equal texts of different bytes.
    let users = [
      "../../etc", "/", "a/b", ".", "..", String(repeating: "x", count: 5000), "\u{0}", "\u{e9}", "e\u{301}",
    ]
    for (number, user) in users.enumerated() {
      center.switchUser(to: user)
      try center.user?.set(number, forKey: "k")
    }
    for (number, user) in users.enumerated() {
      #expect(try center.storage(forUser: user).integer(forKey: "k") == number)
      #expect(center.folder(forUser: user).dropFirst(center.root.count + 1).contains("/") == false)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Preferences"])
    let mode = try FileManager.default.attributesOfItem(atPath: center.root)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("tells the storage of a switch before the app, each once and in order")
  func events() async throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    let told = Told()
    let number = center.addObserver { event in told.add("storage \(event)") }
    var events = center.events.makeAsyncIterator()
    center.switchUser(to: "ann")
    center.switchUser(to: "ann")
    center.switchUser(to: "bob")
    center.switchUser(to: nil)
    center.switchUser(to: nil)
    let expected: [UserEvent] = [
      .didSwitch(from: nil, to: "ann"), .didRenew(user: "ann"), .willResign(user: "ann"),
      .didSwitch(from: "ann", to: "bob"), .willResign(user: "bob"), .didSwitch(from: "bob", to: nil),
    ]
    // All of them had been told when the last switch returned, though nothing was taken from the sequence yet.
    #expect(told.lines == expected.map { "storage \($0)" })
    for event in expected { #expect(await events.next() == event) }
    center.removeObserver(number)
  }

  @Test("empties the storage of the current version when another one starts, and nothing else")
  func version() throws {
    let folder = try TemporaryFolder()
    for (version, found) in [("1", nil), ("1", 1), ("2", nil), ("2", 1), ("1", nil)] as [(String, Int?)] {
      let center = try center(folder, version)
      #expect(try center.currentVersionStorage.integer(forKey: "k") == found)
      try center.currentVersionStorage.set(1, forKey: "k")
      try center.common.set(1, forKey: version)
    }
    #expect(try center(folder, "3").common.allKeys() == ["1", "2"])
  }

  @Test("resets one user, or everything but strangers' files")
  func reset() throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    try center.common.set(1, forKey: "k")
    for user in ["ann", "bob"] { try center.storage(forUser: user).set(1, forKey: "k") }
    try center.reset(user: "ann")
    #expect(try center.storage(forUser: "ann").integer(forKey: "k") == nil)
    #expect(try center.storage(forUser: "bob").integer(forKey: "k") == 1)
    try Data("x".utf8).write(to: URL(filePath: center.root + "/notes"))
    try center.reset()
    #expect(try center.storage(forUser: "bob").integer(forKey: "k") == nil)
    #expect(try center.common.integer(forKey: "k") == nil)
    #expect(FileManager.default.fileExists(atPath: center.root + "/notes"))
  }

  @Test("never has a row in another user's file, though users switch amid thousands of calls")
  func switches() async throws {
    let folder = try TemporaryFolder()
    let center = try center(folder)
    let users = (0..<7).map { "user \($0)" }
    try await withThrowingTaskGroup { group in
      group.addTask { for round in 0..<300 { center.switchUser(to: users[round % users.count]) } }
      for part in 0..<4 {
        group.addTask {
          for round in 0..<250 {
            let user = users[(round + part) % users.count]
            try center.storage(forUser: user).set(user, forKey: "\(part) \(round)")
            // The store that is current now is that of one user from here on.
            guard let store = try center.user else { continue }
            let owner = try store.string(forKey: "owner")
            let name = try #require(owner ?? users.first { (try? center.storage(forUser: $0)) === store })
            try store.set(name, forKey: "owner")
          }
        }
      }
      try await group.waitForAll()
    }
    for user in users {
      let store = try center.storage(forUser: user)
      for key in try store.allKeys() { #expect(try store.string(forKey: key) == user) }
    }
  }

  @Test("logs only while it is switched on")
  func log() throws {
    let told = Told()
    let folder = try TemporaryFolder()
    let center = try DataCenter(root: folder.path + "/p", appVersion: "1") { told.add($0) }
    center.isLogging = false
    center.switchUser(to: "ann")
    #expect(told.lines.isEmpty)
    center.isLogging = true
    center.switchUser(to: nil)
    #expect(told.lines == ["user switched"])
  }
}

/// Lines that were told.
final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [String] = []

  var lines: [String] { lock.withLock { told } }

  func add(_ line: String) { lock.withLock { told.append(line) } }
}
