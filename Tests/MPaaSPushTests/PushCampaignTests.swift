import Foundation
import MPaaSProtocol
import MPaaSSupport
import Testing

@testable import MPaaSPush

extension PushCampaign {
  /// Reads a campaign of JSON text.
  fileprivate init(_ text: String) throws(PushError) {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(PushError) in try PushCampaign(bytes) }
    }
    self = try result.get()
  }
}

@Suite("A campaign of notifications") struct PushCampaignTests {
  private static let whole = """
    {"id": "spring-sale", "topic": "com.example.shop", "environment": "sandbox",
     "audience": [{"contextName": "tags", "operator": "IN", "values": ["vip"]}],
     "texts": {"en": {"title": "Sale", "body": "From {price} {{today}}"}, "zh-Hans": {"body": "{price} 起"},
       "zh-Hant": {"body": "{price} 起 (繁)"}, "pt_BR": {"body": "{shop}"}},
     "fallback": "en", "values": {"price": {"en": "$9", "zh": "¥66"}, "shop": "Shop"},
     "badge": 1, "sound": "default", "data": {"page": {"n": 7}}, "priority": 5, "collapse_id": "sale",
     "start": "2026-12-01T09:00:00+08:00", "expires": 1796100000, "rate": 50,
     "quiet": {"from": "22:00", "to": "08:00", "timezone": "Asia/Shanghai"}}
    """

  @Test("has a payload for each language, with values of the language or of the one that users fall back on")
  func payloads() throws {
    let campaign = try PushCampaign(Self.whole)
    #expect(campaign.languages == ["en", "pt_BR", "zh-Hans", "zh-Hant"])
    let payloads = try campaign.notifications().map(\.payload)
    #expect(
      payloads[0]
        == #"{"aps":{"alert":{"body":"From $9 {today}","title":"Sale"},"badge":1,"sound":"default"},"page":{"n":7}}"#)
    #expect(payloads[1].contains(#""alert":"Shop""#))
    #expect(payloads[2].contains("¥66 起") && payloads[3].contains("¥66 起 (繁)"))
    #expect(campaign.start == 1_796_086_800 && campaign.environment == .sandbox && campaign.rate == 50)
    #expect(campaign.quiet == QuietHours(start: 1320, end: 480, zone: "Asia/Shanghai"))
    #expect(try campaign.notifications()[0].expiration == 1_796_100_000)
    #expect(try PushCampaign(campaign.source) == campaign)
  }

  @Test(
    "shows a user the nearest language, by RFC 4647, and Chinese by the script of its region",
    arguments: [
      ("en-GB", "en"), ("zh-Hans-CN", "zh-Hans"), ("zh_CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-Hant-HK", "zh-Hant"),
      ("zh", "zh-Hans"), ("ZH-hans-SG", "zh-Hans"), ("zh-HK-u-ca-chinese", "zh-Hant"), ("pt-BR", "pt_BR"),
      ("pt-PT", "en"), ("fr", "en"), ("", "en"), ("-", "en"), ("zh-Hans_CN@calendar=x", "zh-Hans"),
      (String(repeating: "a-", count: 4000), "en"),
    ])
  func languages(_ locale: String, _ wanted: String) throws {
    let campaign = try PushCampaign(Self.whole)
    #expect(campaign.languages[campaign.choice(locale)] == wanted)
    #expect(campaign.choice(nil) == 0)
  }

  @Test("is refused by the member that cannot be so, and by members that it does not have")
  func refused() throws {
    let changes: [(String, String, String)] = [
      ("\"id\": \"spring-sale\"", "\"id\": \"../x\"", "id"), ("\"sandbox\"", "\"test\"", "environment"),
      ("\"rate\": 50", "\"rate\": 0", "rate"), ("\"rate\": 50", "\"rate\": 1e9", "rate"),
      ("\"rate\": 50", "\"rates\": 50", "rates"), ("\"22:00\"", "\"24:00\"", "quiet.from"),
      ("\"22:00\"", "\"08:00\"", "quiet.to"), ("\"Asia/Shanghai\"", "\"../etc\"", "quiet.timezone"),
      ("\"fallback\": \"en\"", "\"fallback\": \"fr\"", "fallback"), ("\"fallback\": \"en\",", "", "fallback"),
      ("1796100000", "1", "expires"), ("09:00:00+08:00", "09:00", "start"), ("2026-12-01", "2026-13-01", "start"),
      ("\"page\"", "\"aps\"", "data.aps"), ("\"badge\": 1", "\"badge\": -1", "badge"),
      ("{\"shop\"}", "{\"shop\"}", ""), ("\"title\": \"Sale\"", "\"titel\": \"Sale\"", "texts.en.titel"),
      ("{\"body\": \"{shop}\"}", "{}", "texts.pt_BR"), ("com.example.shop", "com example", "topic"),
      ("\"shop\": \"Shop\"", "\"shop\": 7", "values.shop"),
    ]
    for (old, new, field) in changes where !field.isEmpty {
      let text = Self.whole.replacingOccurrences(of: old, with: new)
      try #require(text != Self.whole, "\(old)")
      let error = #expect(throws: PushError.self) { try PushCampaign(text) }
      #expect(error?.code == .campaignMalformed && error?.values["field"] == field, "\(field)")
    }
    let unnamed = Self.whole.replacingOccurrences(of: "\"shop\": \"Shop\"", with: "\"x\": \"y\"")
    #expect(throws: PushError(.campaignValue, ["name": "{shop}"])) { try PushCampaign(unnamed) }
    for text in ["{open", "close}", "{}"] {
      let error = #expect(throws: PushError.self) {
        try PushCampaign("{\"id\":\"a\",\"topic\":\"t\",\"texts\":{\"en\":{\"body\":\"\(text)\"}}}")
      }
      #expect(error?.code == .campaignValue)
    }
    #expect(throws: PushError.self) { try PushCampaign("{\"id\":\"a\",\"topic\":\"t\"}") }
    #expect(throws: PushError.self) { try PushCampaign("[]") }
    #expect(throws: PushError.self) { try PushCampaign(String(repeating: "[", count: 100_000)) }
  }

  @Test("is too large where one of its languages is, and says which")
  func sizes() throws {
    func campaign(_ count: Int) -> String {
      """
      {"id":"a","topic":"t","fallback":"en","texts":{"en":{"body":"x"},"zh":{"body":"{w}"}},
      "values":{"w":"\(String(repeating: "z", count: count))"}}
      """
    }
    let most = 4096 - #"{"aps":{"alert":""}}"#.utf8.count
    _ = try PushCampaign(campaign(most))
    let error = #expect(throws: PushError.self) { try PushCampaign(campaign(most + 1)) }
    #expect(error?.code == .campaignTooLarge && error?.values == ["language": "zh", "bytes": "4097", "limit": "4096"])
    let small = try PushCampaign(campaign(4000))
    #expect(try small.messages().count == 2)
    let other = try PushCampaign("{\"id\":\"a\",\"topic\":\"t\",\"data\":{\"n\":1}}")
    #expect(other.languages == [""])
    #expect(throws: PushError(.campaignMalformed, ["field": "data.n"])) { try other.messages() }
  }

  @Test("never crashes what reads it, whatever bytes are changed")
  func damaged() {
    var random = SystemRandomNumberGenerator()
    let bytes = Array(Self.whole.utf8)
    for _ in 0..<5000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default: damaged.insert(contentsOf: bytes.dropFirst(place).prefix(9), at: place)
        }
      }
      _ = try? damaged.withUnsafeBytes { try PushCampaign($0) }
    }
  }
}
