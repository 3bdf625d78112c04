import MPaaSSupport
import Testing

@testable import MPaaSNetwork

@Suite("Toxics without effect") struct ToxicEffectTests {
  /// Each type of toxic with the kinds of proxies that it works on.
  private static let table: [Condition.Kind: String] = [
    .noop: "tcp udp tls http forward dns", .latency: "tcp udp tls http forward dns",
    .bandwidth: "tcp udp tls http forward dns", .loss: "tcp udp tls http forward dns",
    .corruption: "tcp udp tls http forward dns", .reorder: "tcp udp tls http forward dns",
    .limitData: "tcp udp tls http forward dns", .timeout: "tcp udp tls http forward dns",
    .blackout: "tcp udp tls http forward dns", .flightMode: "tcp udp tls http forward dns", .duplicate: "udp dns",
    .slicer: "tcp tls http forward dns", .slowClose: "tcp tls http forward dns", .resetPeer: "tcp tls http forward dns",
    .httpDelay: "http", .httpError: "http", .httpSlowHeaders: "http", .httpTruncatedBody: "http",
    .dnsDelay: "forward dns", .dnsFailure: "forward dns",
  ]

  @Test(
    "each type of toxic is added to exactly the kinds of proxies that it works on", arguments: Condition.Kind.allCases)
  func table(_ kind: Condition.Kind) async throws {
    let expected = try #require(Self.table[kind]).split(separator: " ").map(String.init)
    let proxies = ProxyCollection(threads: 1)
    for proxy in ProxyDefinition.Kind.allCases {
      var definition = ProxyDefinition(
        name: proxy.rawValue, kind: proxy, listen: "127.0.0.1:0", upstream: "127.0.0.1:9", isEnabled: false)
      if proxy == .forward { definition.upstream = "" }
      try await proxies.add(definition)
      let toxic = try Toxic(["type": .string(kind.rawValue), "attributes": .object([:])], unknown: .ignored)
      let isTaken = await code { try await proxies.add(toxic, to: proxy.rawValue) } == nil
      #expect(isTaken == expected.contains(proxy.rawValue), "\(kind) on \(proxy)")
      definition.name += " whole"
      definition.toxics = [toxic]
      let whole = definition
      #expect((await code { try await proxies.add(whole) } == nil) == isTaken, "\(kind) with \(proxy)")
    }
    await proxies.shutdown()
  }

  @Test("a proxy does not become of a kind on which its toxics do nothing; a profile's may be there")
  func change() async throws {
    let proxies = ProxyCollection(threads: 1)
    var proxy = ProxyDefinition(
      name: "p", kind: .http, listen: "127.0.0.1:0", upstream: "127.0.0.1:9", isEnabled: false)
    try await proxies.add(proxy)
    let toxic = Toxic(.httpError(HTTPFailure(status: 503)))
    try await proxies.add(toxic, to: "p")
    proxy.kind = .tcp
    let tcp = proxy
    #expect(await code { try await proxies.update(tcp) } == "net-toxic-without-effect")
    #expect(try await proxies.proxy("p").kind == .http)
    try await proxies.removeToxic(toxic.name, of: "p")
    try await proxies.update(tcp)
    try await proxies.setLayer("profile", [toxic])
    try await proxies.update(try await proxies.proxy("p"))
    await proxies.shutdown()
  }

  @Test("a profile is refused only where no proxy that it is put on takes anything of it")
  func profiles() async throws {
    let proxies = ProxyCollection(threads: 1)
    func check(_ toxics: [Toxic], on names: [String]? = nil) async -> String? {
      await code { try await proxies.checkEffects(of: toxics, "names", on: names) }
    }
    let name = Toxic(.dnsFailure(DNSFailure()))
    #expect(await check([name]) == nil)
    for kind in [ProxyDefinition.Kind.tcp, .dns] {
      try await proxies.add(
        ProxyDefinition(
          name: kind.rawValue, kind: kind, listen: "127.0.0.1:0", upstream: "127.0.0.1:9", isEnabled: false))
    }
    #expect(await check([name]) == nil)
    #expect(await check([name], on: ["tcp"]) == "net-profile-without-effect")
    #expect(await check([name, Toxic(.noop)], on: ["tcp"]) == nil)
    #expect(await check([], on: ["tcp"]) == nil)
    await proxies.shutdown()
  }

  private func code(_ body: () async throws -> some Any) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? NetworkError)?.code.word ?? "\(error)"
    }
  }
}
