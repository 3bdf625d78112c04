import MPaaSNetwork
import MPaaSTestSupport
import NIOCore
import Testing

@Suite("The bytes of a stream") struct StreamIntegrityTests {
  /// Conditions that lose, double and move nothing in a stream.
  static func conditions(_ random: inout SeededRandom) -> [Condition] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in condition(&random) }
  }

  private static func condition(_ random: inout SeededRandom) -> Condition {
    func time(_ most: Int) -> Duration { .microseconds(Int.random(in: 0...most, using: &random)) }
    func share() -> Double { Double.random(in: 0...0.2, using: &random) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      return .latency(
        Latency(
          time(300_000), jitter: time(100_000),
          distribution: Latency.Distribution.allCases.randomElement(using: &random) ?? .uniform,
          correlation: Bool.random(using: &random) ? 0.5 : 0))
    case 3, 4:
      let rate =
        Int64.random(in: 0...20, using: &random) == 0 ? 0 : Int64.random(in: 100_000...50_000_000, using: &random)
      let burst = Bool.random(using: &random) ? nil : Int.random(in: 1...50_000, using: &random)
      return .bandwidth(Bandwidth(bitsPerSecond: rate, burst: burst, isShared: Bool.random(using: &random)))
    case 5: return .loss(Loss(share(), meanBurst: Double.random(in: 1...4, using: &random), stall: time(20_000)))
    case 6: return .corruption(Corruption(share()))
    case 7: return .reorder(Reorder(share(), delay: time(20_000)))
    case 8:
      let size = Int.random(in: 0...5000, using: &random)
      return .slicer(Slicer(averageSize: size, sizeVariation: size / 3, delay: time(100)))
    case 9: return .slowClose(SlowClose(time(1_000_000)))
    case 10: return .blackout
    default: return .duplicate(Duplicate(1))
    }
  }

  @Test("come out as they went in through 500 random settings that change while they flow")
  func settings() {
    var random = SeededRandom(seed: 2024)
    for round in 0..<SeededRandom.rounds(or: 500) {
      let bucket = SharedBucket()
      let shared = Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, bucket) })
      var link = LinkSimulation(Self.conditions(&random), seed: UInt64(round), shared: shared)
      let data = (0..<Int.random(in: 1...40_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
      var sent = 0
      while sent < data.count {
        let size = min(data.count - sent, Int.random(in: 1...8000, using: &random))
        link.receive(Array(data[sent..<sent + size]))
        sent += size
        link.run(for: .microseconds(Int.random(in: 0...50_000, using: &random)))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: link.change(Self.conditions(&random), seed: UInt64(round), shared: shared)
        case 2: link.delayAll(by: .milliseconds(Int.random(in: -300...300, using: &random)))
        default: break
        }
      }
      link.end()
      link.run(for: .seconds(1))
      // A hold for ever ends with the conditions.
      if Bool.random(using: &random) { link.change(Self.conditions(&random)) }
      link.change([])
      link.runOut()
      #expect(link.bytes == data, "round \(round)")
      #expect(link.emitted.last?.emission == .end, "round \(round)")
      #expect(link.emitted.count { $0.emission == .end } == 1, "round \(round)")
      #expect(link.shaper.buffered == 0, "round \(round)")
      let times = link.emitted.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "round \(round)")
    }
  }

  @Test("come the same way from the same seed, however often the holder asks, and another way from another seed")
  func seeds() {
    let conditions: [Condition] = [
      .latency(Latency(.milliseconds(40), jitter: .milliseconds(20), distribution: .paretonormal, correlation: 0.3)),
      .loss(Loss(0.05, meanBurst: 2)), .slicer(Slicer(averageSize: 700, sizeVariation: 300)),
      .bandwidth(Bandwidth(bitsPerSecond: 2_000_000)),
    ]
    func run(_ seed: UInt64, looking: Bool) -> [Int] {
      var link = LinkSimulation(conditions, seed: seed)
      for _ in 0..<40 {
        link.receive([UInt8](repeating: 7, count: 5000))
        if looking {
          for _ in 0..<15 {
            link.run(for: .milliseconds(1))
            link.advance()
          }
        } else {
          link.run(for: .milliseconds(15))
        }
      }
      link.runOut()
      return link.emitted.flatMap { item -> [Int] in
        if case .bytes(let buffer) = item.emission { [Int(item.time), buffer.readableBytes] } else { [] }
      }
    }
    let first = run(1, looking: false)
    #expect(first.count > 100)
    #expect(first == run(1, looking: true))
    #expect(first != run(2, looking: false))
  }

  @Test("that are held are put under new conditions at once, counted from when they came")
  func changes() {
    var link = LinkSimulation([.latency(Latency(.seconds(10)))])
    link.receive("a")
    link.run(for: .milliseconds(300))
    link.receive("b")
    link.change([.latency(Latency(.milliseconds(500)))])
    link.runOut()
    #expect(link.story == ["500 a", "800 b"])

    var removed = LinkSimulation([
      .latency(Latency(.seconds(10))), .bandwidth(Bandwidth(bitsPerSecond: 8000, burst: 1)),
    ])
    removed.receive("abcd")
    removed.run(for: .milliseconds(100))
    removed.change([.bandwidth(Bandwidth(bitsPerSecond: 8000, burst: 1))])
    removed.runOut()
    #expect(removed.bytes == Array("abcd".utf8))
    #expect(removed.emitted.first.map { $0.time - 1_100_000_000 <= 4_000_000 } == true)
  }

  @Test("go on undisturbed in a condition that a change leaves as it is")
  func undisturbed() {
    let latency = Condition.latency(Latency(.milliseconds(100), jitter: .milliseconds(30)))
    func run(changing: Bool) -> [Int64] {
      var link = LinkSimulation([latency], seed: 9)
      for index in 0..<50 {
        link.receive([UInt8(index)])
        link.run(for: .milliseconds(7))
        if changing {
          link.change(index % 2 == 0 ? [latency, .slowClose(SlowClose(.seconds(1)))] : [latency], seed: 9)
        }
      }
      link.runOut()
      return link.emitted.map(\.time)
    }
    #expect(run(changing: true) == run(changing: false))
  }

  @Test("come a second later or earlier by the buttons, what is held and what follows")
  func buttons() {
    var link = LinkSimulation([.latency(Latency(.milliseconds(1500)))])
    link.receive("a")
    link.delayAll(by: .seconds(1))
    link.run(for: .milliseconds(500))
    link.receive("b")
    link.runOut()
    #expect(link.story == ["2500 a", "3000 b"])
    link = LinkSimulation([.latency(Latency(.milliseconds(1500)))])
    link.receive("a")
    link.run(for: .milliseconds(100))
    link.delayAll(by: .seconds(-1))
    link.receive("b")
    link.run(for: .milliseconds(1000))
    link.delayAll(by: .seconds(1))
    link.receive("c")
    link.runOut()
    #expect(link.story == ["500 a", "600 b", "2600 c"])
    link = LinkSimulation([])
    link.delayAll(by: .seconds(1))
    link.receive("a")
    link.run(for: .milliseconds(200))
    link.delayAll(by: .seconds(-5))
    link.runOut()
    link.receive("b")
    #expect(link.story.first == "200 a")
    #expect(link.bytes == Array("ab".utf8))
    #expect(link.shaper.isTransparent)
  }

  @Test("are not held with much room around them")
  func compact() {
    var shaper = StreamShaper(
      LinkPlan(conditions: [.latency(Latency(.seconds(1)))], seed: 1), at: .uptimeNanoseconds(0))
    var buffer = ByteBuffer(repeating: 0, count: 65_536)
    buffer.moveReaderIndex(to: 65_000)
    shaper.receive(buffer, at: .uptimeNanoseconds(0))
    _ = shaper.advance(to: .uptimeNanoseconds(2_000_000_000)) { emission in
      guard case .bytes(let bytes) = emission else { return }
      #expect(bytes.readableBytes == 536)
      #expect(bytes.storageCapacity < 4096)
    }
  }
}
