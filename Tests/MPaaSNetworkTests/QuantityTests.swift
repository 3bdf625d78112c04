import MPaaSNetwork
import MPaaSTestSupport
import Testing

@Suite("Times, rates, sizes and shares") struct QuantityTests {
  @Test(
    "a time is read and written exactly",
    arguments: [
      ("10s", Duration.seconds(10)), ("1m30s", .seconds(90)), ("300ms", .milliseconds(300)), ("2h", .seconds(7200)),
      ("1h1m1s", .seconds(3661)), ("1s500ms", .milliseconds(1500)), ("50us", .microseconds(50)),
      ("7ns", .nanoseconds(7)), ("0s", .zero),
    ])
  func times(_ text: String, _ duration: Duration) {
    #expect(Quantity.duration(text) == duration)
    #expect(Quantity.text(duration) == text)
  }

  @Test("other ways to write a time are understood")
  func otherTimes() {
    #expect(Quantity.duration("1.5s") == .milliseconds(1500))
    #expect(Quantity.duration("90min") == .seconds(5400))
    #expect(Quantity.duration("10µs") == .microseconds(10))
    #expect(Quantity.duration("0") == .zero)
  }

  @Test(
    "what is no time is refused",
    arguments: ["", "10", "s", "-1s", "1.s", ".5s", "1e3s", "10sec", "99999999999h", "1..5s"])
  func wrongTimes(_ text: String) { #expect(Quantity.duration(text) == nil) }

  @Test("rates count bits with units of ten, and bytes where the B is large")
  func rates() {
    #expect(Quantity.rate("780kbit/s") == 780_000)
    #expect(Quantity.rate("1.5Mbit/s") == 1_500_000)
    #expect(Quantity.rate("2Mbps") == 2_000_000)
    #expect(Quantity.rate("100kB/s") == 800_000)
    #expect(Quantity.rate("0bit/s") == 0)
    #expect(Quantity.rate("100kb/s") == nil)
    #expect(Quantity.rate("1.0001kbit/s") == nil)
    #expect(Quantity.text(rate: 780_000) == "780kbit/s")
    #expect(Quantity.text(rate: 1_500_000) == "1500kbit/s")
    #expect(Quantity.text(rate: 7) == "7bit/s")
  }

  @Test("what is written is what was meant, whatever it is")
  func roundTrips() {
    var random = SeededRandom(seed: 41)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let duration = Duration(
        secondsComponent: .random(in: 0..<100_000, using: &random),
        attosecondsComponent: .random(in: 0..<1_000_000_000, using: &random)
          * ([1, 1_000_000_000, 1_000_000_000 / 7].randomElement(using: &random) ?? 1))
      #expect(Quantity.duration(Quantity.text(duration)) == duration)
      let share = Double.random(in: 0...1, using: &random) * ([1, 0.01, 1e-9].randomElement(using: &random) ?? 1)
      #expect(Quantity.share(Quantity.text(share: share)) == share)
      let rate = Int64.random(in: 0..<1_000_000_000, using: &random)
      #expect(Quantity.rate(Quantity.text(rate: rate)) == rate)
      #expect(Quantity.size(Quantity.text(size: rate)) == rate)
    }
    for share in [0, 0.1, 0.023, 1, 0.000_000_1, 0.5, 1.0 / 3] {
      #expect(Quantity.share(Quantity.text(share: share)) == share)
    }
    #expect(Quantity.text(share: 0.02) == "2%")
    #expect(Quantity.text(share: 0.005) == "0.5%")
  }
}
