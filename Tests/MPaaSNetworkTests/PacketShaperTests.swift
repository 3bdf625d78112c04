import Foundation
import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import Testing

@Suite("Packets under conditions") struct PacketShaperTests {
  /// A path with a clock that jumps from one event to the next.
  struct Path {
    var shaper: PacketShaper
    var now: Int64 = 1_000_000_000
    var next: NIODeadline?
    var emitted: [(time: Int64, packet: ByteBuffer)] = []

    init(_ conditions: [Condition], seed: UInt64 = 1, shared: [Int: SharedBucket] = [:]) {
      shaper = PacketShaper(
        LinkPlan(conditions: conditions, seed: seed, shared: shared), at: .uptimeNanoseconds(1_000_000_000))
    }

    mutating func advance() {
      let time = now
      next = shaper.advance(to: .uptimeNanoseconds(UInt64(now))) { emitted.append((time: time, packet: $0)) }
    }

    mutating func receive(_ number: Int, size: Int = 8) {
      take(number, size: size)
      advance()
    }

    /// Receives a packet and looks for what is due some other time.
    mutating func take(_ number: Int, size: Int = 8) {
      var packet = ByteBuffer(integer: UInt64(number))
      if size > 8 { packet.writeRepeatingByte(0, count: size - 8) }
      shaper.receive(packet, at: .uptimeNanoseconds(UInt64(now)))
    }

    mutating func run(for duration: Duration) {
      let end = now + duration.inNanoseconds
      while let due = next, Int64(due.uptimeNanoseconds) <= end {
        now = max(now, Int64(due.uptimeNanoseconds))
        advance()
      }
      now = end
    }

    mutating func change(_ conditions: [Condition]) {
      shaper.change(to: LinkPlan(conditions: conditions, seed: 1), at: .uptimeNanoseconds(UInt64(now)))
      advance()
    }

    var numbers: [Int] {
      emitted.map { Int(truncatingIfNeeded: $0.packet.getInteger(at: $0.packet.readerIndex, as: UInt64.self) ?? 0) }
    }
  }

  /// Sends packets a microsecond after each other, and lets all come through.
  ///
  /// - Parameter looking: After how many packets it looks for what is due; 1 where times count.
  static func send(
    _ count: Int, through conditions: [Condition], seed: UInt64 = 1, looking: Int = 1
  ) -> Path {
    var path = Path(conditions, seed: seed)
    path.emitted.reserveCapacity(count)
    for number in 0..<count {
      path.take(number)
      if number % looking == 0 { path.advance() }
      path.now += 1000
    }
    path.advance()
    path.run(for: .seconds(1000))
    return path
  }

  @Test("pass by a shaper whose conditions are for streams")
  func transparent() {
    let path = Self.send(3, through: [.slowClose(SlowClose(.seconds(1))), .noop, .resetPeer(ResetPeer())])
    #expect(path.shaper.isTransparent)
    #expect(path.numbers == [0, 1, 2])
  }

  @Test(
    "are lost as often as was asked for, within binomial bounds",
    arguments: [(0.001, 20_000), (0.02, 100_000), (0.1, 20_000), (0.5, 20_000)])
  func loss(probability: Double, count: Int) {
    let path = Self.send(count, through: [.loss(Loss(probability))], looking: 500)
    #expect(Statistics.isBinomial(Int(path.shaper.lost), of: count, probability))
    #expect(path.emitted.count + Int(path.shaper.lost) == count)
    #expect(path.numbers == path.numbers.sorted())
  }

  @Test("are lost in bursts of the mean length, as often in all", arguments: [(0.02, 5.0), (0.1, 3.0), (0.9, 2.0)])
  func bursts(probability: Double, length: Double) {
    let path = Self.send(40_000, through: [.loss(Loss(probability, meanBurst: length))], looking: 500)
    let share = Double(path.shaper.lost) / 40_000
    // Losses that come in bursts vary more: by about twice their length.
    #expect(abs(share - probability) < 4 * (2 * length * probability / 40_000).squareRoot())
    let gaps = zip(path.numbers, path.numbers.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 0 }
    let mean = Double(gaps.reduce(0, +)) / Double(gaps.count)
    let expected = max(length, probability / (1 - probability))
    // Lengths are geometric: 4 standard deviations of the mean of as many as there were.
    #expect(abs(mean - expected) < 4 * (expected * (expected - 1) / Double(gaps.count)).squareRoot(), "\(mean)")
  }

