extension NetworkProfile {
  /// The profiles that come with the kit: mobile networks from the slowest, then others, then what other tools call theirs.
  ///
  /// Delays are one way, rates are those of the whole link, shared by all connections. `Documentation/NetworkProfiles.md`
  /// has them in a table.
  static let builtIn: [NetworkProfile] = mobile + fixed + troubled + apple + chrome + comcast

  private static let mobile = [
    link(
      "2g-rural", "2G in the country", Source.atc("2G - Developing Rural"), down: Line(20, 650, loss: 2),
      up: Line(18, 650, loss: 2)),
    link("2g-urban", "2G in a town", Source.atc("2G - Developing Urban"), down: Line(35, 650), up: Line(32, 650)),
    link("edge", "EDGE", Source.atc("Edge - Average"), down: Line(240, 400), up: Line(200, 440)),
    link("edge-good", "EDGE with a good signal", Source.atc("Edge - Good"), down: Line(250, 350), up: Line(200, 370)),
    link(
      "edge-lossy", "EDGE that loses packets", Source.atc("Edge - Lossy"), down: Line(240, 400, loss: 1),
      up: Line(200, 440, loss: 1)),
    link("3g", "3G", Source.atc("3G - Average"), down: Line(780, 100), up: Line(330, 100)),
    link("3g-good", "3G with a good signal", Source.atc("3G - Good"), down: Line(850, 90), up: Line(420, 100)),
    link("lte", "LTE", Source.nlc("LTE"), down: Line(50000, 50), up: Line(10000, 65)),
  ]

  private static let fixed = [
    link("dsl", "DSL", Source.atc("DSL"), down: Line(2000, 5), up: Line(256, 5)),
    link("cable", "Television cable", Source.atc("Cable"), down: Line(6000, 2), up: Line(1000, 2)),
    link("wifi", "Wi-Fi", Source.nlc("Wi-Fi"), down: Line(40000, 1), up: Line(33000, 1)),
    link("wifi-ac", "Wi-Fi 802.11ac", Source.nlc("Wi-Fi 802.11ac"), down: Line(250_000, 1), up: Line(100_000, 1)),
    link(
      "satellite", "A geostationary satellite",
      "delay: RFC 2488, section 2 (279 ms one way at the edge of the view); rates: own choice",
      down: Line(25000, 279), up: Line(3000, 279)),
    link(
      "satellite-low", "A satellite in a low orbit",
      "own choice, near what Starlink tells of its service",
      down: Line(100_000, 20, jitter: 8, loss: 0.5), up: Line(15000, 20, jitter: 8, loss: 0.5)),
  ]

  private static let troubled = [
    link("lossy", "Only losses: one packet in twenty", Source.own, down: Line(loss: 5), up: Line(loss: 5)),
    link(
      "very-bad", "Slow, far and lossy", Source.nlc("Very Bad Network"), down: Line(1000, 500, loss: 10),
      up: Line(1000, 500, loss: 10)),
    NetworkProfile(
      name: "airplane", title: "Flight mode: no network, and no names", source: Source.own, downstream: [.flightMode]),
    NetworkProfile(
      name: "dns-slow", title: "Names take three seconds", source: Source.nlc("High Latency DNS"),
      downstream: [.dnsDelay(DNSDelay(.seconds(3)))]),
    captivePortal, trainTunnel,
  ]

  /// RFC 6585, section 6 has the status for it; requests that are no HTTP pass.
  private static let captivePortal = NetworkProfile(
    name: "captive-portal", title: "A login page instead of every HTTP reply", source: "RFC 6585, section 6",
    downstream: [
      .httpError(
        HTTPFailure(
          status: 511,
          body: "<html><head><title>Network Authentication Required</title></head>"
            + "<body><p>Sign in to use this network.</p></body></html>\n",
          headers: ["Cache-Control": "no-store", "Content-Type": "text/html"]))
    ])

  private static let trainTunnel: NetworkProfile = {
    func both(_ conditions: Condition...) -> [Toxic] {
      conditions.flatMap { [Toxic($0, direction: .downstream), Toxic($0, direction: .upstream)] }
    }
    func step(_ start: Int, _ length: Int, _ conditions: [Toxic]) -> Timeline.Step {
      Timeline.Step(
        at: .seconds(start), for: .seconds(length), conditions, label: ConditionPhrase.text(of: conditions))
    }
    func fading(_ rate: Int64, _ delay: Int, _ jitter: Int, _ loss: Double) -> [Toxic] {
      both(
        .loss(Loss(loss)), .bandwidth(Bandwidth(bitsPerSecond: rate, isShared: true)),
        .latency(Latency(.milliseconds(delay), jitter: .milliseconds(jitter))))
    }
    var profile = link(
      "train-tunnel", "LTE from a train that goes through tunnels", "own choice, on the numbers of lte",
      down: Line(50000, 50), up: Line(10000, 65))
    profile.timeline = Timeline(
      name: "train-tunnel",
      steps: [
        step(30, 5, fading(1_000_000, 150, 80, 0.03)), step(35, 20, both(.blackout)),
        step(55, 5, fading(2_000_000, 100, 60, 0.02)), step(75, 3, both(.blackout)),
      ], length: .seconds(90), repeats: true)
    return profile
  }()

