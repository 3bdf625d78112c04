import MPaaSAppServices
import MPaaSTestSupport
import Testing

/// The methods of `MPBadgeManager`, each by its counterpart.
@Suite("The badge tree") @MainActor struct BadgeTreeTests {
  private let server = AcknowledgingServer()

  private func tree(_ folder: TemporaryFolder? = nil) -> BadgeTree {
    BadgeTree(server.configuration, cacheFolder: folder?.path)
  }

  private func badges() -> [BadgeInfo] {
    [
      BadgeInfo("tab,list,one", style: .number, temporary: 3),
      BadgeInfo("tab,list,two", style: .point, temporary: 1, persistent: 1),
    ]
  }

  @Test("setBadgeServiceConfig: another configuration gets the taps from then on")
  func configuration() async {
    let tree = tree()
    let other = AcknowledgingServer()
    tree.configuration = other.configuration
    tree.updateRemote(badges())
    tree.tap(widgetID: "one")
    #expect(await other.next() == ["one"])
    #expect(server.calls.isEmpty)
  }

  @Test("registerBadgeView: a widget is told what is there, and what changes, once for all changes of a turn")
  func register() async {
    let tree = tree()
    tree.updateRemote(badges())
    let tab = RecordingWidget("tab")
    tree.register(tab)
    #expect(tab.values == [.number(5)])
    tree.insertRemote([BadgeInfo("tab,more", style: .new, temporary: 1)])
    tree.insertRemote([BadgeInfo("tab,most", style: .new, temporary: 1)])
    #expect(tab.values == [.number(5)])
    await tree.settle()
    #expect(tab.values == [.number(5), .number(7)])
    tree.insertRemote([BadgeInfo("elsewhere", temporary: 1)])
    await tree.settle()
    #expect(tab.values.count == 2)
  }

  @Test("unregisterBadgeView: a widget hears nothing any more; one that went away is not kept")
  func unregister() async {
    let tree = tree()
    let tab = RecordingWidget("tab")
    tree.register(tab)
    tree.unregister(tab)
    tree.updateRemote(badges())
    await tree.settle()
    #expect(tab.values == [.none])
    weak var gone: RecordingWidget?
    do {
      let brief = RecordingWidget("tab")
      gone = brief
      tree.register(brief)
    }
    #expect(gone == nil)
    #expect(tree.registeredCount == 0)
    await tree.settle()
  }

  @Test("a cell that is used again for another widget is told that one's value")
  func reuse() async {
    let tree = tree()
    tree.updateRemote(badges())
    let cell = RecordingWidget("one")
    tree.register(cell)
    cell.widgetID = "two"
    tree.register(cell)
    #expect(cell.values == [.number(3), .point])
    cell.widgetID = "one"
    tree.refresh()
    #expect(cell.values == [.number(3), .point, .number(3)])
  }

  @Test("tapBadgeView: a leaf loses its temporary number and keeps the other; a parent stays as it is")
  func tap() async {
    let tree = tree()
    tree.updateRemote(badges())
    let (tab, two) = (RecordingWidget("tab"), RecordingWidget("two"))
    tree.register(tab)
    tree.register(two)
    tree.tap(tab)
    #expect(tree.count(widgetID: "tab") == 5)
    tree.tap(two)
    #expect(tree.badgeInfo("tab,list,two") == BadgeInfo("tab,list,two", style: .point, persistent: 1))
    #expect(tree.count(widgetID: "tab") == 4)
    await tree.settle()
    #expect(tab.values == [.number(5), .number(4)])
    #expect(two.values == [.point])
    #expect(await server.next() == ["two"])
  }

  @Test("tapBadgeViewWithWidgetId: what the server sent is acknowledged once, and nothing where there was nothing")
  func tapByID() async {
    let tree = tree()
    tree.updateRemote(badges())
    tree.tap(widgetID: "one")
    tree.tap(widgetID: "one")
    tree.tap(widgetID: "list")
    tree.tap(widgetID: "nowhere")
    #expect(await server.next() == ["one"])
    await tree.settle()
    #expect(server.calls == [["one"]])
    #expect(tree.value(widgetID: "one") == .none)
  }

