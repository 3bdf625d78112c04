import Foundation
import MPaaSSupport
import Testing

@testable import MPaaSPush
@testable import MPaaSTimeZones

/// Tells whether the system has files of zones.
private let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Asia/Shanghai")

@Suite("The zones of a system") struct TimeZoneTests {
  private static let folder = "/usr/share/zoneinfo"
  private static let places = [
    "Asia/Shanghai", "Asia/Kolkata", "America/New_York", "America/Sao_Paulo", "Europe/London", "Australia/Lord_Howe",
    "Africa/Casablanca", "Pacific/Apia", "Asia/Gaza", "America/Argentina/Buenos_Aires", "Antarctica/Troll",
    "Pacific/Chatham", "Asia/Tehran",
  ]

  @Test("have the offsets that Foundation finds, from 1970 to 2060", .enabled(if: hasZones), arguments: places)
  func offsets(_ name: String) throws {
    let rules = try #require(TimeZoneTable().rules(name))
    let zone = try #require(TimeZone(identifier: name))
    for second in stride(from: 0, to: 2_839_000_000, by: 777_777) {
      let wanted = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
      #expect(rules.offset(at: second) == wanted, "\(name) \(second)")
    }
  }

  @Test("follow the rule behind the last change of a slim file")
  func rule() throws {
    let paris = try #require(YearlyTimeRule("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(paris.offset(at: 1_774_746_000 - 1) == 3600)
    #expect(paris.offset(at: 1_774_746_000) == 7200)
    #expect(paris.offset(at: 1_792_890_000 - 1) == 7200)
    #expect(paris.offset(at: 1_792_890_000) == 3600)
    let south = try #require(YearlyTimeRule("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"))
    #expect(south.offset(at: 1_767_225_600) == 39_600)
    #expect(south.offset(at: 1_782_864_000) == 37_800)
    #expect(YearlyTimeRule("CST-8")?.offset(at: 0) == 28_800)
    for bad in ["", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "CET-1,x", "<CET-1"] {
      #expect(YearlyTimeRule(bad) == nil, "\(bad)")
    }
  }

  @Test("are named in words that lead out of no folder")
  func names() {
    let table = TimeZoneTable()
    let others = ["../../etc/passwd", "/etc/passwd", "Asia/../Asia/Shanghai", "", "Asia//Shanghai", "a\u{0}b"]
    for bad in others + ["No/Where"] {
      #expect(table.rules(bad) == nil, "\(bad)")
    }
    #expect(table.rules("+05:45")?.offset(at: 0) == 20_700)
    #expect(table.rules("-03:30")?.offset(at: 0) == -12_600)
    #expect(table.rules("UTC")?.offset(at: 9) == 0)
  }

  @Test("are refused or read, and never crash, with any bytes changed or cut", .enabled(if: hasZones))
  func damaged() throws {
    var random = SystemRandomNumberGenerator()
    let bytes = try Bytes.reading(Self.folder + "/America/New_York", limit: 1 << 20).array
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0...damaged.count, using: &random)) }
      _ = TimeZoneFile.rules(damaged)?.offset(at: Int.random(in: .min ... .max, using: &random) >> 8)
    }
    for place in stride(from: 20, to: 44, by: 4) {
      var damaged = bytes
      damaged.replaceSubrange(place..<(place + 4), with: [255, 255, 255, 255])
      #expect(TimeZoneFile.rules(damaged) == nil)
    }
  }

  @Test("say when quiet hours end, over midnight and over a change of clocks")
  func quiet() throws {
    let night = QuietHours(start: 22 * 60, end: 8 * 60, zone: "UTC")
    let utc = TimeZoneRules(fixed: 0)
    #expect(night.end(at: 79_200, utc) == 115_200.0)
    #expect(night.end(at: 79_199, utc) == nil)
    #expect(night.end(at: 3600, utc) == 28_800.0)
    #expect(night.end(at: 28_800, utc) == nil)
    let noon = QuietHours(start: 12 * 60, end: 14 * 60, zone: "UTC")
    #expect(noon.end(at: 43_200, utc) == 50_400.0)
    #expect(noon.end(at: 50_400, utc) == nil)
    #expect(noon.end(at: 21_600, TimeZoneRules(fixed: 21_600)) == 28_800.0)
    // Clocks are put on at 2026-03-29 02:00: the night is an hour shorter.
    let paris = TimeZoneRules(changes: [], first: 0, rule: YearlyTimeRule("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(night.end(at: 1_774_731_600, paris) == 1_774_764_000.0)
    #expect(night.end(at: 1_774_735_200, paris) == 1_774_764_000.0)
    #expect(night.end(at: 1_774_763_999, paris) == 1_774_764_000.0)
  }
}
