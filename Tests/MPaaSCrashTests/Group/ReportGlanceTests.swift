import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private let events = [
  "Call abort()", "Crash inside objc_msgSend()", "DWARF Unwinding", "Dereference a NULL pointer",
  "Message a released object", "Stack overflow", "Swift", "Throw Objective-C exception",
]

private func json(_ name: String) throws -> [UInt8] {
  Array(try Fixture.data("crash/crashprobe/release-arm64/\(name).json"))
}

private func group(_ report: CrashReport) -> GroupID {
  var classifier = FrameClassifier()
  return Fingerprint(report, &classifier).group
}

@Suite("A glance at a report") struct ReportGlanceTests {
  @Test("groups a Sentry event as the whole event is grouped, and knows its facts", .fixtures, arguments: events)
  func sameGroup(name: String) throws {
    let bytes = try json(name)
    let whole = try ReportFile.read(Bytes(bytes))
    let glance = try #require(bytes.withUnsafeBytes { ReportGlance.read($0) })
    #expect(group(glance) == group(whole))
    #expect(glance.incident == whole.incident)
    #expect(glance.captured == whole.captured)
    #expect(glance.application == whole.application)
    #expect(glance.system == whole.system)
    #expect(glance.exception == whole.exception)
    #expect(glance.thrown == whole.thrown)
    #expect(glance.process == whole.process)
  }

  @Test("groups events of other languages, lists without values, and events without stacks")
  func otherShapes() throws {
    for text in [
      #"{"event_id":"a","platform":"python","exception":[{"type":"KeyError","value":"x","stacktrace":{"frames":[{"function":"main","filename":"a.py","lineno":1},{"function":"f","module":"m","lineno":9}]}}]}"#,
      #"{"event_id":"b","platform":"native","threads":[{"id":1},{"id":2,"crashed":true,"stacktrace":{"frames":[{"instruction_addr":"0x1010"}]}}],"debug_meta":{"images":[{"image_addr":"0x1000","image_size":4096,"code_file":"/bin/x"}]}}"#,
      #"{"event_id":"c","platform":"javascript","message":"no stack"}"#,
      #"{"event_id":"d","platform":"native","exception":null,"threads":{"values":null},"debug_meta":{}}"#,
      #"{"threads":{"values":[{"stacktrace":{"frames":[{"instruction_addr":4112,"function":"f"}]}}]},"debug_meta":{"images":[{"image_addr":4096,"image_size":"0x1000","name":"x"}]}}"#,
    ] {
      let bytes = Array(text.utf8)
      let whole = try ReportFile.read(Bytes(bytes))
      let glance = try #require(bytes.withUnsafeBytes { ReportGlance.read($0) }, "\(text)")
      #expect(group(glance) == group(whole), "\(text)")
    }
  }

  @Test("of damaged events gives the group that the whole event has, or nothing", .fixtures)
  func damaged() throws {
    let seed = try json("Swift")
    var random = SeededRandom(seed: 9)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        }
      }
      guard let glance = bytes.withUnsafeBytes({ ReportGlance.read($0) }),
        let whole = try? ReportFile.read(Bytes(bytes))
      else { continue }
      #expect(group(glance) == group(whole))
    }
  }
}
