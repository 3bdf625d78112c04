package import MPaaSSupport

extension Condition {
  /// A setting of a condition, as the API, profiles and the command line write it.
  package struct Attribute: Sendable, Equatable {
    /// The unit of its value.
    package enum Unit: Sendable, Equatable {
      case milliseconds
      case microseconds
      case bytes
      /// Thousands of bytes a second.
      case kilobytesPerSecond
      case bitsPerSecond
      /// 0 to 1.
      case share
      case packets
      /// A count, or a number with a meaning of its own.
      case number
      case flag
      /// One of these.
      case word([String])
      case text
      /// An object whose values are texts.
      case texts
    }

    package var name: String
    package var unit: Unit
    /// The value where it is not given; nil where the condition then does without.
    package var usual: JSONValue?
    /// The numbers that it may be.
    package var range: ClosedRange<Double>
    /// Tells whether toxiproxy does not have it.
    package var isExtension: Bool

    init(
      _ name: String, _ unit: Unit, _ usual: JSONValue? = 0, in range: ClosedRange<Double>? = nil,
      isExtension: Bool = true
    ) {
      self.name = name
      self.unit = unit
      self.usual = usual
      self.range = range ?? unit.range
      self.isExtension = isExtension
    }

    /// One of toxiproxy's own.
    static func original(_ name: String, _ unit: Unit, _ usual: JSONValue? = 0) -> Attribute {
      Attribute(name, unit, usual, isExtension: false)
    }

    /// Tells whether the value must be a whole number.
    package var isWhole: Bool {
      switch unit {
      case .bytes, .bitsPerSecond, .number: true
      default: false
      }
    }
  }
}

extension Condition.Attribute.Unit {
  /// The word for the unit in help texts; nil where there is none to name.
  package var symbol: String? {
    switch self {
    case .milliseconds: "ms"
    case .microseconds: "µs"
    case .bytes: "B"
    case .kilobytesPerSecond: "KB/s"
    case .bitsPerSecond: "bit/s"
    case .share, .packets, .number, .flag, .word, .text, .texts: nil
    }
  }

  /// The longest time is about a year, the fastest link 100 Tbit/s.
  fileprivate var range: ClosedRange<Double> {
    switch self {
    case .milliseconds: 0...3e10
    case .microseconds: 0...3e13
    case .bytes: 0...9e15
    case .kilobytesPerSecond: 0...1.25e10
    case .bitsPerSecond: 0...1e14
    case .share: 0...1
    case .packets: 1...1e6
    case .number: 0...1e9
    case .flag, .word, .text, .texts: 0...0
    }
  }
}

extension Condition.Kind {
  /// The settings, in the order of help texts.
  package var attributes: [Condition.Attribute] { Self.table[self] ?? [] }

  package func attribute(_ name: String) -> Condition.Attribute? { attributes.first { $0.name == name } }

  /// Tells whether toxiproxy has the type too.
  package var isExtension: Bool {
    switch self {
    case .noop, .latency, .bandwidth, .slowClose, .timeout, .resetPeer, .slicer, .limitData: false
    default: true
    }
  }

  private typealias Attribute = Condition.Attribute

  private static let filter: [Attribute] = [
    Attribute("method", .text, nil), Attribute("path", .text, nil), Attribute("first", .number, nil),
    Attribute("probability", .share, 1),
  ]

  private static let table: [Self: [Attribute]] = [
    .latency: [
      .original("latency", .milliseconds), .original("jitter", .milliseconds),
      Attribute("distribution", .word(Latency.Distribution.allCases.map(\.rawValue)), "uniform"),
      Attribute("correlation", .share),
    ],
    .bandwidth: [
      .original("rate", .kilobytesPerSecond), Attribute("rate_bps", .bitsPerSecond, nil),
      Attribute("burst", .bytes, nil, in: 1...9e15), Attribute("shared", .flag, false),
    ],
    .loss: [
      Attribute("probability", .share), Attribute("mean_burst", .packets, 1), Attribute("stall", .milliseconds, nil),
    ],
    .corruption: [Attribute("probability", .share), Attribute("in_streams", .flag, false)],
    .duplicate: [Attribute("probability", .share)],
    .reorder: [Attribute("probability", .share), Attribute("delay", .milliseconds, 10)],
    .slicer: [
      .original("average_size", .bytes), .original("size_variation", .bytes), .original("delay", .microseconds),
    ],
    .limitData: [.original("bytes", .bytes)],
    .slowClose: [.original("delay", .milliseconds)],
    .timeout: [.original("timeout", .milliseconds)],
    .resetPeer: [.original("timeout", .milliseconds)],
    .httpDelay: [Attribute("delay", .milliseconds)] + filter,
    .httpError: [
      Attribute("status", .number, 503, in: 100...599), Attribute("body", .text, ""), Attribute("headers", .texts, [:]),
    ] + filter,
    .httpSlowHeaders: [Attribute("delay", .milliseconds)] + filter,
    .httpTruncatedBody: [Attribute("bytes", .bytes)] + filter,
    .dnsDelay: [Attribute("delay", .milliseconds), Attribute("name", .text, nil)],
    .dnsFailure: [
      Attribute("answer", .word(DNSFailure.Answer.allCases.map(\.rawValue)), "nxdomain"), Attribute("name", .text, nil),
      Attribute("probability", .share, 1),
    ],
  ]
}
