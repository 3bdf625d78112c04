import MPaaSAppServices
import MPaaSTestSupport
import Testing

@Suite("Paths of badges") struct BadgeForestTests {
  private static let badges = [
    BadgeInfo("me,orders,unpaid", style: .number, temporary: 2, persistent: 1),
    BadgeInfo("me,orders,sent", style: .point, temporary: 1),
    BadgeInfo("me,coupons", style: .offer, persistent: 1), BadgeInfo("me,theme", style: .new, temporary: 1),
    BadgeInfo("home", style: .custom("hot"), temporary: 5),
  ]

  @Test("a parent shows the sum of what counts for it, a leaf its own style")
  func sums() {
    var forest = BadgeForest(Self.badges)
    #expect(forest.totals(widget: "me").sum(.all) == 6)
    #expect(forest.totals(widget: "me").sum(.point) == 1)
    #expect(forest.totals(widget: "me").sum(.new) == 1)
    #expect(forest.totals(widget: "me").sum(.number) == 3)
    #expect(forest.value(widget: "orders", .all) == .number(4))
    #expect(forest.value(widget: "orders", .new) == .none)
    #expect(forest.value(widget: "unpaid", .all) == .number(3))
    #expect(forest.value(widget: "sent", .all) == .point)
    #expect(forest.value(widget: "coupons", .all) == .offer)
    #expect(forest.value(widget: "theme", .all) == .new)
    #expect(forest.value(widget: "home", .all) == .custom("hot"))
    #expect(forest.value(widget: "nowhere", .all) == .none)
  }

  @Test("a badge of 0 shows nothing, and a parent of such badges neither")
  func zero() {
    var forest = BadgeForest([BadgeInfo("a,b", style: .new)])
    #expect(forest.value(widget: "b", .all) == .none)
    #expect(forest.value(widget: "a", .all) == .none)
  }

  @Test("of badges with one path the last counts, also where other parents stand between")
  func twice() {
    var forest = BadgeForest([
      BadgeInfo("a,b", style: .number, temporary: 1), BadgeInfo("c,d", style: .number, temporary: 1),
      BadgeInfo("a,b", style: .number, temporary: 7), BadgeInfo("a,b", style: .number, temporary: 9),
    ])
    #expect(forest.totals(widget: "a").sum(.all) == 9)
    #expect(forest.liveBadges.map(\.badgeID) == ["c,d", "a,b"])
  }

  @Test("a widget that has a badge and others below it counts both, in whatever order they come")
  func ownBadge() {
    let own = BadgeInfo("a,b", style: .number, temporary: 10)
    let below = BadgeInfo("a,b,c", style: .number, temporary: 1)
    for badges in [[own, below], [below, own]] {
      var forest = BadgeForest(badges)
      #expect(forest.totals(widget: "b").sum(.all) == 11)
      #expect(forest.totals(widget: "a").sum(.all) == 11)
      #expect(forest.isBranch("b"))
      var grown = BadgeForest([])
      for badge in badges { grown.insert(badge) }
      #expect(grown.totals(widget: "b").sum(.all) == 11)
      #expect(grown.totals(widget: "a").sum(.all) == 11)
    }
  }

  @Test("a widget on several paths counts the badges of all of them, each once")
  func severalPaths() {
    var forest = BadgeForest([
      BadgeInfo("x,shared,a", style: .number, temporary: 1), BadgeInfo("y,shared,b", style: .number, temporary: 2),
      BadgeInfo("z,shared", style: .number, temporary: 4), BadgeInfo("shared,shared,c", style: .number, temporary: 8),
      BadgeInfo("p,leaf", style: .number, temporary: 1), BadgeInfo("q,leaf", style: .number, temporary: 1),
    ])
    #expect(forest.totals(widget: "shared").sum(.all) == 15)
    #expect(forest.value(widget: "leaf", .all) == .number(2))
    #expect(forest.totals(widget: "leaf").sum(.all) == 2)
  }

