import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The body of a change of flags") struct FlagChangeBodyTests {
  @Test("is read as it was written")
  func written() throws {
    let request = FlagChangeRequest(
      .events(#"[ {"type": "feature-removed", "featureName": "a\"b"} ]"#), comment: "why \"\n\u{1}", base: 12, at: 1.5)
    #expect(try FlagChangeBody.read(Array(request.json.utf8)) == request)
    let back = FlagChangeRequest(.rollback(7))
    #expect(try FlagChangeBody.read(Array(back.json.utf8)) == back)
  }

  @Test("is refused where a client would refuse all flags for it, or a line of a stream would break")
  func broken() throws {
    let broken: [(flag: String, reason: String)] = [
      ("\"name\":\"a\nb\"", "unexpected-byte"), ("\"name\":\"a\u{1}\"", "unexpected-byte"),
      (#""name":"\ud800""#, ""), (#""name":"a","name":"b""#, "name-twice"),
      (#""name":"a","x":[{"y":{"z":1,"\u007a":2}}]"#, "name-twice"), (#""name":"a","x":1e999"#, "bad-number"),
    ]
    for (flag, reason) in broken {
      let body = Array("{\"events\":[{\"type\":\"feature-updated\",\"feature\":{\(flag)}}]}".utf8)
      let error = #expect(throws: FlagError.self) { try FlagChangeBody.read(body) }
      #expect(error?.code == .malformed, "\(flag)")
      #expect(error?.values["reason"]?.hasPrefix(reason) == true, "\(flag): \(error?.values ?? [:])")
    }
    let bytes = Array(#"{"events":[{"type":"feature-removed","featureName":""#.utf8) + [0xff] + Array(#""}]}"#.utf8)
    #expect(throws: FlagError.self) { try FlagChangeBody.read(bytes) }
    let twice = Array(#"{"events":[],"events":[]}"#.utf8)
    #expect(throws: FlagError.self) { try FlagChangeBody.read(twice) }
    let good = Array(#"{"events":[{"x":[-1.5e3,"é\ud83d\ude00\u0000",{"a":{},"b":{"a":[]}}]}]}"#.utf8)
    #expect(throws: Never.self) { try FlagChangeBody.read(good) }
  }

  @Test("whatever bytes come, it is refused with a reason, or has events that are an array")
  func mutated() throws {
    var random = SeededRandom(seed: 3)
    let whole = Array(
      #"{"comment":"why","base":1,"at":1e9,"events":[{"type":"feature-updated","feature":{"name":"a"}}],"more":null}"#
        .utf8)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes = Array(bytes.prefix(Int.random(in: bytes.indices, using: &random))) }
      do {
        guard case .events(let events) = try FlagChangeBody.read(bytes).content else { continue }
        var text = events
        let value = text.withUTF8 { try? JSONValue(reading: UnsafeRawBufferPointer($0)) }
        #expect(value?.array != nil, "\(events)")
      } catch {
        #expect(error is Refusal || error is FlagError, "\(error)")
      }
    }
  }
}
