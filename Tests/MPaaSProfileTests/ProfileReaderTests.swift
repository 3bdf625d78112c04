import MPaaSSupport
import Testing

@testable import MPaaSProfile

@Suite("The readers of profiles") struct ProfileReaderTests {
  private func error(_ text: String) -> ProfileError? {
    do { _ = try Profile(text: text) } catch { return error as? ProfileError }
    return nil
  }

  @Test("read collapsed stacks, names with blanks among them")
  func collapsed() throws {
    let profile = try Profile(text: "main;load file;read 12\nmain 3\r\n\nmain;load file;read 1\n")
    #expect(profile.weights() == [["main→load file→read": 13, "main": 3]])
    #expect(profile.total == 16)
  }

  @Test("say in which line a stack has no count")
  func badLine() {
    let found = error("main;a 1\nmain;b 2\nmain;c\n")
    #expect(found?.code == .badLine)
    #expect(found?.place == .text(file: "f", line: 3, column: nil))
  }

  @Test("read sampled profiles of speedscope, with the frames behind what names them and times exact to the nanosecond")
  func speedscope() throws {
    let profile = try Profile(
      text: """
        {"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[
        {"type":"sampled","name":"t","unit":"milliseconds","startValue":0,"endValue":3,
         "samples":[[0],[0,1],[0, 1]],"weights":[0.1,0.2,1e0]}],
        "shared":{"frames":[{"name":"main"},{"name":"read","file":"a.c","line":7}]}}
        """)
    #expect(profile.weights() == [["main": 100_000, "main→read": 1_200_000]])
    #expect(profile.type.unit == .nanoseconds)
    #expect(profile.threads[0].times == [0, 100_000, 300_000])
  }

  @Test("make samples of evented profiles: one for each stretch of time")
  func evented() throws {
    let text = """
      {"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","name":"t","unit":"seconds",
      "startValue":0,"endValue":10,"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},
      {"type":"C","frame":1,"at":5},{"type":"C","frame":0,"at":6}]}]}
      """
    #expect(try Profile(text: text).weights() == [["a": 3_000_000_000, "a→b": 3_000_000_000]])
    #expect(error(text.replacingFirst("\"C\",\"frame\":1", "\"C\",\"frame\":0"))?.code == .unbalanced)
    #expect(error(text.replacingFirst("\"frame\":1,\"at\":2", "\"frame\":2,\"at\":2"))?.code == .badMember)
    #expect(error(text.replacingFirst("\"at\":5", "\"at\":1"))?.code == .badMember)
  }

  @Test("read trace events in any order: whole ones, pairs, and the names of threads")
  func trace() throws {
    let profile = try Profile(
      text: """
        [{"ph":"X","name":"inner","ts":2,"dur":3.5,"pid":1,"tid":2},
         {"ph":"X","name":"outer","ts":0,"dur":10,"pid":1,"tid":2},
         {"ph":"B","name":"pair","ts":1,"pid":1,"tid":3},{"ph":"E","ts":4,"pid":1,"tid":3},
         {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}},
         {"ph":"C","name":"counter","ts":1,"pid":1,"tid":2,"args":{"n":1}}]
        """)
    #expect(profile.weights() == [["outer": 6500, "outer→inner": 3500], ["pair": 3000]])
    #expect(profile.threads.map(\.title) == ["main [2]", "[3]"])
  }

  @Test("read .cpuprofile: each sample weighs the time up to the next")
  func cpuprofile() throws {
    let profile = try Profile(
      text: """
        {"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"children":[2,3]},
        {"id":2,"callFrame":{"functionName":"run","url":"a.js","lineNumber":4}},
        {"id":3,"callFrame":{"functionName":"(idle)","url":"","lineNumber":-1}}],
        "startTime":100,"endTime":160,"samples":[2,3,2],"timeDeltas":[0,10,20]}
        """)
    #expect(profile.weights() == [["run": 40_000]])
    #expect(profile.functions.lines.contains(5))
  }

