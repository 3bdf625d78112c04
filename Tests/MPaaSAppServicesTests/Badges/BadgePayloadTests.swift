import MPaaSAppServices
import MPaaSTestSupport
import Testing

@Suite("A payload of badges") struct BadgePayloadTests {
  private func read(_ text: String) throws -> [BadgeInfo] { try BadgeInfo.list(payload: Array(text.utf8)) }

  @Test("is a list of badges, by itself or under its name; what is missing is 0 and a point")
  func forms() throws {
    let one =
      #"{"badgeId": "a,b", "style": "num", "temporaryBadgeNumber": 3, "persistentBadgeNumber": 1, "bizId": "x"}"#
    let expected = BadgeInfo("a,b", style: .number, temporary: 3, persistent: 1, businessID: "x")
    #expect(try read("[\(one)]") == [expected])
    #expect(try read(#"{"badges": [\#(one)], "version": 4}"#) == [expected])
    #expect(try read(#"[{"badgeId": "a", "bizId": null}]"#) == [BadgeInfo("a")])
  }

  @Test(
    "reads the styles of the old kit",
    arguments: [
      (".", BadgeStyle.point), ("point", .point), ("new", .new), ("num", .number), ("12", .number), ("惠", .offer),
      ("hot", .custom("hot")), ("", .custom("")),
    ])
  func styles(_ text: String, _ style: BadgeStyle) { #expect(BadgeStyle(text) == style) }

  @Test(
    "is refused where a member cannot be so, with its name",
    arguments: [
      ("{", "JSON"), ("{}", "badges"), ("[1]", "badges[0]"), (#"[{"badgeId": ""}]"#, "badges[0].badgeId"),
      (#"[{"badgeId": ","}]"#, "badges[0].badgeId"), (#"[{"badgeId": "a", "style": 1}]"#, "badges[0].style"),
      (#"[{"badgeId": "a", "temporaryBadgeNumber": -1}]"#, "badges[0].temporaryBadgeNumber"),
      (#"[{"badgeId": "a", "persistentBadgeNumber": 1.5}]"#, "badges[0].persistentBadgeNumber"),
    ])
  func refused(_ text: String, _ field: String) throws {
    let error = #expect(throws: AppServiceError.self) { try read(text) }
    #expect(error?.identifier == "badge-payload-malformed")
    #expect(error?.values["field"] == field)
  }

  @Test("is refused where a path has more widgets than screens hold; it is no badge", arguments: [",", " , "])
  func deep(_ comma: String) throws {
    let most = BadgeInfo.mostWidgets
    let path = { (count: Int) in Array(repeating: "w", count: count).joined(separator: comma) }
    #expect(try read(#"[{"badgeId": "\#(path(most))"}]"#).first?.widgetIDs.count == most)
    let error = #expect(throws: AppServiceError.self) { try read(#"[{"badgeId": "\#(path(most + 1))"}]"#) }
    #expect(error?.values["field"] == "badges[0].badgeId")
    // The time grows by the square of the depth.
    #expect(BadgeForest([BadgeInfo(path(1 << 14), temporary: 1)]).liveBadges.isEmpty)
  }

  @Test("of any bytes is read or refused, and nothing else happens")
  func fuzz() {
    let seed = Array(#"{"badges":[{"badgeId":"a,b","style":"num","temporaryBadgeNumber":3},{"badgeId":"c"}]}"#.utf8)
    var random = SeededRandom(seed: 3)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let badges = try? BadgeInfo.list(payload: bytes) { _ = BadgeForest(badges) }
    }
  }
}
