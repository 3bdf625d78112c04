import MPaaSFlags
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSAppServices

@Suite("The state as it is kept") struct FlagDocumentTests {
  static let state = #"""
    {"version": 2, "features": [
      {"name": "a", "type": "release", "enabled": true, "new": {"x": [1.5e3, "\n"]}, "strategies": [
        {"name": "flexibleRollout", "parameters": {"rollout": "50"}, "segments": [1]}]},
      {"enabled": false, "name": "caf\u00e9", "strategies": []}],
     "segments": [{"id": 1, "name": "s", "constraints": [
       {"contextName": "userId", "operator": "IN", "values": ["7"]}]}], "query": {}}
    """#
  static let events = [
    #"{"events":[{"eventId":2,"type":"feature-updated","feature":{"name":"a","enabled":false,"strategies":[]}}]}"#,
    #"{"events":[{"type":"feature-removed","featureName":"café","eventId":3},{"type":"unknown","x":[]}]}"#,
    #"{"events":[{"segment":{"id":2,"constraints":[]},"type":"segment-updated"}]}"#,
    #"{"events":[{"type":"segment-removed","segmentId":1},{"type":"feature-updated","feature":{"name":"b"}}]}"#,
    #"{"events":[{"type":"hydration","features":[{"name":"z","enabled":true}],"segments":null}]}"#,
    state,
  ]

  /// The state of a document that is read as the client API answers it.
  static func reading(_ document: FlagDocument) throws -> FlagState {
    try document.encoded.withUnsafeBytes { try FlagState(json: $0) }
  }

  @Test("says after any events what the evaluated state says, and keeps members that are not known")
  func events() throws {
    var random = SeededRandom(seed: 8)
    var holding = try FlagHolding(reading: Array(Self.state.utf8), place: "x")
    #expect(String(decoding: holding.document.encoded, as: UTF8.self).contains(#""new": {"x": [1.5e3, "\n"]}"#))
    for _ in 0..<SeededRandom.rounds(or: 200) {
      try holding.apply(Array((Self.events.randomElement(using: &random) ?? "").utf8), place: "x")
      #expect(try Self.reading(holding.document) == holding.state)
    }
  }

  @Test("is never another one than the evaluated state, whatever bytes come")
  func mutations() throws {
    var random = SeededRandom(seed: 9)
    let start = try FlagHolding(reading: Array(Self.state.utf8), place: "x")
    var taken = 0
    for round in 0..<SeededRandom.rounds(or: 1500) {
      var bytes = Array(Self.events[round % Self.events.count].utf8)
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      default: bytes.insert(Array(#"{}[]",:0n\"#.utf8).randomElement(using: &random) ?? 0, at: place)
      }
      var holding = start
      do {
        try holding.apply(bytes, place: "x")
        taken += 1
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try Self.reading(holding.document) == holding.state, "\(text)")
      } catch { #expect(holding.state == start.state && holding.document == start.document) }
    }
    #expect(taken > 100)
  }

  @Test("changes are told by name: of flags, of the segments that they name, and of the flags that they depend on")
  func changes() throws {
    func state(_ text: String) throws -> FlagState { try FlagState(json: text) }
    let old = try state(
      #"{"features":[{"name":"a"},{"name":"b","strategies":[{"name":"default","segments":[1]}]},"#
        + #"{"name":"c","dependencies":[{"feature":"a"}]},{"name":"d"},{"name":"e"}],"segments":[{"id":1},{"id":2}]}"#)
    let new = try state(
      #"{"features":[{"name":"a","enabled":true},{"name":"b","strategies":[{"name":"default","segments":[1]}]},"#
        + #"{"name":"c","dependencies":[{"feature":"a"}]},{"name":"d"},{"name":"f"}],"#
        + #""segments":[{"id":1,"constraints":[{"contextName":"x","operator":"IN"}]}]}"#)
    #expect(new.changes(from: old) == ["a", "b", "c", "e", "f"])
    #expect(old.changes(from: old).isEmpty)
  }

  @Test("kill switches of a newer state count with their own segments, and no other flag changes")
  func killSwitches() throws {
    let old = try FlagState(
      json: #"{"features":[{"name":"pay","enabled":true,"strategies":[{"name":"default","segments":[1]}]},"#
        + #"{"name":"off","type":"kill-switch","enabled":true},{"name":"gone","type":"kill-switch","enabled":true}],"#
        + #""segments":[{"id":1,"constraints":[{"contextName":"userId","operator":"IN","values":["7"]}]}]}"#)
    let new = try FlagState(
      json: #"{"features":[{"name":"pay","enabled":false},"#
        + #"{"name":"off","type":"kill-switch","enabled":true,"strategies":[{"name":"default","segments":[1,9]}]},"#
        + #"{"name":"off2","type":"kill-switch","enabled":true,"strategies":[{"name":"default","segments":[1]}]}],"#
        + #""segments":[{"id":1,"constraints":[{"contextName":"userId","operator":"IN","values":["8"]}]}]}"#)
    let snapshot = FlagSnapshot(old.withKillSwitches(of: new))
    func isOn(_ name: String, _ user: String) -> Bool { snapshot.isEnabled(name, for: FlagContext(userId: user)) }
    #expect(isOn("pay", "7") && !isOn("pay", "8"))
    #expect(!isOn("off2", "7") && isOn("off2", "8"))
    // The segment that is not there keeps it off; one that the newer state does not have is off, too.
    #expect(!isOn("off", "8") && !isOn("gone", "7"))
    #expect(old.withKillSwitches(of: old).changes(from: old).isEmpty)
  }
}
