import Dispatch
import MPaaSAppServices
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Badges of users") @MainActor struct BadgeUserTests {
  private let server = AcknowledgingServer()
  private let badge = BadgeInfo("tab,one", style: .number, temporary: 2)

  @Test("refreshAfterLogin: each user finds the own badges again, and without a user there are none")
  func users() async throws {
    let folder = try TemporaryFolder()
    let tree = BadgeTree(server.configuration, cacheFolder: folder.path)
    await tree.refreshAfterLogin("ann")
    tree.updateRemote([badge])
    await tree.refreshAfterLogin("bob")
    #expect(tree.count(widgetID: "tab") == 0)
    tree.updateRemote([BadgeInfo("tab,two", style: .number, temporary: 7)])
    await tree.refreshAfterLogin(nil)
    #expect(tree.count(widgetID: "tab") == 0)
    await tree.refreshAfterLogin("ann")
    #expect(tree.badgeInfo("tab,one") == badge)
    #expect(tree.badgeInfo("tab,two") == nil)
  }

  @Test("what is kept went through the app's function, and neither names nor badges can be read in it")
  func encrypted() async throws {
    let folder = try TemporaryFolder()
    let tree = BadgeTree(server.configuration, cacheFolder: folder.path)
    await tree.refreshAfterLogin("ann-2088001")
    tree.updateRemote([badge])
    await tree.settle()
    let name = try #require(try FileSystem.names(in: folder.path).first)
    let text = String(decoding: try Bytes.reading(folder.path + "/" + name).array, as: UTF8.self)
    for secret in ["ann-2088001", "tab,one", "badgeId"] {
      #expect(!text.contains(secret))
      #expect(!name.contains(secret))
    }
  }

  @Test("badges that were fetched for one user are not taken for the next")
  func fetched() async {
    let tree = BadgeTree(server.configuration)
    await tree.refreshAfterLogin("ann")
    let ticket = tree.ticket
    #expect(tree.updateRemote([badge], for: ticket))
    await tree.refreshAfterLogin("bob")
    #expect(!tree.updateRemote([badge], for: ticket))
    #expect(!tree.insertRemote([badge], for: ticket))
    #expect(tree.count(widgetID: "tab") == 0)
    await tree.refreshAfterLogin("ann")
    #expect(!tree.updateRemote([badge], for: ticket))
  }

  @Test("badges that come while those that are kept are read replace neither them nor taps that wait")
  func overlapping() async throws {
    let folder = try TemporaryFolder()
    let tree = BadgeTree(server.configuration, cacheFolder: folder.path)
    server.answers = false
    await tree.refreshAfterLogin("ann")
    tree.updateRemote([badge, BadgeInfo("tab,three", temporary: 1)])
    tree.tap(widgetID: "one")
    #expect(await server.next() == ["one"])
    await tree.settle()
    // The disk is busy with the badges of another user until all below wait for it.
    let gate = DispatchSemaphore(value: 0)
    let encrypt = server.configuration.encrypt
    await tree.refreshAfterLogin("bob")
    tree.configuration.encrypt = { plain in
      gate.wait()
      return try encrypt(plain)
    }
    tree.updateRemote([badge])
    tree.configuration.encrypt = encrypt
    let login = Task { await tree.refreshAfterLogin("ann") }
    while tree.userID != "ann" { await Task.yield() }
    tree.insertRemote([BadgeInfo("tab,two", style: .number, temporary: 7)])
    gate.signal()
    await login.value
    #expect(tree.badgeInfo("tab,three")?.number == 1)
    #expect(await server.next() == ["one"])
    await tree.settle()
    let later = BadgeTree(server.configuration, cacheFolder: folder.path)
    await later.refreshAfterLogin("ann")
    #expect(later.badgeInfo("tab,two")?.number == 7 && later.badgeInfo("tab,three")?.number == 1)
    #expect(await server.next() == ["one"])
  }

  @Test("a damaged cache is told, and is as good as none")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let tree = BadgeTree(server.configuration, cacheFolder: folder.path)
    await tree.refreshAfterLogin("ann")
    tree.updateRemote([badge])
    await tree.settle()
    let path = folder.path + "/" + (try FileSystem.names(in: folder.path)[0])
    let good = try Bytes.reading(path).array
    for place in 0..<good.count {
      var bytes = good
      bytes[place] ^= 0x41
      try Bytes(bytes).write(to: path)
      let later = BadgeTree(server.configuration, cacheFolder: folder.path)
      await later.refreshAfterLogin("ann")
      #expect(later.count(widgetID: "tab") <= 9)
    }
    try Bytes(Array("nothing".utf8)).write(to: path)
    let later = BadgeTree(server.configuration, cacheFolder: folder.path)
    await later.refreshAfterLogin("ann")
    #expect(later.count(widgetID: "tab") == 0)
    #expect(server.reports.contains("badge-cache-unreadable"))
  }

  @Test("taps that the server was not told of wait, in their order, over the end of the app")
  func queued() async throws {
    let folder = try TemporaryFolder()
    let tree = BadgeTree(server.configuration, cacheFolder: folder.path)
    server.answers = false
    await tree.refreshAfterLogin("ann")
    tree.updateRemote((1...3).map { BadgeInfo("tab,w\($0)", style: .number, temporary: 1) })
    tree.tap(widgetID: "w2")
    #expect(await server.next() == ["w2"])
    await tree.settle()
    tree.tap(widgetID: "w1")
    #expect(await server.next() == ["w2", "w1"])
    await tree.settle()
    server.answers = true
    let later = BadgeTree(server.configuration, cacheFolder: folder.path)
    await later.refreshAfterLogin("bob")
    await later.settle()
    #expect(server.calls.count == 2)
    await later.refreshAfterLogin("ann")
    #expect(await server.next() == ["w2", "w1"])
    #expect(later.count(widgetID: "tab") == 1)
    await later.settle()
    let last = BadgeTree(server.configuration, cacheFolder: folder.path)
    await last.refreshAfterLogin("ann")
    await last.settle()
    #expect(server.calls.count == 3)
  }
}
