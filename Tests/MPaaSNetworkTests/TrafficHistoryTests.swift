import MPaaSNetworkConditions
import MPaaSSupport
import Synchronization
import Testing

@Suite("The traffic of a server") struct TrafficHistoryTests {
  private static func statistics(_ name: String, down: Int64, up: Int64 = 0, requests: Int64 = 0) -> ProxyStatistics {
    var statistics = ProxyStatistics(proxy: name)
    statistics.downstream.sent = down
    statistics.upstream.sent = up
    statistics.requests = requests
    return statistics
  }

  private static func sample(_ time: Double, _ statistics: [ProxyStatistics]) -> TrafficSample {
    TrafficSample(time: time, proxies: statistics.map { ["name": .string($0.proxy)] }, statistics: statistics)
  }

  @Test("becomes rates by what passed between two samples, and by the server's clock")
  func rates() {
    var history = TrafficHistory()
    #expect(history.rate(of: "web") == TrafficHistory.Rate())
    history.take(Self.sample(100, [Self.statistics("web", down: 1000)]))
    #expect(history.rates.isEmpty)
    history.take(Self.sample(102, [Self.statistics("web", down: 5000, up: 200, requests: 4)]))
    #expect(history.rate(of: "web").down == 2000)
    #expect(history.rate(of: "web").up == 100)
    #expect(history.rate(of: "web").requests == 2)
    #expect(history.rate(of: "web").p50 == nil)
    // A proxy that was made anew counts from zero again.
    history.take(Self.sample(103, [Self.statistics("web", down: 10)]))
    #expect(history.rate(of: "web").down == 0)
    #expect(history.rates["web"]?.count == 2)
  }

  @Test("keeps 120 samples, and forgets proxies that are gone")
  func kept() {
    var history = TrafficHistory()
    for second in 0...200 {
      history.take(
        Self.sample(Double(second), [Self.statistics("a", down: Int64(second)), Self.statistics("b", down: 0)]))
    }
    #expect(history.rates["a"]?.count == 120)
    history.take(Self.sample(300, [Self.statistics("a", down: 0)]))
    #expect(history.rates.keys.sorted() == ["a"])
    #expect(history.statistics(of: "b") == nil)
  }

  @Test("is told as an object with bits a second")
  func json() throws {
    var history = TrafficHistory()
    for (time, down) in [(1.0, 0), (2.0, 1000)] as [(Double, Int64)] {
      history.take(
        TrafficSample(
          time: time,
          proxies: [["name": .string("web"), "enabled": .bool(true), "toxics": .array([["name": .string("slow")]])]],
          statistics: [Self.statistics("web", down: down)], profile: "lte", pressed: ["2g"]))
    }
    let object = try #require(history.json.object)
    #expect(object["time"]?.double == 2)
    #expect(object["profile"] == .string("lte"))
    #expect(object["pressed"] == .array([.string("2g")]))
    let proxy = try #require(object["proxies"]?.array?.first?.object)
    #expect(proxy["down_bits_per_second"]?.double == 8000)
    #expect(proxy["enabled"] == .bool(true))
    #expect(proxy["toxics"] == .array([.string("slow")]))
    #expect(proxy["delay_p50_ms"] == .null)
  }

  @Test("is asked for by what is wanted, each proxy by its name first")
  func asked() async throws {
    let paths = Mutex<[String]>([])
    let answers: [String: JSONValue] = [
      "proxies": ["b": ["name": .string("b")], "a": ["name": .string("a")]],
      "statistics": ["time": .unsigned(7), "proxies": .array([["proxy": .string("a")], ["proxy": .string("b")]])],
      "profiles": ["applied": ["name": .string("lte")]], "buttons": ["pressed": .array([.string("2g")])],
    ]
    func sample(_ names: [String]) async throws -> TrafficSample {
      try await TrafficSample(of: names) { path in
        paths.withLock { $0.append(path.joined(separator: "/")) }
        return answers[path.joined(separator: "/")] ?? .null
      }
    }
    let all = try await sample([])
    #expect(all.time == 7)
    #expect(all.proxies.map { $0["name"]?.string } == ["a", "b"])
    #expect(all.statistics.map(\.proxy) == ["a", "b"])
    #expect(all.profile == "lte")
    #expect(all.pressed == ["2g"])
    let one = try await sample(["b"])
    #expect(one.proxies.map { $0["name"]?.string } == ["b"])
    #expect(one.statistics.map(\.proxy) == ["b"])
    #expect(paths.withLock { $0.suffix(5) } == ["proxies/b", "proxies", "statistics", "profiles", "buttons"])
  }

  @Test(
    "a timeline's form is told by its file's name",
    arguments: [("a.toml", TimelineForm.toml), ("a.json", .json), ("a.timeline", .text), ("json", .text)])
  func form(path: String, form: TimelineForm) throws {
    #expect(TimelineForm(ofFile: path) == form)
    let timeline = try Timeline(text: "at 1s: loss 1% for 1s", file: "t")
    #expect(form.text(of: timeline, .builtIn).hasSuffix("\n"))
  }
}
