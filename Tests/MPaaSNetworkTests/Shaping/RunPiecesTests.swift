import MPaaSNetwork
import Testing

@Suite("What a program's network is made of") struct RunPiecesTests {
  @Test("proxy variables stand in both cases, and what leaves hosts out is dropped")
  func variables() {
    let environment = ProxyVariables.environment(
      ["PATH": "/bin", "NO_PROXY": "*", "no_proxy": "localhost", "HTTPS_PROXY": "http://other:1"],
      through: "127.0.0.1:9", bypass: [])
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
      #expect(environment[name] == "http://127.0.0.1:9")
    }
    #expect(environment["MPAAS_NET_HOST"] == "127.0.0.1")
    #expect(environment["NO_PROXY"] == nil)
    #expect(environment["no_proxy"] == nil)
    #expect(environment["PATH"] == "/bin")
    let other = ProxyVariables.environment([:], through: "127.0.0.1:9", bypass: ["a.test", "10.0.0.0/8"])
    #expect(other["no_proxy"] == "a.test,10.0.0.0/8")
    #expect(other["NO_PROXY"] == other["no_proxy"])
    #expect(ProxyVariables.replaced(in: ["HTTPS_PROXY": "http://other:1"]) == "http://other:1")
    #expect(ProxyVariables.replaced(in: ["http_proxy": ""]) == nil)
  }

  @Test("tunnels have four addresses each, and leave those that a route leads to")
  func addresses() {
    let addresses = TunnelAddresses(slot: 300)
    #expect(TunnelAddresses.text(addresses.network) == "10.213.4.176")
    #expect(TunnelAddresses.text(addresses.gateway) == "10.213.4.177")
    #expect(TunnelAddresses.text(addresses.inside) == "10.213.4.178")
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    func route(_ net: String, _ mask: String) -> String { head + "x\t\(net)\t00000000\t1\t0\t0\t0\t\(mask)\t0\t0\t0\n" }
    #expect(addresses.isTaken(in: route("B004D50A", "FCFFFFFF")))
    #expect(addresses.isTaken(in: route("0004D50A", "00FFFFFF")))
    #expect(!addresses.isTaken(in: route("0000000A", "000000FF")))
    #expect(!addresses.isTaken(in: route("0005D50A", "00FFFFFF")))
    #expect(!addresses.isTaken(in: ""))
    #expect(!addresses.isTaken(in: head + "x\tgarbage\n"))
  }

  @Test("each rule of the host carries the device's name and has one that takes it back")
  func rules() {
    let rules = TunnelRules(addresses: TunnelAddresses(slot: 7), resolver: 5300)
    #expect(rules.iptables.count == 7)
    for step in rules.iptables {
      let text = step.command.text
      #expect(text.contains("--comment mpaas7 "))
      let back = text.replacing(" -A ", with: " -D ").replacing(" -I ", with: " -D ")
      #expect(step.undo.map(\.text) == [back])
      #expect(back != text)
    }
    #expect(rules.nft.flatMap(\.undo).map(\.text) == ["nft delete table ip mpaas7"])
    #expect(TunnelRules(addresses: TunnelAddresses(slot: 7), resolver: nil).iptables.count == 5)
    #expect(rules.inner(hostPorts: []).isEmpty)
    #expect(rules.inner(hostPorts: [80]).count == 3)
  }
}
