import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProfile

@Suite("The difference of two profiles") struct ProfileDifferenceTests {
  @Test("is sure of a function that doubled in hundreds of samples, not of chance")
  func sure() throws {
    let before = try Profile(text: "main;a 400\nmain;b 300\nmain;c 5\n")
    let after = try Profile(text: "main;a 800\nmain;b 310\nmain;c 7\n")
    let difference = try ProfileDifference(from: before, to: after)
    #expect(difference.entries.first?.name == "a")
    #expect(difference.entries.filter(\.own.isSure).map(\.name) == ["a"])
    #expect(difference.whole.growth.map { Int($0) } == 58)
    #expect(difference.whole.isSure)
    #expect(difference.entries[0].own.interval.low > 250 && difference.entries[0].own.interval.high < 550)
  }

  @Test("by shares finds nothing in a profile that is only longer")
  func shares() throws {
    let before = try Profile(text: "main;a 400\nmain;b 300\n")
    let after = try Profile(text: "main;a 4000\nmain;b 3000\n")
    let difference = try ProfileDifference(from: before, to: after, comparesShares: true)
    #expect(difference.entries.allSatisfy { !$0.own.isSure && $0.own.change == 0 })
  }

  @Test("of samples of the same program is sure of something at one time in twenty at most")
  func chance() throws {
    var random = SeededRandom(seed: 5)
    func profile() throws -> Profile {
      var counts = [Int](repeating: 0, count: 40)
      for _ in 0..<2000 {
        counts[min(Int.random(in: 0..<40, using: &random), Int.random(in: 0..<40, using: &random))] += 1
      }
      return try Profile(text: counts.enumerated().map { "main;f\($0) \($1)\n" }.joined())
    }
    var alarms = 0
    for _ in 0..<200 {
      let difference = try ProfileDifference(from: profile(), to: profile(), comparesShares: true)
      if difference.entries.contains(where: { $0.own.isSure }) { alarms += 1 }
    }
    #expect(alarms <= 20)
  }

  @Test("is refused where different things are counted")
  func types() throws {
    let time = Profile(name: "t", types: [.wall])
    #expect(throws: ProfileError.self) { try ProfileDifference(from: time, to: try Profile(text: "a 1\n")) }
  }

  @Test("uses intervals as their sources have them")
  func intervals() {
    let z = CountInterval.deviations(confidence: 0.95, tests: 1)
    #expect(abs(z - 1.959964) < 1e-5)
    // Newcombe 1998, table II, example (a), method 10: 56/70 - 48/80 is 0.2 (0.0524 to 0.3339).
    let one = CountInterval.proportion(48, of: 80, z), other = CountInterval.proportion(56, of: 70, z)
    let difference = CountInterval.difference(0.6, one, 0.8, other)
    #expect(abs(difference.low - 0.0524) < 1e-4 && abs(difference.high - 0.3339) < 1e-4)
  }
}
