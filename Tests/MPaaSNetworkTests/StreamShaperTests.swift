import MPaaSNetwork
import NIOCore
import Testing

@Suite("A stream under conditions") struct StreamShaperTests {
  @Test("passes by a shaper without conditions, and one whose conditions are for packets or requests")
  func transparent() {
    for conditions: [Condition] in [[], [.noop], [.duplicate(Duplicate(1))], [.dnsDelay(DNSDelay(.seconds(1)))]] {
      var link = LinkSimulation(conditions)
      #expect(link.shaper.isTransparent)
      link.receive("a")
      link.end()
      #expect(link.story == ["0 a", "0 end"])
      #expect(link.shaper.isTransparent)
      #expect(link.shaper.buffered == 0)
    }
  }

  @Test("comes later by a latency, each chunk for itself, the end too")
  func latency() {
    var link = LinkSimulation([.latency(Latency(.milliseconds(100)))])
    link.receive("a")
    link.run(for: .milliseconds(30))
    link.receive("b")
    #expect(link.shaper.buffered == 2)
    #expect(link.shaper.footprint > 2)
    #expect(!link.shaper.isTransparent)
    link.end()
    link.runOut()
    #expect(link.story == ["100 a", "130 b", "130 end"])
    #expect(link.next == nil)
    #expect(link.shaper.buffered == 0)
  }

  @Test("comes later by all of a latency behind a rate that was idle")
  func idleRate() {
    var link = LinkSimulation([
      .bandwidth(Bandwidth(bitsPerSecond: 780_000)), .latency(Latency(.milliseconds(100))),
    ])
    link.run(for: .seconds(5))
    link.receive("ab")
    link.runOut()
    #expect(link.story == ["5100 ab"])
  }

  @Test("adds up several latencies without the lateness of timers")
  func latencies() {
    var link = LinkSimulation([.latency(Latency(.milliseconds(10))), .latency(Latency(.milliseconds(20)))])
    link.receive("a")
    // The holder looks at 17 ms only, not at 10.
    link.run(to: 1_000_000_000)
    link = withTimersAt([17, 30], link)
    #expect(link.story == ["30 a"])
  }

  private func withTimersAt(_ times: [Int64], _ link: LinkSimulation) -> LinkSimulation {
    var shaper = link.shaper
    var copy = link
    for time in times {
      let now = 1_000_000_000 + time * 1_000_000
      _ = shaper.advance(to: .uptimeNanoseconds(UInt64(now))) { copy.emitted.append((now, $0)) }
    }
    return copy
  }

  @Test("keeps its order when a later chunk drew a shorter delay")
  func jitter() {
    var link = LinkSimulation([.latency(Latency(.milliseconds(50), jitter: .milliseconds(50)))])
    for index in 0..<200 {
      link.receive([UInt8(index)])
      link.run(for: .milliseconds(1))
    }
    link.runOut()
    #expect(link.bytes == (0..<200).map { UInt8($0) })
  }

  @Test("swallows under a time-out and closes after it, or when it is removed")
  func timeout() {
    var link = LinkSimulation([.timeout(Timeout(.milliseconds(500)))])
    link.receive("a")
    link.run(for: .milliseconds(400))
    link.receive("b")
    link.runOut()
    #expect(link.story == ["500 close"])
    link.receive("c")
    link.runOut()
    #expect(link.story == ["500 close"])

    var forever = LinkSimulation([.timeout(Timeout(.zero))])
    forever.receive("a")
    forever.run(for: .seconds(3600))
    #expect(forever.story.isEmpty)
    #expect(forever.next == nil)
    #expect(forever.shaper.buffered == 0)
    forever.change([.latency(Latency(.milliseconds(1)))])
    forever.runOut()
    #expect(forever.story == ["3600001 close"])
  }

  @Test("is closed by a time-out when the other end has ended, and an updated one begins anew")
  func timeoutEnd() {
    var link = LinkSimulation([.timeout(Timeout(.seconds(10)))])
    link.run(for: .seconds(9))
    link.change([.timeout(Timeout(.seconds(20)))])
    link.receive("a")
    link.end()
    link.runOut()
    #expect(link.story == ["9000 end", "29000 close"])
  }

  @Test("ends later by a slow close, with its bytes in time")
  func slowClose() {
    var link = LinkSimulation([.slowClose(SlowClose(.milliseconds(700)))])
    link.receive("a")
    link.run(for: .milliseconds(50))
    link.end()
    link.runOut()
    #expect(link.story == ["0 a", "750 end"])
  }

  @Test("is closed after so many bytes, counted across updates")
  func limit() {
    var link = LinkSimulation([.limitData(LimitData(bytes: 5))])
    link.receive("abc")
    link.change([.limitData(LimitData(bytes: 8))])
    link.receive("def")
    link.change([.limitData(LimitData(bytes: 7)), .slowClose(SlowClose(.seconds(1)))])
    link.receive("ghi")
    link.run(for: .milliseconds(500))
    link.receive("jkl")
    link.runOut()
    #expect(link.story == ["0 abc", "0 def", "0 g", "1000 close"])

    var none = LinkSimulation([.limitData(LimitData(bytes: 0))])
    #expect(none.story.isEmpty)
    none.receive("a")
    #expect(none.story == ["0 close"])
    var exact = LinkSimulation([.limitData(LimitData(bytes: 3))])
    exact.receive("abc")
    #expect(exact.story == ["0 abc", "0 close"])
  }

