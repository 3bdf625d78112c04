import MPaaSNetwork
import NIOCore

/// Times the engine itself: bytes a second through each condition, without sockets.
enum EngineSpeed {
  /// A kind of load: what a link is put through.
  private static let loads: [(name: String, conditions: [Condition])] = [
    ("none", []),
    ("latency", [.latency(Latency(.milliseconds(1)))]),
    ("latency, jitter", [.latency(Latency(.milliseconds(1), jitter: .microseconds(500), distribution: .normal))]),
    ("bandwidth", [.bandwidth(Bandwidth(bitsPerSecond: 1_000_000_000_000))]),
    ("loss", [.loss(Loss(0.01, stall: .microseconds(1)))]),
    ("loss in bursts", [.loss(Loss(0.01, meanBurst: 3, stall: .microseconds(1)))]),
    ("corruption", [.corruption(Corruption(0.01, inStreams: true))]),
    ("slicer 1448", [.slicer(Slicer(averageSize: 1448, sizeVariation: 100))]),
    (
      "lte",
      [
        .latency(Latency(.milliseconds(1), jitter: .microseconds(500))),
        .bandwidth(Bandwidth(bitsPerSecond: 1_000_000_000_000)), .loss(Loss(0.001, stall: .microseconds(1))),
      ]
    ),
  ]

  static func run() {
    print("| condition | streams of 64 KiB GB/s | messages of 256 B, M/s | packets of 1400 B, M/s |")
    print("| --- | --- | --- | --- |")
    for load in loads {
      let streams = stream(load.conditions, chunk: 65_536, count: 100_000)
      let messages = stream(load.conditions, chunk: 256, count: 1_000_000)
      let packets = packets(load.conditions, count: 1_000_000)
      print("| \(load.name) | \(round(streams * 65_536 / 1e9)) | \(round(messages / 1e6)) | \(round(packets / 1e6)) |")
    }
  }

  private static func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Chunks a second.
  private static func stream(_ conditions: [Condition], chunk: Int, count: Int) -> Double {
    let bytes = ByteBuffer(repeating: 1, count: chunk)
    var shaper = StreamShaper(LinkPlan(conditions: conditions, seed: 1), at: .uptimeNanoseconds(0))
    var now: UInt64 = 1_000_000_000
    var passed = 0
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<count {
        shaper.receive(bytes, at: .uptimeNanoseconds(now))
        now += 1000
        _ = shaper.advance(to: .uptimeNanoseconds(now)) { emission in
          if case .bytes(let bytes) = emission { passed += bytes.readableBytes }
        }
      }
      _ = shaper.advance(to: .distantFuture) { _ in }
    }
    return Double(count) / (time / .seconds(1))
  }

  /// Packets a second.
  private static func packets(_ conditions: [Condition], count: Int) -> Double {
    let packet = ByteBuffer(repeating: 1, count: 1400)
    var shaper = PacketShaper(LinkPlan(conditions: conditions, seed: 1), at: .uptimeNanoseconds(0))
    var now: UInt64 = 1_000_000_000
    var passed = 0
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<count {
        shaper.receive(packet, at: .uptimeNanoseconds(now))
        now += 1000
        _ = shaper.advance(to: .uptimeNanoseconds(now)) { passed += $0.readableBytes }
      }
    }
    return Double(count) / (time / .seconds(1))
  }
}
