import MPaaSSupport

/// The metrics that the system took of an app over a day: `MXMetricPayload`.
///
///     {"appVersion": "2.1", "timeStampEnd": "2026-03-01 …", "metaData": {"appBuildVersion": "7", …},
///      "applicationResponsivenessMetrics": {"histogrammedAppHangTime": {"histogramNumBuckets": 3, "histogramValue":
///      {"0": {"bucketCount": 50, "bucketStart": "0 ms", "bucketEnd": "100 ms"}, …}}}, …}
///
/// Metrics have the names that the file gives them: new ones are read as those that are known.
/// - Source: Apple, `MXMetricPayload.jsonRepresentation()`, of iOS 13 to 26.
package struct MetricPayload: Sendable, Equatable {
  package private(set) var version = ""
  package private(set) var build = ""
  /// The end of the day, as the file has it.
  package private(set) var end = ""
  /// By their paths, such as `cpuMetrics.cumulativeCPUTime`.
  package private(set) var metrics: [String: Metric] = [:]

  /// Objects in one another that are followed; no payload has more.
  private static let deepest = 8
  /// Metrics of one file; no payload has more.
  private static let most = 10_000

  /// Tells whether the bytes are a payload, by the names at the top.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var skim = JSONSkim(bytes)
    var isPayload = false
    _ = skim.object { name, skim in
      isPayload = skim.text(name)?.hasSuffix("Metrics") == true
      return !isPayload && skim.skip()
    }
    return isPayload
  }

  /// - Parameter file: Its name in errors.
  /// - Throws: `profile-not-json`, `profile-bad-member`, `profile-too-large`.
  package init(reading bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) {
    var json = JSONCursor(bytes, file: file)
    try json.object("$") { (name, json) throws(ProfileError) in
      let text = json.text(name)
      if text.hasSuffix("Metrics") {
        try add(Self.members(&json, text, depth: 0), json)
      } else if text == "metaData", json.next() == UInt8(ascii: "{") {
        try json.object(text) { (name, json) throws(ProfileError) in
          guard json.isName(name, "appBuildVersion"), json.next() == UInt8(ascii: "\"") else { return try json.skip() }
          build = try json.string("appBuildVersion")
        }
      } else if text == "appVersion", json.next() == UInt8(ascii: "\"") {
        version = try json.string(text)
      } else if text == "timeStampEnd", json.next() == UInt8(ascii: "\"") {
        end = try json.string(text)
      } else {
        try json.skip()
      }
    }
    try json.end()
  }

  private mutating func add(_ found: [(String, Metric)], _ json: JSONCursor) throws(ProfileError) {
    for (path, metric) in found {
      metrics[path] = metrics[path].flatMap { $0.adding(metric) } ?? metric
      guard metrics.count <= Self.most else { throw json.error(.tooLarge, ["format": "MXMetricPayload"]) }
    }
  }

  /// The metrics in a value, with their paths.
  private static func members(
    _ json: inout JSONCursor, _ path: String, depth: Int
  ) throws(ProfileError) -> [(String, Metric)] {
    guard depth <= deepest else {
      try json.skip()
      return []
    }
    switch json.next() {
    case UInt8(ascii: "{"): return try object(&json, path, depth: depth)
    case UInt8(ascii: "["):
      var found: [(String, Metric)] = []
      try json.array(path) { (_, json) throws(ProfileError) in
        found += try members(&json, path, depth: depth + 1)
      }
      return found
    case UInt8(ascii: "\""):
      return Measure(try json.string(path)).flatMap { metric($0, path) }.map { [(path, $0)] } ?? []
    case UInt8(ascii: "-"), 0x30...0x39:
      let value = Double(try json.decimal(path, scale: 3)) / 1000
      return metric(Measure(value, ""), path).map { [(path, $0)] } ?? []
    default:
      try json.skip()
      return []
    }
  }

  /// The kind of a metric by the beginning of its name; nil for what is no metric.
  private static func metric(_ measure: Measure, _ path: String) -> Metric? {
    let name = path.split(separator: ".").last ?? ""
    if name.hasPrefix("cumulative") || name.contains("Cumulative") || name.hasPrefix("total") { return .sum(measure) }
    if name.hasPrefix("peak") { return .peak(measure) }
    if name.hasSuffix("Ratio") || name.contains("Average") { return .mean(measure, count: 1) }
    return nil
  }

  private static func object(
    _ json: inout JSONCursor, _ path: String, depth: Int
  ) throws(ProfileError) -> [(String, Metric)] {
    var found: [(String, Metric)] = []
    var names: [String: String] = [:]
    var mean: Measure?
    var count = 1.0
    try json.object(path) { (name, json) throws(ProfileError) in
      let text = json.text(name)
      switch text {
      case "histogramValue": found.append((path, .histogram(try histogram(&json))))
      case "averageValue" where json.next() == UInt8(ascii: "\""): mean = Measure(try json.string(text))
      case "sampleCount": count = Double(max(0, try json.decimal(text)))
      case "signpostName" where json.next() == UInt8(ascii: "\""),
        "signpostCategory" where json.next() == UInt8(ascii: "\""):
        names[text] = try json.string(text)
      default: found += try members(&json, "\(path).\(text)", depth: depth + 1)
      }
    }
    if let mean { found.append((path, .mean(mean, count: count))) }
    guard !names.isEmpty else { return found }
    // Signposts are an array: each is told by its names.
    let own = [names["signpostCategory"], names["signpostName"]].compactMap { $0 }.joined(separator: ".")
    return found.map { ("\(path).\(own)\($0.0.dropFirst(path.count))", $0.1) }
  }

  private static func histogram(_ json: inout JSONCursor) throws(ProfileError) -> MetricHistogram {
    var buckets: [MetricHistogram.Bucket] = []
    var unit = ""
    try json.object("histogramValue") { (_, json) throws(ProfileError) in
      var bucket = MetricHistogram.Bucket(start: 0, end: 0, count: 0)
      try json.object("histogramValue") { (name, json) throws(ProfileError) in
        let text = json.text(name)
        switch text {
        case "bucketCount": bucket.count = max(0, try json.decimal(text))
        case "bucketStart": bucket.start = try bound(&json, text).value
        case "bucketEnd":
          let end = try bound(&json, text)
          bucket.end = end.value
          unit = end.unit
        default: try json.skip()
        }
      }
      buckets.append(bucket)
    }
    return MetricHistogram(unit: unit, buckets: buckets)
  }

  private static func bound(_ json: inout JSONCursor, _ member: String) throws(ProfileError) -> Measure {
    let start = json.offset
    guard let measure = Measure(try json.string(member)) else { throw json.bad(member, at: start) }
    return measure
  }
}