  private static let apple = [
    link("apple-100-loss", "Nothing arrives", Source.nlc("100% Loss"), down: Line(loss: 100), up: Line(loss: 100)),
    link("apple-3g", "3G", Source.nlc("3G"), down: Line(780, 100), up: Line(330, 100)),
    link("apple-dsl", "DSL", Source.nlc("DSL"), down: Line(2000, 5), up: Line(256, 5)),
    link("apple-edge", "EDGE", Source.nlc("Edge"), down: Line(240, 400), up: Line(200, 440)),
    NetworkProfile(
      name: "apple-high-latency-dns", title: "Names take three seconds", source: Source.nlc("High Latency DNS"),
      downstream: [.dnsDelay(DNSDelay(.seconds(3)))]),
    link("apple-lte", "LTE", Source.nlc("LTE"), down: Line(50000, 50), up: Line(10000, 65)),
    link(
      "apple-very-bad-network", "Slow, far and lossy", Source.nlc("Very Bad Network"), down: Line(1000, 500, loss: 10),
      up: Line(1000, 500, loss: 10)),
    link("apple-wifi", "Wi-Fi", Source.nlc("Wi-Fi"), down: Line(40000, 1), up: Line(33000, 1)),
    link(
      "apple-wifi-ac", "Wi-Fi 802.11ac", Source.nlc("Wi-Fi 802.11ac"), down: Line(250_000, 1),
      up: Line(100_000, 1)),
  ]

  private static let chrome = [
    NetworkProfile(
      name: "devtools-offline", title: "Offline", source: Source.devtools("Offline"), downstream: [.flightMode]),
    link("devtools-3g", "3G", Source.devtools("3G"), down: Line(400, 2000), up: Line(400)),
    link("devtools-slow-4g", "Slow 4G", Source.devtools("Slow 4G"), down: Line(1440, 562.5), up: Line(675)),
    link("devtools-fast-4g", "Fast 4G", Source.devtools("Fast 4G"), down: Line(8100, 165), up: Line(1350)),
  ]

  private static let comcast = [
    link("comcast-gprs", "GPRS", Source.comcast("GPRS (good)"), down: Line(50, 500, loss: 2), up: Line(50, loss: 2)),
    link(
      "comcast-edge", "EDGE", Source.comcast("EDGE (good)"), down: Line(250, 300, loss: 1.5),
      up: Line(250, loss: 1.5)),
    link(
      "comcast-3g", "3G/HSDPA", Source.comcast("3G/HSDPA (good)"), down: Line(750, 250, loss: 1.5),
      up: Line(750, loss: 1.5)),
    link(
      "comcast-dialup", "A telephone line", Source.comcast("DIAL-UP (good)"), down: Line(40, 185, loss: 2),
      up: Line(40, loss: 2)),
    link(
      "comcast-dsl-poor", "Poor DSL", Source.comcast("DSL (poor)"), down: Line(2000, 70, loss: 2),
      up: Line(2000, loss: 2)),
    link(
      "comcast-dsl", "DSL", Source.comcast("DSL (good)"), down: Line(8000, 40, loss: 0.5), up: Line(8000, loss: 0.5)),
    link(
      "comcast-wifi", "Wi-Fi", Source.comcast("WIFI (good)"), down: Line(30000, 40, loss: 0.2),
      up: Line(30000, loss: 0.2)),
    link(
      "comcast-starlink", "Starlink", Source.comcast("Starlink"), down: Line(nil, 20, loss: 2.5), up: Line(loss: 2.5)),
  ]
}

extension NetworkProfile {
  private enum Source {
    static let own = "own choice"
    static func atc(_ name: String) -> String { "Augmented Traffic Control (Facebook), \(name)" }
    static func nlc(_ name: String) -> String { "Network Link Conditioner (Apple), \(name)" }
    /// Chrome's delay is for a whole exchange: it is put on the replies.
    static func devtools(_ name: String) -> String { "Chrome DevTools, \(name); its delay of an exchange downstream" }
    /// Its delay is that of the interface, once for a round trip.
    static func comcast(_ name: String) -> String { "comcast's README, \(name); its delay downstream" }
  }

  /// One direction: kbit/s, milliseconds, milliseconds, per cent.
  private struct Line {
    var rate: Int64?
    var delay: Double?
    var jitter: Double?
    var loss: Double?

    init(_ rate: Int64? = nil, _ delay: Double? = nil, jitter: Double? = nil, loss: Double? = nil) {
      self.rate = rate
      self.delay = delay
      self.jitter = jitter
      self.loss = loss
    }

    var conditions: [Condition] {
      var list: [Condition] = []
      if let loss { list.append(.loss(Loss(loss / 100))) }
      if let rate { list.append(.bandwidth(Bandwidth(bitsPerSecond: rate * 1000, isShared: true))) }
      if let delay {
        let jitter = Duration.microseconds(Int64((jitter ?? 0) * 1000))
        list.append(
          .latency(
            Latency(
              .microseconds(Int64(delay * 1000)), jitter: jitter, distribution: jitter == .zero ? .uniform : .normal)))
      }
      return list
    }
  }

  private static func link(
    _ name: String, _ title: String, _ source: String, down: Line, up: Line
  ) -> NetworkProfile {
    NetworkProfile(name: name, title: title, source: source, downstream: down.conditions, upstream: up.conditions)
  }
}
