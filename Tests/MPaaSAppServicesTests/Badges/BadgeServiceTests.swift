import Foundation
import MPaaSLock
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@testable import MPaaSAppServices

/// A server in memory that answers with given badges, and hears of taps.
private final class BadgeDouble: Sendable {
  struct State {
    var update = BadgeUpdate(version: "1.a", full: true, badges: [], removed: [])
    var asked: [String] = []
    var taps: [BadgeAcknowledgement] = []
    var isDown = false
  }

  let state = Lock(State())

  var server: AppServer {
    AppServer("http://badges.test", appKey: "key", client: HTTPClient { call throws(HTTPError) in self.answer(call) })
  }

  private func answer(_ call: HTTPCall) -> HTTPReply {
    state.withLock { state in
      if state.isDown { return HTTPReply(status: 503) }
      if call.method == "POST", case .bytes(let body)? = call.body?.first,
        let taps = try? JSONDecoder().decode(BadgeAcknowledgement.self, from: Data(body.array))
      {
        state.taps.append(taps)
        return HTTPReply(status: 200, body: Array(#"{"count":1}"#.utf8))
      }
      state.asked.append(String(call.url.dropFirst("http://badges.test/api/v1/badges?".count)))
      return HTTPReply(status: 200, body: (try? JSONEncoder().encode(state.update)).map { Array($0) } ?? [])
    }
  }

  func tell(_ version: String, full: Bool, _ badges: [BadgeItem], removed: [String] = []) {
    state.withLock { $0.update = BadgeUpdate(version: version, full: full, badges: badges, removed: removed) }
  }
}

@Suite("Badges of a server") @MainActor struct BadgeServiceTests {
  private let double = BadgeDouble()

  private func service(_ folder: TemporaryFolder? = nil) -> BadgeService {
    BadgeService(double.server, cacheFolder: folder?.path, encrypt: { $0 }, decrypt: { $0 })
  }

  @Test("come in full the first time, then as changes since the version that is kept with them")
  func changes() async throws {
    let folder = try TemporaryFolder()
    let first = service(folder)
    #expect(try await !first.refresh(), "there is no user")
    await first.tree.refreshAfterLogin("ann")
    first.segments = ["vip"]
    double.tell(
      "5.x", full: true, [BadgeItem("tab,one", style: "num", temporary: 2), BadgeItem("tab,two", temporary: 1)])
    #expect(try await first.refresh())
    #expect(first.tree.count(widgetID: "tab") == 3)
    await first.tree.settle()
    let second = service(folder)
    await second.tree.refreshAfterLogin("ann")
    #expect(second.tree.count(widgetID: "tab") == 3)
    double.tell("7.x", full: false, [BadgeItem("tab,one", style: "num", temporary: 4)], removed: ["tab,two"])
    #expect(try await second.refresh())
    #expect(second.tree.count(widgetID: "tab") == 4)
    #expect(double.state.withLock { $0.asked } == ["user=ann&segments=vip", "user=ann&since=5.x"])
    await second.tree.refreshAfterLogin("bob")
    double.tell("7.y", full: true, [])
    try await second.refresh()
    #expect(double.state.withLock { $0.asked.last } == "user=bob")
  }

  @Test("taps are told with the user and the version that was seen; while they are not, they stay cleared")
  func taps() async throws {
    let service = service()
    await service.tree.refreshAfterLogin("ann")
    let badges = [BadgeItem("tab,one", style: "num", temporary: 2, persistent: 1)]
    double.tell("5.x", full: true, badges)
    try await service.refresh()
    double.state.withLock { $0.isDown = true }
    service.tree.tap(widgetID: "one")
    await service.tree.settle()
    #expect(service.tree.count(widgetID: "one") == 1)
    await #expect(throws: AppServiceError.self) { try await service.refresh() }
    // The server's answer knows nothing of the tap yet.
    let update = BadgeUpdate(version: "6.x", full: true, badges: badges, removed: [])
    #expect(service.tree.take(update, for: service.tree.ticket))
    #expect(service.tree.count(widgetID: "one") == 1)
    double.state.withLock { $0.isDown = false }
    double.tell("8.x", full: false, [BadgeItem("tab,one", style: "num", persistent: 1)])
    try await service.refresh()
    #expect(double.state.withLock { $0.taps } == [BadgeAcknowledgement(user: "ann", widgets: ["one"], version: "6.x")])
    #expect(service.tree.count(widgetID: "one") == 1)
  }

  @Test("that the app takes from elsewhere make the next question one for all")
  func elsewhere() async throws {
    let service = service()
    await service.tree.refreshAfterLogin("ann")
    double.tell("5.x", full: true, [BadgeItem("tab,one", temporary: 1)])
    try await service.refresh()
    service.tree.updateRemote([BadgeInfo("tab,two", temporary: 1)])
    try await service.refresh()
    #expect(double.state.withLock { $0.asked } == ["user=ann", "user=ann"])
    #expect(service.tree.badgeInfo("tab,two") == nil)
  }
}