  @Test("badgeInfoWithBadgeId: a badge by its path, and nil for none")
  func info() {
    let tree = tree()
    tree.updateRemote(badges())
    #expect(tree.badgeInfo("tab,list,one")?.temporaryNumber == 3)
    #expect(tree.badgeInfo("tab,list") == nil)
  }

  @Test("badgeCountWithBizId and badgeCountWithWidgetId: sums of a business and of a widget")
  func counts() {
    let tree = tree()
    tree.updateRemote([
      BadgeInfo("#PUB#1,#PUB#2", style: .number, temporary: 2), BadgeInfo("x", temporary: 1, businessID: "PUB"),
    ])
    #expect(tree.count(businessID: "PUB") == 3)
    #expect(tree.count(businessID: "none") == 0)
    #expect(tree.count(widgetID: "#PUB#1") == 2)
    #expect(tree.count(widgetID: "#PUB#1", .point) == 0)
  }

  @Test("updateRemoteBadgeInfo: the server's badges take the place of its former ones; local ones stay")
  func updateRemote() {
    let tree = tree()
    tree.updateRemote(badges())
    tree.insertLocal([BadgeInfo("tab,mine", style: .number, temporary: 1)])
    tree.updateRemote([BadgeInfo("tab,list,one", style: .number, temporary: 10)])
    #expect(tree.count(widgetID: "tab") == 11)
    #expect(tree.badgeInfo("tab,list,two") == nil)
  }

  @Test("insertRemoteBadgeInfo: badges are added, those of the same path replaced, and taps acknowledged")
  func insertRemote() async {
    let tree = tree()
    tree.updateRemote(badges())
    tree.insertRemote([
      BadgeInfo("tab,list,one", style: .number, temporary: 1), BadgeInfo("tab,new", style: .new, temporary: 1),
    ])
    #expect(tree.count(widgetID: "tab") == 4)
    tree.tap(widgetID: "new")
    #expect(await server.next() == ["new"])
  }

  @Test("insertLocalBadgeInfo: badges are shown, but neither kept nor acknowledged")
  func insertLocal() async throws {
    let folder = try TemporaryFolder()
    let tree = tree(folder)
    await tree.refreshAfterLogin("ann")
    tree.insertLocal([BadgeInfo("tab,mine", style: .number, temporary: 1)])
    tree.updateRemote([BadgeInfo("tab,theirs", style: .number, temporary: 1)])
    #expect(tree.count(widgetID: "tab") == 2)
    tree.tap(widgetID: "mine")
    tree.tap(widgetID: "theirs")
    #expect(await server.next() == ["theirs"])
    tree.insertLocal([BadgeInfo("tab,mine", style: .number, temporary: 1)])
    tree.updateRemote([BadgeInfo("tab,theirs", style: .number, temporary: 1)])
    await tree.settle()
    let later = self.tree(folder)
    await later.refreshAfterLogin("ann")
    #expect(later.count(widgetID: "tab") == 1)
    #expect(server.calls == [["theirs"]])
  }

  @Test("clearAllBadges: nothing is shown any more, and what is kept comes back with the next log-in")
  func clearAll() async throws {
    let folder = try TemporaryFolder()
    let tree = tree(folder)
    await tree.refreshAfterLogin("ann")
    let tab = RecordingWidget("tab")
    tree.register(tab)
    tree.updateRemote(badges())
    await tree.settle()
    tree.clearAll()
    await tree.settle()
    #expect(tab.values == [.none, .number(5), .none])
    await tree.refreshAfterLogin("bob")
    await tree.refreshAfterLogin("ann")
    #expect(tree.count(widgetID: "tab") == 5)
  }
}
