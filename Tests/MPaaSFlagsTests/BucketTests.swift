import MPaaSBuckets
import MPaaSTestSupport
import Testing

@testable import MPaaSFlags

@Suite("Buckets") struct BucketTests {
  @Test(
    "are those of MurmurHash3",
    arguments: [("", 0, 0), ("a", 0, 0x3c25_69b2), ("hello", 0, 0x248b_fa47), ("hello, world", 0, 0x149b_bb7f)]
      as [(String, UInt32, UInt32)])
  func hash(_ text: String, _ seed: UInt32, _ value: UInt32) {
    var hash = MurmurHash3(seed: seed)
    hash.append(text)
    #expect(hash.value == value)
  }

  @Test("have as many of 1,000,000 users as the percentage says, within 0.2 points")
  func fair() {
    var counts = [Int](repeating: 0, count: 101)
    let users = 1_000_000
    for user in 0..<users {
      var hash = MurmurHash3(seed: 0)
      hash.append("checkout:user-")
      hash.append("\(user)")
      counts[Int(hash.bucket(of: 100))] += 1
    }
    var sum = 0
    for percentage in 1...100 {
      sum += counts[percentage]
      #expect((Double(sum) * 100 / Double(users) - Double(percentage)).magnitude <= 0.2, "\(percentage) percent")
    }
  }

  @Test("let nobody fall out when the percentage grows")
  func growing() throws {
    var on: Set<Int> = []
    for percentage in stride(from: 0, through: 100, by: 5) {
      let snapshot = FlagSnapshot(
        try FlagState(
          json: #"{"features":[{"name":"f","enabled":true,"strategies":[{"name":"flexibleRollout","parameters":"#
            + #"{"rollout":"\#(percentage)","stickiness":"userId","groupId":"g"}}]}]}"#))
      let now = Set((0..<2_000).filter { snapshot.isEnabled("f", for: FlagContext(userId: "u\($0)")) })
      #expect(now.isSuperset(of: on))
      on = now
    }
    #expect(on.count == 2_000)
  }

  @Test("are the same for a flag and its parent where chance decides")
  func chance() throws {
    let snapshot = FlagSnapshot(
      try FlagState(
        json: #"{"features":[{"name":"parent","enabled":true,"strategies":[{"name":"gradualRolloutRandom","#
          + #""parameters":{"percentage":"50"}}]},{"name":"child","enabled":true,"strategies":[{"name":"#
          + #""gradualRolloutRandom","parameters":{"percentage":"50"}}],"dependencies":[{"feature":"parent"}]}]}"#))
    // With one draw for both the child is on half of the time, with two a quarter of it.
    let on = (0..<4_000).count { _ in snapshot.isEnabled("child", for: FlagContext()) }
    #expect((1_700...2_300).contains(on))
  }
}
