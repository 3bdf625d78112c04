import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The items of a state") struct FlagSourcesTests {
  private func apply(_ events: String, to sources: FlagSources = FlagSources()) throws -> FlagSources {
    let body = Array("{\"events\":\(events)}".utf8)
    let state = try sources.state()
    return try body.withUnsafeBytes { try sources.applying(events: $0, to: state).sources }
  }

  static let start = """
    [{"type": "hydration", "features": [
      {"name": "b", "enabled": true, "lastSeenAt": "never — \\"quoted\\"  twice"}, {"name": "a", "type": "kill-switch", "enabled": false}],
      "segments": [{"id": 3, "constraints": [ ]}]}]
    """

  @Test("stand as they were written, without white space, with members that we do not know")
  func written() throws {
    let sources = try apply(Self.start)
    #expect(
      sources.members()
        == #""features":[{"name":"a","type":"kill-switch","enabled":false},{"name":"b","enabled":true,"lastSeenAt":"never — \"quoted\"  "#
        + #"twice"}],"segments":[{"id":3,"constraints":[]}]"#)
    #expect(try sources.state().flags.count == 2)
  }

  @Test("change by events, and the edits between two states lead from one to the other")
  func edits() throws {
    let before = try apply(Self.start)
    let after = try apply(
      """
      [{"type":"feature-updated","feature":{"name":"a","type":"kill-switch","enabled":true}},
       {"type":"feature-removed","featureName":"b"},{"type":"segment-removed","segmentId":3},
       {"type":"feature-updated","feature":{"name":"c","enabled":false}}]
      """, to: before)
    let edits = before.edits(to: after)
    #expect(
      edits.map { "\($0.change.kind) \($0.item.kind) \($0.item.name)" } == [
        "changed flag a", "removed flag b", "added flag c", "removed segment 3",
      ])
    #expect(edits.map(\.isOfKillSwitch) == [true, false, false, false])
    #expect(edits[0].change.members.map(\.member) == ["enabled"])
    #expect(before.applying(edits) == after)
    // The events of the edits are read as they were written.
    #expect(try apply("[\(edits.map { $0.event(7) }.joined(separator: ","))]", to: before) == after)
    #expect(after.edits(to: after).isEmpty)
  }

  @Test(
    "are refused where an event is none, or a whole state names one twice",
    arguments: [
      (#"[{"type":"feature-added","feature":{"name":"a"}}]"#, "flags-shape"),
      (#"[{"type":"feature-updated"}]"#, "flags-shape"), (#"[{"type":"feature-removed"}]"#, "flags-shape"),
      (
        #"[{"type":"hydration","features":[{"name":"a","enabled":true},{"name":"a","enabled":true}]}]"#,
        "flags-name-twice"
      ),
      (
        #"[{"type":"hydration","segments":[{"id":1,"constraints":[]},{"id":1,"constraints":[]}]}]"#,
        "flags-segment-twice"
      ),
      (#"[{"type":"hydration","features":[{"enabled":true}]}]"#, "flags-shape"), ("[{", "flags-malformed"),
      (#"[{"type":"hydration","segments":[{"name":"a"}]}]"#, "flags-shape"),
      (#"[{"type":"segment-updated","segment":{"name":"a","constraints":[]}}]"#, "flags-shape"),
    ])
  func refused(events: String, code: String) {
    let error = #expect(throws: FlagError.self) { try apply(events) }
    #expect(error?.identifier == code)
  }

  @Test("are not set where a flag does not say whether it is enabled, or a segment whom it is for; clients take them")
  func decisive() throws {
    let flag = #"{"name":"a","enabled":null}"#
    let segment = #"{"id":7,"constraints":null}"#
    let events: [(String, String)] = [
      (#"[{"type":"feature-updated","feature":\#(flag)}]"#, "features[a].enabled"),
      (#"[{"type":"hydration","features":[{"name":"a"}]}]"#, "features[a].enabled"),
      (#"[{"type":"segment-updated","segment":\#(segment)}]"#, "segments[7].constraints"),
      (#"[{"type":"hydration","segments":[{"id":7}]}]"#, "segments[7].constraints"),
    ]
    for (events, member) in events {
      let error = #expect(throws: FlagError.self) { try apply(events) }
      #expect(error?.identifier == "flags-shape" && error?.values["member"] == member)
    }
    let state = try FlagState(json: #"{"features":[\#(flag)],"segments":[\#(segment)]}"#)
    #expect(state.flags.map(\.isEnabled) == [false] && state.segments.map(\.id) == [7])
  }

  @Test("an amendment sets the value that apps get, as the payload of the one variant that a flag has")
  func value() throws {
    var amendment = FlagAmendment()
    amendment.value = "8"
    let made = try amendment.event(of: "limit", from: nil)
    let known: JSONValue = [
      "name": "limit", "enabled": true,
      "variants": [["name": "a", "weight": 5, "payload": ["type": "number", "value": "7"]]],
    ]
    let changed = try amendment.event(of: "limit", from: known.object)
    let flags = try [made, changed].map { event in
      try FlagState(json: JSONValue.object(["events": [event]]).line, changing: FlagState()).flags[0]
    }
    #expect(
      flags.map { $0.variants.map(\.payload) } == [
        [FlagPayload(type: "string", value: "8")], [FlagPayload(type: "number", value: "8")],
      ])
    let two: JSONValue = [
      "name": "limit", "enabled": true, "variants": [["name": "a", "weight": 1], ["name": "b", "weight": 1]],
    ]
    #expect(throws: FlagError(.editValues, ["flag": "limit", "count": "2"])) {
      try amendment.event(of: "limit", from: two.object)
    }
  }

  @Test("whatever bytes come, a state that is taken is the state of its items")
  func mutated() throws {
    var random = SeededRandom(seed: 11)
    let whole = Array("{\"events\":\(Self.start)}".utf8)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7f, using: &random)
      }
      bytes.withUnsafeBytes { bytes in
        guard let found = try? FlagSources().applying(events: bytes, to: FlagState()) else { return }
        let again = try? found.sources.state()
        #expect(again.map { Set($0.flags.map(\.name)) } == Set(found.state.flags.map(\.name)))
        #expect(again.map { Set($0.segments.map(\.id)) } == Set(found.state.segments.map(\.id)))
      }
    }
  }
}