  @Test("all are lost, or none, by a probability of 1 or 0")
  func ends() {
    #expect(Self.send(1000, through: [.loss(Loss(1))]).shaper.lost == 1000)
    #expect(Self.send(1000, through: [.loss(Loss(1, meanBurst: 3))]).shaper.lost == 1000)
    #expect(Self.send(1000, through: [.loss(Loss(0))]).shaper.lost == 0)
    for condition: Condition in [.blackout, .flightMode, .timeout(Timeout(.zero))] {
      let path = Self.send(1000, through: [condition])
      #expect(path.shaper.lost == 1000)
      #expect(path.emitted.isEmpty)
    }
  }

  @Test("are doubled, changed by one bit, and moved back as often as was asked for")
  func others() {
    let doubled = Self.send(20_000, through: [.duplicate(Duplicate(0.1))], looking: 500)
    #expect(Statistics.isBinomial(doubled.emitted.count - 20_000, of: 20_000, 0.1))
    #expect(Set(doubled.numbers).count == 20_000)

    let changed = Self.send(20_000, through: [.corruption(Corruption(0.1))])
    let flips = changed.numbers.enumerated().map { ($0.offset ^ $0.element).nonzeroBitCount }
    #expect(flips.allSatisfy { $0 <= 1 })
    #expect(Statistics.isBinomial(flips.reduce(0, +), of: 20_000, 0.1))

    let moved = Self.send(20_000, through: [.reorder(Reorder(0.05, delay: .milliseconds(1)))])
    #expect(moved.numbers != moved.numbers.sorted())
    #expect(Set(moved.numbers).count == 20_000)
    let late =
      moved.emitted.count { $0.time > 0 }
      - zip(moved.emitted, moved.numbers).count { item, number in
        item.time == 1_000_000_000 + Int64(number) * 1000
      }
    #expect(Statistics.isBinomial(late, of: 20_000, 0.05))
  }

  @Test("are delayed by the distribution that was asked for", arguments: Latency.Distribution.allCases)
  func jitter(distribution: Latency.Distribution) {
    let latency = Latency(.milliseconds(500), jitter: .milliseconds(50), distribution: distribution)
    let path = Self.send(10_000, through: [.latency(latency)])
    let values = zip(path.emitted, path.numbers).map { item, number in
      (Double(item.time - 1_000_000_000) - Double(number) * 1000 - 500e6) / 50e6
    }
    #expect(values.count == 10_000)
    // The table of a long tail ends at 4.
    let distance =
      switch distribution {
      case .uniform: Statistics.kolmogorov(values) { min(max(($0 + 1) / 2, 0), 1) }
      case .normal: Statistics.kolmogorov(values, Statistics.normal)
      case .pareto: Statistics.kolmogorov(values.filter { $0 < 3.9999 }) { Statistics.pareto($0) / 0.989026 }
      case .paretonormal: Statistics.kolmogorov(values, Self.paretonormal)
      }
    #expect(distance < 1.95, "\(distance)")
    if distribution == .pareto {
      #expect(Statistics.isBinomial(values.count { $0 >= 3.9999 }, of: values.count, 1 / 91.125))
    }
  }