  @Test("is reset so long after the first data, which does not pass")
  func reset() {
    var link = LinkSimulation([.latency(Latency(.milliseconds(10))), .resetPeer(ResetPeer(.milliseconds(200)))])
    link.run(for: .seconds(1))
    #expect(link.story.isEmpty)
    link.receive("a")
    link.runOut()
    #expect(link.story == ["1210 reset"])
    var now = LinkSimulation([.resetPeer(ResetPeer())])
    now.receive("a")
    #expect(now.story == ["0 reset"])
  }

  @Test("is reset at once by flight mode, whatever is held")
  func flightMode() {
    var link = LinkSimulation([.latency(Latency(.seconds(1)))])
    link.receive("a")
    link.run(for: .milliseconds(400))
    link.change([.latency(Latency(.seconds(1))), .flightMode])
    #expect(link.story == ["400 reset"])
    #expect(link.shaper.buffered == 0)
    #expect(LinkSimulation([.flightMode]).story == ["0 reset"])
  }

  @Test("waits through a blackout and goes on after it")
  func blackout() {
    var link = LinkSimulation([.blackout])
    link.receive("a")
    link.end()
    link.run(for: .seconds(60))
    #expect(link.story.isEmpty)
    #expect(link.next == nil)
    link.change([])
    #expect(link.story == ["60000 a", "60000 end"])
  }

  @Test("is cut in slices of the size that was asked for")
  func slicer() {
    var link = LinkSimulation([
      .slicer(Slicer(averageSize: 100, sizeVariation: 20, delay: .milliseconds(1)))
    ])
    let data = (0..<10_000).map { UInt8($0 & 255) }
    link.receive(data)
    link.runOut()
    #expect(link.bytes == data)
    let sizes = link.emitted.dropLast().map { item in
      if case .bytes(let buffer) = item.emission { buffer.readableBytes } else { 0 }
    }
    #expect(sizes.allSatisfy { 80...120 ~= $0 })
    #expect(Set(sizes).count > 10)
    let times = link.emitted.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 })
    #expect(84...125 ~= times.count)
  }

  @Test("stalls for lost segments, twice as long for each further loss in a row, and loses no byte")
  func loss() {
    var link = LinkSimulation([.loss(Loss(0.2))], seed: 5)
    let data = (0..<1_448_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    for start in stride(from: 0, to: data.count, by: 65_536) {
      link.receive(Array(data[start..<min(data.count, start + 65_536)]))
    }
    link.end()
    link.runOut()
    #expect(link.bytes == data)
    #expect(link.emitted.last?.emission == .end)
    let times = link.emitted.map(\.time)
    let stalls = zip(times, times.dropFirst()).map { ($1 - $0) / 1_000_000 }.filter { $0 > 0 }
    let possible = (1...12).map { (losses: Int64) -> Int64 in 200 * ((1 << losses) - 1) }
    #expect(Set(stalls).isSubset(of: possible))
    // 1000 segments, each stalls with a chance of 0.2; 4 standard deviations.
    #expect(150...250 ~= stalls.count)
    #expect(20...80 ~= stalls.count { $0 == 600 })
  }

  @Test("stands still where everything is lost, until that ends")
  func total() {
    var link = LinkSimulation([.loss(Loss(1))])
    link.receive("a")
    link.run(for: .seconds(100))
    #expect(link.story.isEmpty)
    link.change([.loss(Loss(0.000001))])
    link.receive("b")
    link.runOut()
    #expect(link.bytes == Array("ab".utf8))
  }

  @Test("takes corruption as loss, and is changed only where that is asked for")
  func corruption() {
    let data = [UInt8](repeating: 0, count: 1448 * 2000)
    var link = LinkSimulation([.corruption(Corruption(0.1))])
    link.receive(data)
    link.runOut()
    #expect(link.bytes == data)
    #expect(link.emitted.count > 100)
    var changed = LinkSimulation([.corruption(Corruption(0.1, inStreams: true))])
    changed.receive(data)
    #expect(changed.emitted.count == 1)
    let flips = changed.bytes.enumerated().filter { $0.element != 0 }
    #expect(flips.allSatisfy { $0.element.nonzeroBitCount == 1 })
    #expect(Set(flips.map { $0.offset / 1448 }).count == flips.count)
    #expect(146...254 ~= flips.count)
  }

  @Test("shows a reordered segment as a short stall")
  func reorder() {
    var link = LinkSimulation([.reorder(Reorder(0.5, delay: .milliseconds(10)))])
    for index in 0..<100 {
      link.receive([UInt8(index)])
      link.run(for: .milliseconds(20))
    }
    #expect(link.bytes == (0..<100).map { UInt8($0) })
    let late = link.emitted.count { ($0.time - 1_000_000_000) % 20_000_000 == 10_000_000 }
    #expect(25...75 ~= late)
  }
}
