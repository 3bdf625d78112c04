import MPaaSTestSupport
import Testing

@testable import MPaaSPerformance

@Suite("The way to the network") struct ReachabilityTests {
  private let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"

  @Test("is that of the default route with the least metric")
  func best() {
    let fourth =
      head + "wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
      + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
      + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    #expect(RouteTable.interface(fourth: fourth, sixth: "") == "eth0")
  }

  @Test("is none without a default route, or with one that is down or refuses")
  func none() {
    #expect(RouteTable.interface(fourth: head, sixth: "") == nil)
    let down = head + "eth0\t00000000\t0101A8C0\t0002\t0\t0\t100\t00000000\t0\t0\t0\n"
    #expect(RouteTable.interface(fourth: down, sixth: "") == nil)
    let zeros = String(repeating: "0", count: 32)
    let refused = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
    #expect(RouteTable.interface(fourth: head, sixth: refused) == nil)
    let sixth =
      "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     eth1\n"
    #expect(RouteTable.interface(fourth: head, sixth: sixth) == "eth1")
  }

  @Test("is read or passed over, whatever the table holds")
  func fuzz() {
    var random = SeededRandom(seed: 3)
    let whole = Array((head + "wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n").utf8)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
      _ = RouteTable.interface(fourth: text, sixth: text)
    }
  }

  @Test("is told at once, whatever it is")
  func first() async {
    for await state in Reachability.changes {
      #expect(state.isReachable == !state.name.isEmpty)
      break
    }
  }
}
