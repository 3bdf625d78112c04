import MPaaSNetwork
import Testing

@Suite("Plans of kernel shaping") struct ShapePlanTests {
  private func plan(
    up: [Condition] = [], down: [Condition] = [], _ features: ShapingFeatures = .all
  ) -> ShapePlan {
    ShapePlan(interface: "eth0", upstream: up, downstream: down, features: features, device: "mpifb2")
  }

  @Test("a rate alone is a token bucket, undone by taking the root away")
  func rate() {
    let plan = plan(up: [.bandwidth(Bandwidth(bitsPerSecond: 780_000))])
    #expect(
      plan.commands.map(\.text) == [
        "tc qdisc replace dev eth0 root handle 4d50: tbf rate 780000bit burst 3200 latency 300ms"
      ])
    #expect(plan.undo.map(\.text) == ["tc qdisc del dev eth0 root"])
    #expect(plan.gaps.isEmpty)
  }

  @Test("what comes in is shaped as it leaves an intermediate device, which goes last to come and first to go")
  func incoming() {
    let plan = plan(down: [.latency(Latency(.milliseconds(100), jitter: .milliseconds(20), distribution: .normal))])
    #expect(
      plan.commands.map(\.text) == [
        "ip link add mpifb2 type ifb", "ip link set mpifb2 up",
        "tc qdisc replace dev mpifb2 root handle 4d50: netem limit 20000 delay 100000us 20000us distribution normal",
        "tc qdisc add dev eth0 handle ffff: ingress",
        "tc filter add dev eth0 parent ffff: protocol all prio 1 matchall action mirred egress redirect dev mpifb2",
      ])
    #expect(plan.undo.map(\.text) == ["tc qdisc del dev eth0 ingress", "ip link del mpifb2"])
  }

  @Test("a rate with a delay is a class with netem inside")
  func both() {
    let plan = plan(up: [.bandwidth(Bandwidth(bitsPerSecond: 1_000_000, burst: 5000)), .loss(Loss(0.015))])
    #expect(
      plan.commands.map(\.text) == [
        "tc qdisc replace dev eth0 root handle 4d50: htb default 1",
        "tc class add dev eth0 parent 4d50: classid 4d50:1 htb rate 1000000bit burst 5000 cburst 5000",
        "tc qdisc add dev eth0 parent 4d50:1 handle 4d51: netem limit 1000 loss random 1.5%",
      ])
  }

  @Test("losses in bursts become Gilbert's model with the same share in the long run")
  func bursts() {
    let plan = plan(up: [.loss(Loss(0.2, meanBurst: 4))])
    #expect(plan.commands[0].text.hasSuffix("loss gemodel 6.25% 25%"))
  }

  @Test("reordering alone delays the others; with a latency it is left out and said")
  func reorder() {
    let alone = plan(up: [.reorder(Reorder(0.25, delay: .milliseconds(8)))])
    #expect(alone.commands[0].text.hasSuffix("delay 8000us reorder 75%"))
    let delayed = plan(up: [.latency(Latency(.milliseconds(1))), .reorder(Reorder(0.25))])
    #expect(delayed.gaps.map(\.reason) == [.notWithLatency])
  }

  @Test("without netem the rate is shaped and the rest named")
  func noNetem() {
    let features = ShapingFeatures(queues: [.tbf, .htb, .blackhole], redirection: .u32)
    let conditions: [Condition] = [
      .latency(Latency(.milliseconds(100))), .bandwidth(Bandwidth(bitsPerSecond: 780_000)), .loss(Loss(0.01)),
    ]
    let plan = plan(up: conditions, down: conditions, features)
    #expect(plan.commands[0].text.contains("tbf rate 780000bit"))
    #expect(plan.commands.last?.text.contains("u32 match u32 0 0 action mirred") == true)
    #expect(plan.gaps.count == 4)
    #expect(plan.gaps.allSatisfy { $0.reason == .noNetem })
    #expect(Set(plan.gaps.map(\.condition)) == [.latency, .loss])
  }

  @Test("flight mode and a rate of nothing close the interface; what is no matter of packets is named")
  func closed() {
    for condition in [Condition.flightMode, .blackout, .bandwidth(Bandwidth(bitsPerSecond: 0))] {
      #expect(plan(up: [condition]).commands.map(\.text) == ["tc qdisc replace dev eth0 root handle 4d50: blackhole"])
    }
    let streams = plan(up: [.slowClose(SlowClose(.seconds(1)))], down: [.dnsDelay(DNSDelay(.seconds(1)))])
    #expect(streams.isEmpty)
    #expect(streams.gaps.map(\.reason) == [.notPackets, .notPackets])
  }

  @Test("a kernel with nothing gets no command at all")
  func nothing() {
    let features = ShapingFeatures(queues: [], redirection: nil)
    let conditions: [Condition] = [.bandwidth(Bandwidth(bitsPerSecond: 1000)), .latency(Latency(.seconds(1)))]
    let plan = plan(up: conditions, down: conditions, features)
    #expect(plan.isEmpty)
    #expect(plan.undo.isEmpty)
    #expect(plan.gaps.count == 4)
  }

  @Test("macOS gets pipes of dummynet, and rules that lead to them")
  func dummynet() {
    let plan = DummynetPlan(
      interface: "en0", upstream: [.bandwidth(Bandwidth(bitsPerSecond: 330_000))],
      downstream: [.latency(Latency(.milliseconds(100))), .loss(Loss(0.5)), .corruption(Corruption(0.1))])
    #expect(
      plan.steps.map(\.command.text) == [
        "dnctl pipe 19792 config bw 330000bit/s", "dnctl pipe 19793 config delay 100 plr 0.5",
      ])
    #expect(plan.rules == ["dummynet out quick on en0 all pipe 19792", "dummynet in quick on en0 all pipe 19793"])
    #expect(plan.undo.first?.text == "pfctl -a com.apple/mpaas -F all")
    #expect(plan.undo.count == 3)
    #expect(plan.gaps.map(\.condition) == [.corruption])
  }

  @Test("a command is printed as a shell reads it")
  func quoting() {
    #expect(SystemCommand(["nft", "add", "{ a ; }", "it's", ""]).text == #"nft add '{ a ; }' 'it'\''s' ''"#)
  }

  @Test("the default route names the interface that leads to the world")
  func defaultRoute() {
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    let local = "lo0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    let world = "eth1\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    #expect(KernelShaper.defaultInterface(in: head + local + world) == "eth1")
    #expect(KernelShaper.defaultInterface(in: head + local) == nil)
    #expect(throws: NetworkError.self) { try KernelShaper.device(of: "no-such-one") }
  }
}
