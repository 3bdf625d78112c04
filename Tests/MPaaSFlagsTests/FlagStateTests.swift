import MPaaSFlags
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The state of flags") struct FlagStateTests {
  static func state(_ json: String) throws -> FlagState { try FlagState(json: json) }

  @Test(
    "is refused with the reason where it is malformed",
    arguments: [
      ("", "flags-malformed"), ("{", "flags-malformed"), ("[]", "flags-shape"), ("{}", "flags-shape"),
      (#"{"features":{}}"#, "flags-shape"), (#"{"features":[{}]}"#, "flags-shape"),
      (#"{"features":[{"name":1}]}"#, "flags-shape"), (#"{"features":[{"name":"a","enabled":"yes"}]}"#, "flags-shape"),
      (#"{"features":[]} x"#, "flags-malformed"),
      (#"{"features":[{"name":"a","variants":[{"weight":-1}]}]}"#, "flags-shape"),
    ])
  func malformed(_ json: String, _ identifier: String) {
    #expect { try Self.state(json) } throws: { ($0 as? FlagError)?.identifier == identifier }
  }

  @Test("is refused beyond 10,000 flags, 1,000 values and 8 MiB")
  func limits() {
    let many = (0...10_000).map { #"{"name":"f\#($0)"}"# }.joined(separator: ",")
    let values = (0...1_000).map { "\"\($0)\"" }.joined(separator: ",")
    for (json, identifier) in [
      ("{\"features\":[\(many)]}", "flags-too-many"),
      (
        #"{"features":[{"name":"a","strategies":[{"name":"default","constraints":[{"contextName":"userId","#
          + #""operator":"IN","values":[\#(values)]}]}]}]}"#, "flags-values-too-many"
      ),
      (#"{"features":[]}"# + String(repeating: " ", count: 8 << 20), "flags-too-large"),
    ] {
      #expect { try Self.state(json) } throws: { ($0 as? FlagError)?.identifier == identifier }
    }
  }

  @Test("stays as it was where the next one is refused")
  func lastGood() throws {
    let flags = Flags()
    try flags.update(json: #"{"features":[{"name":"a","enabled":true}]}"#)
    #expect(throws: FlagError.self) { try flags.update(json: #"{"features":[{"name":"b","enabled":true}"#) }
    #expect(flags.isEnabled("a", for: FlagContext()) && !flags.isEnabled("b", for: FlagContext()))
  }

  @Test("is changed by the events of a delta")
  func events() throws {
    let flags = Flags()
    try flags.update(json: #"{"events":[{"type":"hydration","eventId":1,"features":[{"name":"a","enabled":true}]}]}"#)
    try flags.update(
      json: #"{"events":[{"type":"feature-updated","eventId":2,"feature":{"name":"b","enabled":true}},"#
        + #"{"type":"feature-removed","eventId":3,"featureName":"a"},{"type":"unknown","eventId":4}]}"#)
    #expect(!flags.isEnabled("a", for: FlagContext()) && flags.isEnabled("b", for: FlagContext()))
  }

  @Test("switches on nothing by what has no meaning")
  func meaningless() throws {
    for constraint in [
      #"{"contextName":"userId","operator":"NO_SUCH","values":["1"],"inverted":true}"#,
      #"{"contextName":"userId","operator":"NUM_GT","value":"many","inverted":true}"#,
      #"{"contextName":"userId","operator":"REGEX","value":"(a","inverted":true}"#,
      #"{"contextName":"userId","operator":"STR_CONTAINS","values":[],"inverted":true}"#,
    ] {
      let snapshot = FlagSnapshot(
        try Self.state(
          #"{"features":[{"name":"a","enabled":true,"strategies":[{"name":"default","constraints":[\#(constraint)]}]}]}"#
        ))
      #expect(!snapshot.isEnabled("a", for: FlagContext(userId: "1")), "\(constraint)")
    }
  }

  @Test("takes names that differ only by normalization for two flags")
  func names() throws {
    let snapshot = FlagSnapshot(
      try Self.state(#"{"features":[{"name":"caf\u00e9","enabled":true},{"name":"cafe\u0301","enabled":false}]}"#))
    #expect(snapshot.isEnabled("caf\u{e9}", for: FlagContext()))
    #expect(!snapshot.isEnabled("cafe\u{301}", for: FlagContext()))
  }

  @Test("is a state or an error, whatever the bytes", .fixtures)
  func anything() throws {
    var random = SeededRandom(seed: 3)
    for file in Specification.all.prefix(24) {
      let json = try #require(try Specification.json(file).object?["state"]).line
      let bytes = Array(json.utf8)
      for _ in 0..<SeededRandom.rounds(or: 40) {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: changed[place] = UInt8.random(in: .min ... .max, using: &random)
          case 1: changed.remove(at: place)
          default: changed.removeSubrange(place..<min(place + 9, changed.count))
          }
          if changed.isEmpty { changed = [0x7b] }
        }
        guard let state = try? changed.withUnsafeBytes({ try FlagState(json: $0) }) else { continue }
        let snapshot = FlagSnapshot(state)
        for flag in state.flags.prefix(3) { _ = snapshot.variant(flag.name, for: FlagContext(userId: "7")) }
      }
    }
  }
}

@Suite("The context of flags") struct FlagContextTests {
  @Test("takes numbers and booleans for texts, and null for nothing")
  func json() throws {
    let context = try FlagContext(
      json: ["userId": 7, "sessionId": .null, "city": "杭州", "properties": ["beta": true, "gone": .null]])
    #expect(context == FlagContext(userId: "7", properties: ["city": "杭州", "beta": "true"]))
    #expect(throws: FlagError.self) { try FlagContext(json: ["userId": ["7"]]) }
  }

  @Test("is filled with the facts of the device, without changing what is there")
  func facts() {
    var context = FlagContext(properties: ["city": "杭州"])
    context.fill(with: DeviceFacts(platform: "ios", version: "1.2.3", city: "上海"))
    #expect(context.properties == ["city": "杭州", "platform": "ios", "version": "1.2.3"])
  }
}
