import MPaaSNetwork
import Testing

@Suite("The plan of a link") struct LinkPlanTests {
  @Test("has the toxics of its direction in their order, with their names and shared buckets")
  func order() {
    let bucket = SharedBucket()
    let toxics = [
      Toxic(.latency(Latency(.seconds(1)))), Toxic(.blackout, direction: .upstream),
      Toxic(name: "all", .bandwidth(Bandwidth(bitsPerSecond: 1, isShared: true))),
      Toxic(name: "own", .bandwidth(Bandwidth(bitsPerSecond: 1))),
    ]
    let plan = LinkPlan(
      toxics, direction: .downstream, connection: 0, seed: 1, shared: ["all": bucket, "own": SharedBucket()])
    #expect(plan.names == ["latency_downstream", "all", "own"])
    #expect(plan.conditions == [toxics[0], toxics[2], toxics[3]].map(\.condition))
    #expect(plan.shared.keys.sorted() == [1])
    #expect(plan.shared[1] === bucket)
    #expect(LinkPlan(toxics, direction: .upstream, connection: 0, seed: 1).conditions == [.blackout])
  }

  @Test("has a toxic in the share of the connections that its toxicity says: 0 none, 1 all")
  func toxicity() {
    func touched(_ toxicity: Double, seed: UInt64 = 1) -> [Bool] {
      let toxics = [Toxic(.latency(Latency(.seconds(1))), toxicity: toxicity)]
      return (0..<10_000).map {
        !LinkPlan(toxics, direction: .downstream, connection: $0, seed: seed).conditions.isEmpty
      }
    }
    #expect(!touched(0).contains(true))
    #expect(!touched(1).contains(false))
    let some = touched(0.3)
    #expect(Statistics.isBinomial(some.count { $0 }, of: 10_000, 0.3))
    #expect(some == touched(0.3))
    #expect(some != touched(0.3, seed: 2))
    // A connection that is touched by less is touched by more.
    #expect(zip(some, touched(0.6)).allSatisfy { !$0 || $1 })
  }

  @Test("draws for each toxic and direction by itself")
  func independence() {
    let toxics = Direction.allCases.flatMap { direction in
      ["a", "b"].map { Toxic(name: $0, .blackout, direction: direction, toxicity: 0.5) }
    }
    var patterns: [String: Int] = [:]
    for connection: UInt64 in 0..<8000 {
      let plans = Direction.allCases.map { LinkPlan(toxics, direction: $0, connection: connection, seed: 5) }
      patterns[plans.map { $0.names.joined() }.joined(separator: "/"), default: 0] += 1
    }
    #expect(patterns.count == 16)
    #expect(patterns.values.allSatisfy { Statistics.isBinomial($0, of: 8000, 1.0 / 16) })
  }
}
