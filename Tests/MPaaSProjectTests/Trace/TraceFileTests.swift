import Foundation
import MPaaSProfile
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("Trace files") struct TraceFileTests {
  /// As the framework writes it.
  static let usual = """
    {"displayTimeUnit":"ns","otherData":{"writer":"MPaaSFramework","version":1,"dropped":2},"traceEvents":[
    {"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"Shop"}},
    {"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"main"}},
    {"name":"launch","cat":"framework","ph":"X","pid":1,"tid":1,"ts":10.000,"dur":100.000,"args":{"id":1,"subject":"launch","phase":""}},
    {"name":"set-up","cat":"phase","ph":"X","pid":1,"tid":1,"ts":12.000,"dur":60.500,"args":{"id":2,"parent":1,"subject":"set-up","phase":""}},
    {"name":"Cart set-up","cat":"module","ph":"X","pid":1,"tid":1,"ts":13.000,"dur":20.000,"args":{"id":3,"parent":2,"subject":"Cart","phase":"set-up","place":"MobileRuntime.plist:12"}},
    {"name":"Pay set-up","cat":"module","ph":"X","pid":1,"tid":1,"ts":33.000,"dur":30.250,"args":{"id":4,"parent":2,"subject":"Pay","phase":"set-up","error":"no card"}},
    {"name":"Slow async-init","cat":"module","ph":"X","pid":1,"tid":2,"ts":90.000,"dur":200.000,"args":{"id":5,"parent":1,"subject":"Slow","phase":"async-init","unfinished":true}}]}
    """

  static func read(_ text: String) throws -> TraceFile {
    try Array(text.utf8).withUnsafeBytes { try TraceFile($0, file: "t.json") }
  }

  static func error(_ text: String) throws -> TraceError { try #require(throws: TraceError.self) { try read(text) } }

  @Test("are read with names, times in nanoseconds, parents, places and errors")
  func usualFile() throws {
    let trace = try Self.read(Self.usual)
    #expect(trace.process == "Shop")
    #expect(trace.threads == [1: "main"])
    #expect(trace.dropped == 2)
    #expect(trace.spans.map(\.subject) == ["launch", "set-up", "Cart", "Pay", "Slow"])
    #expect(trace.spans.map(\.parent) == [nil, 0, 1, 1, 0])
    #expect(trace.spans[2].start == 13_000)
    #expect(trace.spans[3].duration == 30_250)
    #expect(trace.spans[2].place == "MobileRuntime.plist:12")
    #expect(trace.spans[3].error == "no card")
    #expect(trace.spans[4].isUnfinished)
    #expect(trace.launch?.duration == 100_000)
    #expect(trace.total == 280_000)
  }

  @Test("of other programs are read: the array alone, begins and ends, nesting by time")
  func others() throws {
    let trace = try Self.read(
      """
      [{"name":"outer","ph":"B","pid":7,"tid":3,"ts":1},{"name":"inner","ph":"X","pid":7,"tid":3,"ts":2,"dur":1.5},
      {"name":"mark","ph":"i","ts":2,"s":"t"},{"name":"elsewhere","ph":"X","pid":7,"tid":4,"ts":2,"dur":1},
      {"ph":"E","pid":7,"tid":3,"ts":9},{"ph":"E","pid":7,"tid":3,"ts":10},{"name":"open","ph":"B","pid":7,"tid":3,"ts":8.5}]
      """)
    #expect(trace.spans.map(\.name) == ["outer", "inner", "elsewhere", "open"])
    #expect(trace.spans.map(\.parent) == [nil, 0, nil, 0])
    #expect(trace.spans[0].duration == 8000)
    #expect(trace.spans[3].isUnfinished)
    #expect(trace.spans[3].duration == 500)
  }

  @Test("that are no JSON are refused where they break")
  func notJSON() throws {
    let error = try Self.error("{\"traceEvents\":[\n{\"ph\":}]}")
    #expect(error.code.id == "trace-not-json")
    #expect(error.place == .text(file: "t.json", line: 2, column: 7))
    #expect(try Self.error("").code.id == "trace-not-json")
    #expect(try Self.error(String(repeating: "[", count: 100_000)).code.id == "trace-not-json")
  }

  @Test("that are other JSON are refused", arguments: ["{}", "3", "{\"traceEvents\":{}}"])
  func noTrace(_ text: String) throws {
    #expect(try Self.error(text).code.id == "trace-no-events")
  }

  @Test(
    "with an event that cannot be true are refused, with its number and the field",
    arguments: [
      (#"[3]"#, "traceEvents[0]"), (#"[{"name":"a"}]"#, "ph"), (#"[{"ph":"X","ts":1,"dur":1}]"#, "name"),
      (#"[{"ph":"X","name":"a","dur":1}]"#, "ts"), (#"[{"ph":"X","name":"a","ts":1}]"#, "dur"),
      (#"[{"ph":"X","name":"a","ts":1,"dur":-1}]"#, "dur"), (#"[{"ph":"X","name":"a","ts":1e300,"dur":1}]"#, "ts"),
      (#"[{"ph":"B","name":"a","ts":5}, {"ph":"E","ts":4}]"#, "ts"),
    ])
  func malformed(text: String, field: String) throws {
    let error = try Self.error(text)
    #expect(error.code.id == "trace-event-malformed")
    #expect(error.values["field"] == field)
  }

  @Test("whose spans name each other as parents are read all the same")
  func circles() throws {
    let trace = try Self.read(
      """
      [{"ph":"X","name":"a","ts":1,"dur":5,"args":{"subject":"a","id":1,"parent":2}},
      {"ph":"X","name":"b","ts":1,"dur":5,"args":{"subject":"b","id":2,"parent":1}},
      {"ph":"X","name":"c","ts":1,"dur":5,"args":{"subject":"c","id":2,"parent":2}}]
      """)
    for (index, span) in trace.spans.enumerated() { #expect(span.parent.map { $0 < index } ?? true) }
  }

  @Test("that are mutated are read or refused, drawn and summed up, and nothing else happens")
  func mutated() throws {
    var random = SeededRandom(seed: 17)
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      var bytes = Array(Self.usual.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: "0123456789-e.,{}[]\"".utf8.shuffled(using: &random).prefix(3), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        }
      }
      guard let trace = try? bytes.withUnsafeBytes({ try TraceFile($0, file: "t.json") }) else { continue }
      for (index, span) in trace.spans.enumerated() {
        #expect(span.duration >= 0)
        #expect(span.parent ?? -1 < index)
      }
      let summary = TraceSummary([trace])
      #expect(summary.entries.allSatisfy { $0.own >= 0 && $0.own <= $0.duration })
      #expect(FlameSVG.picture(trace, title: "t", words: FlameRowsTests.words).svg.hasSuffix("</svg>\n"))
      #expect(trace.profile.total >= 0)
    }
  }
}

@Suite("Flame graphs") struct FlameRowsTests {
  @Test("stand what is within something below it, and what overlaps in rows of its own")
  func rows() throws {
    let trace = try TraceFileTests.read(TraceFileTests.usual)
    let flame = FlameRows(trace)
    #expect(flame.rows == [[0], [1, 4], [2, 3]])
    #expect(flame.omitted == 0)
  }

  @Test("no two spans of a row overlap, whatever the trace; what does not fit is counted")
  func noOverlap() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<50 {
      let events = (0..<200).map { _ in
        #"{"ph":"X","name":"s","ts":\#(Int.random(in: 0..<500, using: &random)),"dur":\#(Int.random(in: 0..<80, using: &random))}"#
      }
      let trace = try TraceFileTests.read("[\(events.joined(separator: ","))]")
      let flame = FlameRows(trace, limit: 16)
      #expect(flame.rows.joined().count + flame.omitted == 200)
      #expect(flame.rows.count <= 16)
      for row in flame.rows {
        for (left, right) in zip(row, row.dropFirst()) { #expect(trace.spans[left].end <= trace.spans[right].start) }
      }
    }
  }

  static let words = FlamePicture.Words(search: "Search", reset: "All", found: "{share}")

  @Test(
    "as SVG are well-formed XML whatever the names are, with times and places to point at", .tool("python3"))
  func svg() throws {
    let trace = try TraceFileTests.read(
      #"[{"ph":"X","name":"<a & \"b\">\u0000购物车","cat":"module","ts":1,"dur":50,"args":{"place":"M.plist:3"}}]"#)
    let drawing = FlameSVG.picture(trace, title: "<&>", words: Self.words).svg
    let folder = try TemporaryFolder()
    try Data(drawing.utf8).write(to: folder.url.appending(path: "trace.svg"))
    let script = "import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])"
    let outcome = try Command.run("python3", ["-c", script, folder.path + "/trace.svg"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(drawing.contains("50.0 µs"))
    #expect(drawing.contains("M.plist:3"))
  }

  @Test("as a profile have a sample for each stretch of time, with the stack of what was open")
  func profile() throws {
    let trace = try TraceFileTests.read(
      #"[{"ph":"X","name":"outer","ts":1,"dur":50,"pid":7,"tid":3},{"ph":"X","name":"inner","ts":11,"dur":20,"pid":7,"tid":3}]"#
    )
    let profile = trace.profile
    #expect(profile.threads.map(\.weights) == [[10_000, 20_000, 20_000]])
    #expect(profile.threads.map(\.times) == [[0, 10_000, 30_000]])
    #expect(profile.stacks.depths == [1, 2])
  }
}
