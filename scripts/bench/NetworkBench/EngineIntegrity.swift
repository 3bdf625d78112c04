import MPaaSNetwork
import NIOCore

/// Puts streams through random settings that change while bytes flow, and compares what came out.
enum EngineIntegrity {
  /// A checksum that knows the place of each byte.
  private struct Sum: Equatable {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var count = 0

    mutating func add(_ bytes: ByteBuffer) {
      bytes.withUnsafeReadableBytes { for byte in $0 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 } }
      count += bytes.readableBytes
    }
  }

  static func run(megabytes: Int, settings: Int, seed: UInt64) {
    var random = LinkRandom(seed: seed)
    var noise = ByteBuffer()
    for _ in 0..<8192 { noise.writeInteger(random.next()) }
    var wrong = 0
    var total = 0
    var virtual = 0.0
    let clock = ContinuousClock()
    let time = clock.measure {
      for setting in 0..<settings {
        let (passed, seconds) = stream(megabytes * 1_000_000 / settings, noise, UInt64(setting), &random)
        if let passed { total += passed } else { wrong += 1 }
        virtual += seconds
      }
    }
    print("\(settings) settings, \(total) bytes, \(wrong) streams wrong, \(Int(virtual)) s of the link in \(time)")
  }

  /// - Returns: The bytes that passed, nil where they are not those that were sent, and how long it took on the link.
  private static func stream(
    _ size: Int, _ noise: ByteBuffer, _ seed: UInt64, _ random: inout LinkRandom
  ) -> (passed: Int?, seconds: Double) {
    let bucket = SharedBucket()
    func plan(_ random: inout LinkRandom) -> LinkPlan {
      LinkPlan(
        conditions: (0..<random.below(5)).map { _ in condition(&random) }, seed: seed,
        shared: Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, bucket) }))
    }
    var now: UInt64 = 1_000_000_000
    var shaper = StreamShaper(plan(&random), at: .uptimeNanoseconds(now))
    var sent = Sum()
    var came = Sum()
    var ends = 0
    func advance(_ shaper: inout StreamShaper) -> NIODeadline? {
      shaper.advance(to: .uptimeNanoseconds(now)) { emission in
        switch emission {
        case .bytes(let bytes): came.add(bytes)
        case .end: ends += 1
        case .close, .reset: ends += 100
        }
      }
    }
    while sent.count < size {
      let length = min(1 + random.below(65_536), size - sent.count)
      if let chunk = noise.getSlice(at: random.below(65_536 - length + 1), length: length) {
        sent.add(chunk)
        shaper.receive(chunk, at: .uptimeNanoseconds(now))
      }
      let wait = UInt64(random.below(20_000_000))
      let end = now + wait
      while let due = advance(&shaper), due.uptimeNanoseconds <= end { now = max(now, due.uptimeNanoseconds) }
      now = end
      if random.happens(0.1) { shaper.change(to: plan(&random), at: .uptimeNanoseconds(now)) }
      if random.happens(0.02) {
        shaper.delayAll(by: .milliseconds(random.below(2000) - 1000), at: .uptimeNanoseconds(now))
      }
    }
    shaper.end(at: .uptimeNanoseconds(now))
    _ = advance(&shaper)
    shaper.change(to: .transparent, at: .uptimeNanoseconds(now))
    while let due = advance(&shaper) { now = max(now, due.uptimeNanoseconds) }
    return (came == sent && ends == 1 ? came.count : nil, Double(now) / 1e9 - 1)
  }

  private static func condition(_ random: inout LinkRandom) -> Condition {
    func time(_ most: Int) -> Duration { .microseconds(random.below(most + 1)) }
    switch random.below(9) {
    case 0, 1: return .latency(Latency(time(300_000), jitter: time(100_000), distribution: .paretonormal))
    case 2, 3:
      return .bandwidth(
        Bandwidth(bitsPerSecond: 1_000_000 + Int64(random.below(1_000_000_000)), isShared: random.happens(0.5)))
    case 4: return .loss(Loss(random.share() * 0.1, meanBurst: 1 + random.share() * 3, stall: time(20_000)))
    case 5: return .corruption(Corruption(random.share() * 0.01))
    case 6: return .reorder(Reorder(random.share() * 0.2, delay: time(20_000)))
    case 7: return .slicer(Slicer(averageSize: 500 + random.below(5000), sizeVariation: 400, delay: time(50)))
    default: return .slowClose(SlowClose(time(1_000_000)))
    }
  }
}