  @Test("read what perf script prints: threads, names with blanks, inlined frames, periods")
  func perfScript() throws {
    let profile = try Profile(
      text: """
        # captured on: today
        my app  4711/4713  [001]  8123.456789:     250000 cpu-clock:u:\u{20}
        \t    5581a2c1139a operator new(unsigned long)+0x1a (/usr/bin/orders)
        \t    5581a2c11300 main+0x10 (inlined)
        \t    7f0000000001 [unknown] ([unknown])

        other 9 8123.500000:     100 cpu-clock:u:
        \t    1000 f (/lib/a (deleted).so)

        """)
    #expect(profile.types.map(\.name) == ["samples", "cpu-clock"])
    #expect(
      profile.weights(type: 1) == [["0x7f0000000001→main→operator new(unsigned long)": 250_000], ["f": 100]])
    #expect(profile.threads.map(\.name) == ["my app", "other"])
    #expect(profile.threads[1].times == [43_211_000])
    #expect(profile.images.map(\.name) == ["orders", "a (deleted).so"])
  }

  @Test("read MetricKit's hangs from the outermost frame inwards, and crashes the other way round")
  func metricKit() throws {
    func frame(_ name: String, _ count: Int, _ sub: String = "") -> String {
      let below = sub.isEmpty ? "" : "\"subFrames\":[\(sub)],"
      return """
        {\(below)"binaryName":"\(name)","binaryUUID":"U","offsetIntoBinaryTextSegment":16,"address":4112,
        "sampleCount":\(count)}
        """
    }
    func payload(_ kind: String, _ root: String) -> String {
      """
      {"timeStampBegin":"2026-01-01","\(kind)Diagnostics":[{"diagnosticMetaData":{"hangDuration":"2 sec"},
      "callStackTree":{"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\(root)]}]}}]}
      """
    }
    let hang = try Profile(text: payload("hang", frame("App", 20, frame("UI", 5) + "," + frame("DB", 12))))
    #expect(hang.weights() == [["App + 0x10": 3, "App + 0x10→UI + 0x10": 5, "App + 0x10→DB + 0x10": 12]])
    #expect(hang.threads[0].name == "hang 1, 2 sec, stack 1")
    let crash = try Profile(text: payload("crash", frame("Inner", 1, frame("Outer", 1))))
    #expect(crash.weights() == [["Outer + 0x10→Inner + 0x10": 1]])
    #expect(error(#"{"applicationExitMetrics":{}}"#)?.code == .withoutStacks)
  }

  @Test("read one diagnostic, a report of iOS 27 and App Store Connect's logs, whose functions have names")
  func diagnostics() throws {
    let typed = """
      {"timeRange":{"begin":0,"end":1},"environment":{"deviceType":"iPhone18,1"},"hang":{"hangDuration":
      {"value":1500.5,"unit":"ms"},"callStackTree":{"callStackThreads":[{"threadAttributed":null,"rootFrames":[
      {"binaryUUID":"u1","offsetIntoBinaryTextSegment":16,"address":null,"sampleCount":4,"subFrames":[]}]}],
      "binaryInfo":["U1",{"uuid":"U1","name":"Shop"}]}}}
      """
    let hang = try Profile(text: typed)
    #expect(hang.weights() == [["Shop + 0x10": 4]] && hang.threads[0].name == "hang 1, 1500.5 ms, stack 1")
    let logs = """
      {"productData":[{"signatureId":"s","diagnosticLogs":[{"diagnosticMetaData":{"event":"Hang"},"callStackTree":[
      {"callStacks":[{"callStackRootFrames":[{"symbolName":"main","address":"4112","sampleCount":5,"subFrames":[
      {"symbolName":"load()","offsetIntoBinaryTextSegment":"16","sampleCount":3}]}]}]}]}]}]}
      """
    #expect(try Profile(text: logs).weights() == [["main": 2, "main→load()": 3]])
    let crash = """
      {"version":"1.0.0","diagnosticMetaData":{"signal":11},"callStackTree":{"callStacks":[{"callStackRootFrames":[
      {"symbolName":"inner","subFrames":[{"symbolName":"outer"}]}]}]}}
      """
    #expect(try Profile(text: crash).weights() == [["outer→inner": 1]])
    #expect(error(#"{"version":"2.0.0","timeRange":{},"intervalEntries":[]}"#)?.code == .withoutStacks)
  }

  @Test("refuse stacks that are too deep, and a tree of frames that is too deep, without being too deep themselves")
  func tooDeep() {
    let deep = String(repeating: "a;", count: Profile.deepest + 1)
    #expect(error("\(deep)b 1\n")?.code == .tooDeep)
    let frames = String(repeating: #"{"sampleCount":1,"subFrames":["#, count: 100_000)
    let tree = #"{"callStackTree":{"callStacks":[{"callStackRootFrames":["# + frames
    #expect(error(tree + String(repeating: "]}", count: 100_000) + "]}]}}")?.code == .tooDeep)
    #expect(error(tree) != nil)
  }

  @Test("know no format of an empty file, of text, and of bytes")
  func unknown() {
    for text in ["", "\n\n", "hello world\n", "{}", "\u{7f}ELF"] {
      #expect(error(text)?.code == .unknownFormat, "\(text)")
    }
  }
}

extension String {
  /// The text with the first of a word put in another's place.
  func replacingFirst(_ word: String, _ other: String) -> String {
    guard let range = firstRange(of: word) else { return self }
    return replacingCharacters(in: range, with: other)
  }

  private func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
