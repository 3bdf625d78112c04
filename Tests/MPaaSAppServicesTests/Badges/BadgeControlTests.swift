import MPaaSAppServices
import Testing

/// The properties and methods of `MPAbsBadgeView` and `MPBadgeServiceConfig`, each by its counterpart.
@Suite("A badge's widget") @MainActor struct BadgeControlTests {
  final class Drawing: BadgeControl {
    var drawn: [BadgeValue] = []
    override func draw(_ value: BadgeValue) { drawn.append(value) }
  }

  final class Delegate: BadgeControlDelegate {
    var told: [WidgetInfo] = []
    func badgeControl(_ control: BadgeControl, didShow info: WidgetInfo) { told.append(info) }
  }

  @Test(
    "updateBadgeValue: draws each value of the old kit, and tells delegate and callback",
    arguments: [
      (".", BadgeValue.point, "."), ("new", .new, "new"), ("7", .number(7), "7"), ("99", .number(99), "99"),
      ("100", .number(100), "more"), ("惠", .offer, "惠"), ("0", .none, nil), (nil, .none, nil),
      ("hot", .custom("hot"), "hot"), ("99999999999999999999", .number(.max), "more"),
    ] as [(String?, BadgeValue, String?)])
  func update(_ text: String?, _ value: BadgeValue, _ shown: String?) {
    let control = Drawing(widgetID: "w")
    let delegate = Delegate()
    var called: [WidgetInfo] = []
    control.delegate = delegate
    control.callback = { called.append($0) }
    control.updateBadgeValue(text)
    #expect(control.drawn == [value])
    #expect(value.text == shown)
    #expect(control.widgetInfo == WidgetInfo?.some(called[0]))
    #expect(called.map(\.value) == [value])
    #expect(called.map(\.widgetID) == ["w"])
    #expect(delegate.told == called)
  }

  @Test("drawBadgeStyle: draws, and tells nobody")
  func draw() {
    let control = Drawing(widgetID: "w")
    control.callback = { _ in Issue.record("told") }
    control.drawBadgeStyle("new")
    #expect(control.drawn == [.new])
    #expect(control.widgetInfo == nil)
  }

  @Test(
    "numberCalculateMode: nil counts all, other words as the old kit has them",
    arguments: [(nil, BadgeCalculation.all), ("point", .point), ("new", .new), ("num", .number)]
      as [(String?, BadgeCalculation)])
  func mode(_ word: String?, _ calculation: BadgeCalculation) {
    let control = BadgeControl(widgetID: "w")
    control.numberCalculateMode = word
    #expect(control.calculation == calculation)
    #expect(control.numberCalculateMode == word)
  }

  @Test("a registered control shows the sum by its way of counting")
  func registered() async {
    let server = AcknowledgingServer()
    let tree = BadgeTree(server.configuration)
    let control = Drawing(widgetID: "tab")
    control.numberCalculateMode = "new"
    tree.register(control)
    tree.updateRemote([
      BadgeInfo("tab,a", style: .new, temporary: 1), BadgeInfo("tab,b", style: .number, temporary: 5),
    ])
    await tree.settle()
    #expect(control.drawn == [.none, .number(1)])
  }
}