  @Test("a business counts what names it, and what stands below a widget of it, each once")
  func businesses() {
    var forest = BadgeForest([
      BadgeInfo("#PUB#1,#PUB#2", style: .number, temporary: 1),
      BadgeInfo("#PUB#1,x", style: .number, temporary: 2, businessID: "PUB"),
      BadgeInfo("y", style: .number, temporary: 4, businessID: "PUB"), BadgeInfo("##,z", temporary: 8),
    ])
    #expect(forest.totals(business: "PUB").sum(.all) == 7)
    #expect(forest.totals(business: "").sum(.all) == 0)
    forest.insert(BadgeInfo("w", temporary: 1, businessID: "PUB"))
    #expect(forest.totals(business: "PUB").sum(.all) == 8)
  }

  @Test("blanks and empty widgets are left out of paths, and a path of nothing is no badge")
  func paths() {
    #expect(BadgeInfo(" a , b,,c ,").badgeID == "a,b,c")
    #expect(BadgeInfo("a,b").widgetIDs == ["a", "b"])
    #expect(BadgeInfo("a b,c").badgeID == "a b,c")
    #expect(BadgeInfo(" , ").badgeID == "")
    #expect(BadgeForest([BadgeInfo(","), BadgeInfo("a")]).liveBadges.map(\.badgeID) == ["a"])
    #expect(BadgeForest([]).badge("") == nil)
  }

  @Test("numbers beyond 2^31 are taken as it, and negative ones as 0")
  func numbers() {
    #expect(BadgeInfo("a", temporary: .max, persistent: .max).number == 2 * BadgeInfo.largestNumber)
    #expect(BadgeInfo("a", temporary: -1).temporaryNumber == 0)
  }

  /// A tree that is slow and plain: each question goes over all badges.
  private struct Plain {
    var badges: [(id: String, info: BadgeInfo)] = []

    mutating func insert(_ info: BadgeInfo) {
      guard !info.badgeID.isEmpty else { return }
      if let index = badges.firstIndex(where: { $0.id == info.badgeID }) {
        badges[index].info = info
      } else {
        badges.append((info.badgeID, info))
      }
    }

    func sum(_ widget: String, _ calculation: BadgeCalculation) -> Int {
      badges.reduce(0) { sum, badge in
        let counts =
          switch calculation {
          case .all: true
          case .point: badge.info.style == .point
          case .new: badge.info.style == .new
          case .number: badge.info.style == .number
          }
        return sum + (counts && badge.info.widgetIDs.contains(widget) ? badge.info.number : 0)
      }
    }
  }

  @Test("whatever badges come in whatever order, taken in at once or one by one, the sums are those of a plain count")
  func differential() {
    var random = SeededRandom(seed: 7)
    let names = ["a", "b", "cc", "d-long-name-of-a-widget", "e1234567", "#B#1"]
    let styles: [BadgeStyle] = [.point, .new, .number, .offer, .custom("x")]
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let badges = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in names.randomElement(using: &random) ?? "" }
        return BadgeInfo(
          path.joined(separator: ","), style: styles.randomElement(using: &random) ?? .point,
          temporary: Int.random(in: 0...3, using: &random), persistent: Int.random(in: 0...1, using: &random))
      }
      var plain = Plain()
      for badge in badges { plain.insert(badge) }
      let cut = Int.random(in: 0...badges.count, using: &random)
      var whole = BadgeForest(badges)
      var grown = BadgeForest(Array(badges[..<cut]))
      if cut % 2 == 0 { _ = grown.totals(widget: "a") }
      for badge in badges[cut...] { grown.insert(badge) }
      for name in names {
        for calculation in BadgeCalculation.allCases {
          let expected = plain.sum(name, calculation)
          #expect(whole.totals(widget: name).sum(calculation) == expected, "\(badges.map(\.badgeID)) \(name)")
          #expect(grown.totals(widget: name).sum(calculation) == expected, "\(badges.map(\.badgeID)) \(cut) \(name)")
        }
      }
      for badge in plain.badges {
        #expect(whole.badge(badge.id) == badge.info)
        #expect(grown.badge(badge.id) == badge.info)
      }
    }
  }
}