  /// The share below a value, found by halving, of a quarter of the normal and three of the Pareto quantile.
  static func paretonormal(_ value: Double) -> Double {
    var low = -9.0
    var high = 9.0
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let pareto = min((pow(Statistics.normal(-middle), -1.0 / 3) - 1.5) * 4 / 3, 4)
      if 0.25 * middle + 0.75 * pareto < value { low = middle } else { high = middle }
    }
    return Statistics.normal(low)
  }

  @Test("are alike in their delays by a correlation, which leaves the distribution as it is")
  func correlation() {
    let latency = Latency(.milliseconds(500), jitter: .milliseconds(100), distribution: .normal, correlation: 0.6)
    let path = Self.send(20_000, through: [.latency(latency)])
    var delays = [Double](repeating: 0, count: 20_000)
    for (item, number) in zip(path.emitted, path.numbers) {
      delays[number] = (Double(item.time - 1_000_000_000) - Double(number) * 1000 - 500e6) / 100e6
    }
    let mean = delays.reduce(0, +) / 20_000
    let variance = delays.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    let product = zip(delays, delays.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / 19_999
    #expect(abs(mean) < 0.06)
    #expect(abs(variance - 1) < 0.07)
    #expect(abs(product / variance - 0.6) < 0.04)
  }

  @Test("keep to a bandwidth one by one, and are lost where the line is full")
  func bandwidth() {
    var path = Path([.bandwidth(Bandwidth(bitsPerSecond: 800_000, burst: 1))])
    for number in 0..<10 { path.receive(number, size: 1000) }
    path.run(for: .seconds(1))
    let gaps = zip(path.emitted, path.emitted.dropFirst()).map { $1.time - $0.time }
    #expect(gaps.allSatisfy { $0 == 10_000_000 })
    #expect(path.numbers == Array(0..<10))
    for number in 0..<1000 { path.receive(number, size: 1000) }
    // Half a second's worth waits.
    #expect(path.shaper.lost == 950)
    #expect(path.shaper.buffered == 50_000)
    #expect(path.shaper.count == 50)
    path.run(for: .seconds(1))
    #expect(path.emitted.count == 60)
    #expect(path.shaper.buffered == 0)
  }

  @Test("come when they were to come after a change, at once where the condition is gone")
  func changes() {
    var path = Path([.latency(Latency(.seconds(10)))])
    path.receive(1)
    path.run(for: .seconds(1))
    path.change([.latency(Latency(.seconds(1))), .loss(Loss(0.5))])
    path.receive(2)
    path.run(for: .milliseconds(1500))
    path.change([.loss(Loss(0.0001))])
    #expect(path.numbers.last == 1)
    #expect(path.shaper.buffered == 0)
    path.shaper.delayAll(by: .seconds(1), at: .uptimeNanoseconds(UInt64(path.now)))
    path.receive(3)
    let before = path.emitted.count
    path.run(for: .milliseconds(999))
    #expect(path.emitted.count == before)
    path.run(for: .milliseconds(2))
    #expect(path.numbers.last == 3)
    path.shaper.delayAll(by: .seconds(-3), at: .uptimeNanoseconds(UInt64(path.now)))
    path.receive(4)
    #expect(path.numbers.last == 4)
  }

  @Test("get nothing of a delay for granted because a rate before it was idle")
  func idleRate() {
    var path = Path([.bandwidth(Bandwidth(bitsPerSecond: 780_000)), .latency(Latency(.milliseconds(100)))])
    path.run(for: .seconds(5))
    path.receive(1)
    path.run(for: .milliseconds(99))
    #expect(path.emitted.isEmpty)
    path.run(for: .milliseconds(11))
    #expect(path.numbers == [1])
  }

  @Test("meet the same fate from the same seed, and another from another")
  func seeds() {
    let conditions: [Condition] = [
      .latency(Latency(.milliseconds(5), jitter: .milliseconds(3), distribution: .pareto)),
      .loss(Loss(0.1, meanBurst: 2)),
      .duplicate(Duplicate(0.05)), .corruption(Corruption(0.05)), .reorder(Reorder(0.1)),
    ]
    func fate(_ seed: UInt64) -> [Int] {
      let path = Self.send(3000, through: conditions, seed: seed)
      return zip(path.emitted, path.numbers).flatMap { [Int($0.time), $1] }
    }
    #expect(fate(7) == fate(7))
    #expect(fate(7) != fate(8))
  }
}
