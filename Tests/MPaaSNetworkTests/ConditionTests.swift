import MPaaSNetwork
import Testing

@Suite("Conditions") struct ConditionTests {
  @Test("a toxic without a name is called by its type and stream")
  func names() {
    #expect(Toxic(.latency(Latency(.milliseconds(5)))).name == "latency_downstream")
    #expect(Toxic(.slowClose(SlowClose(.seconds(1))), direction: .upstream).name == "slow_close_upstream")
  }
}
