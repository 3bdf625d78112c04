extension NetworkProfile {
  /// The profiles that come with the kit, slowest mobile network first, then what others call theirs.
  ///
  /// Delays are one way, rates are those of the whole link, shared by all connections.
  static let builtIn: [NetworkProfile] = mobile + fixed + troubled + apple + chrome + comcast

  private static let mobile = [
    link(
      "2g-rural", "2G in the country", Source.atc("2G - Developing Rural"), down: Line(20, 650, loss: 2),
      up: Line(18, 650, loss: 2)),
    link("2g", "2G in a town", Source.atc("2G - Developing Urban"), down: Line(35, 650), up: Line(32, 650)),
    link("edge", "EDGE", Source.atc("Edge - Average"), down: Line(240, 400), up: Line(200, 440)),
    link(
      "edge-lossy", "EDGE that loses packets", Source.atc("Edge - Lossy"), down: Line(240, 400, loss: 1),
      up: Line(200, 440, loss: 1)),
    link("3g", "3G", Source.atc("3G - Average"), down: Line(780, 100), up: Line(330, 100)),
    link("3g-good", "3G with a good signal", Source.atc("3G - Good"), down: Line(850, 90), up: Line(420, 100)),
    link("lte", "LTE", Source.nlc("LTE"), down: Line(50000, 50), up: Line(10000, 65)),
  ]

  private static let fixed = [
    link("dsl", "DSL", Source.atc("DSL"), down: Line(2000, 5), up: Line(256, 5)),
    link("cable", "Cable", Source.atc("Cable"), down: Line(6000, 2), up: Line(1000, 2)),
    link("wifi", "Wi-Fi", Source.nlc("Wi-Fi"), down: Line(40000, 1), up: Line(33000, 1)),
    link("wifi-ac", "Wi-Fi 802.11ac", Source.nlc("Wi-Fi 802.11ac"), down: Line(250_000, 1), up: Line(100_000, 1)),
    link(
      "satellite", "A geostationary satellite", Source.satellite, down: Line(25000, 279.5), up: Line(3000, 279.5)),
  ]

  private static let troubled = [
    link("lossy", "Nothing wrong but losses", Source.own, down: Line(loss: 5), up: Line(loss: 5)),
    link("very-bad", "A very bad network", Source.nlc("Very Bad Network"), down: Line(1000, 500, loss: 10), up: Line(1000, 500, loss: 10)),
    NetworkProfile(name: "airplane", title: "Flight mode", source: Source.own, downstream: [.flightMode]),
    NetworkProfile(
      name: "dns-slow", title: "Names that take three seconds", source: Source.nlc("High Latency DNS"),
      downstream: [.dnsDelay(DNSDelay(.seconds(3)))]),
  ]

  private static let apple: [NetworkProfile] = []
  private static let chrome: [NetworkProfile] = []
  private static let comcast: [NetworkProfile] = []

  enum Source {
    static let own = "own choice"
    static let satellite = "RFC 2488"
    static func atc(_ name: String) -> String { "Facebook Augmented Traffic Control, profile \(name)" }
    static func nlc(_ name: String) -> String { "Apple Network Link Conditioner, preset \(name)" }
  }

  /// One direction: kbit/s, milliseconds, per cent.
  struct Line {
    var rate: Int64?
    var delay: Double?
    var loss: Double?

    init(_ rate: Int64? = nil, _ delay: Double? = nil, loss: Double? = nil) {
      self.rate = rate
      self.delay = delay
      self.loss = loss
    }

    var conditions: [Condition] {
      var list: [Condition] = []
      if let loss { list.append(.loss(Loss(loss / 100))) }
      if let rate { list.append(.bandwidth(Bandwidth(bitsPerSecond: rate * 1000, isShared: true))) }
      if let delay { list.append(.latency(Latency(.microseconds(Int64(delay * 1000))))) }
      return list
    }
  }

  static func link(_ name: String, _ title: String, _ source: String, down: Line, up: Line) -> NetworkProfile {
    NetworkProfile(
      name: name, title: title, source: source, downstream: down.conditions, upstream: up.conditions)
  }
}
