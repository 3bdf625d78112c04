import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("Reading of many files") struct LogMergeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  static func line(_ second: Int, _ text: String, level: String = "INFO", tag: String = "T") -> String {
    let minute = second / 60
    return String(
      format: "2026-01-01T%02d:%02d:%02d.000Z \(level) \(tag) [1] \(text)", minute / 60, minute % 60, second % 60)
  }

  func read(
    _ paths: [String], _ options: LogReadOptions = LogReadOptions(), opening: LogOpening = LogOpening(),
    threads: Int = 2
  ) throws -> (items: [LogItem], problems: [LogError]) {
    var items: [LogItem] = []
    let inputs = try LogInputs(paths, opening, query: options.query)
    let summary = try LogMerge(inputs, options, threads: threads).run {
      items.append($0)
      return true
    }
    return (items, summary.problems + inputs.problems)
  }

  func messages(_ paths: [String], _ options: LogReadOptions = LogReadOptions(), threads: Int = 2) throws -> [String] {
    let (items, problems) = try read(paths, options, threads: threads)
    #expect(problems == [])
    return items.map { $0.record.entry.message }
  }

  static func pattern(_ text: String, _ kind: LogPattern.Kind = .literal, ignoresCase: Bool = false) throws
    -> LogReadOptions
  {
    var options = LogReadOptions()
    options.query.pattern = try LogPattern(text, kind, ignoresCase: ignoresCase)
    return options
  }

  @Test("is in the order of time, whatever the files are")
  func merged() throws {
    let a = try write("a.log", [0, 4, 8].map { Self.line($0, "a\($0)") }.joined(separator: "\n") + "\n")
    let b = try write("b.log", [1, 4, 9].map { Self.line($0, "b\($0)") }.joined(separator: "\n"))
    let json =
      "{\"time\":\"2026-01-01T00:00:02Z\",\"msg\":\"j2\"}\n{\"time\":\"2026-01-01T00:00:07Z\",\"msg\":\"j7\"}\n"
    let c = try write("c.jsonl", json)
    #expect(try messages([a, b, c]) == ["a0", "b1", "j2", "a4", "b4", "j7", "a8", "b9"])
    #expect(try messages([folder.path]) == ["a0", "b1", "j2", "a4", "b4", "j7", "a8", "b9"])
  }

  @Test("keeps the lines of a record together, also over the edges of windows")
  func windows() throws {
    var text = ""
    var expected: [String] = []
    for number in 0..<9000 {
      let more = number % 7 == 0 ? "\n  at frame \(number)\n  at other" : ""
      expected.append("record \(number) \(String(repeating: "x", count: number % 200))" + more)
      text += Self.line(number, expected[number]) + "\n"
    }
    let path = try write("a.log", text)
    #expect(text.utf8.count > 16 * TextSource.window)
    for threads in [0, 1, 3] { #expect(try messages([path], threads: threads) == expected) }
    let found = try messages([path], try Self.pattern("at frame 7"))
    #expect(found == expected.filter { $0.contains("at frame 7") })
    // Without records: the lines as they stand, whether all of them are wanted or few.
    for word in ["", "at frame 7"] {
      var options = try word.isEmpty ? LogReadOptions() : Self.pattern(word)
      options.linesOnly = true
      let lines = try read([path], options).items.map { String(decoding: $0.line?.array ?? [], as: UTF8.self) }
      #expect(
        try lines == read([path], word.isEmpty ? LogReadOptions() : Self.pattern(word)).items.map { $0.text ?? "" })
    }
  }

  @Test("keeps a record of many lines together that is longer than a window")
  func longRecords() throws {
    let frames = (0..<4000).map { "\n  at frame \($0) of many" }.joined()
    let messages = (0..<20).map { $0 % 5 == 1 ? "long \($0)" + frames : "short \($0)" }
    let path = try write("a.log", messages.enumerated().map { Self.line($0, $1) }.joined(separator: "\n"))
    #expect(frames.utf8.count > TextSource.window)
    #expect(try self.messages([path]) == messages)
    #expect(try self.messages([path], try Self.pattern("frame 3999")).count == 4)
    let line = String(repeating: "x", count: 5 * TextSource.window)
    let other = try write("b.log", "a\n\(line)\nb\n")
    #expect(try read([other]).items.map(\.text) == ["a", line, "b"])
  }

  @Test(
    "a search finds the same by its needle as by looking at every record",
    arguments: ["record 77", "RECORD 8", "zzz", "x\\d+ end$"])
  func searches(pattern: String) throws {
    let lines = (0..<3000).map { Self.line($0, "record \($0 * 7) x\($0 % 50) \($0 % 3 == 0 ? "end" : "go on")") }
    let path = try write("a.log", lines.joined(separator: "\n"))
    let isExpression = pattern.contains("\\")
    for ignoresCase in [false, true] {
      let options = try Self.pattern(pattern, isExpression ? .expression : .literal, ignoresCase: ignoresCase)
      let expected = try lines.filter { line in
        if isExpression { return try line.contains(Regex(pattern)) }
        return ignoresCase ? line.lowercased().contains(pattern.lowercased()) : line.contains(pattern)
      }
      #expect(try read([path], options).items.map(\.text) == expected)
      var inverted = options
      inverted.query.inverts = true
      #expect(try read([path], inverted).items.count == lines.count - expected.count)
      #expect(try LogMerge(try LogInputs([path], LogOpening()), options).count().matches == expected.count)
    }
  }

  @Test("tells what stands around a match, once, over the edges of windows")
  func context() throws {
    let lines = (0..<20_000).map {
      Self.line($0, "m\($0)\($0 % 4999 == 0 ? " hit" : String(repeating: "-", count: 30))")
    }
    let path = try write("a.log", lines.joined(separator: "\n"))
    var options = try Self.pattern(" hit")
    options.before = 2
    options.after = 3
    let items = try read([path], options).items
    let expected = [0, 4999, 9998, 14_997, 19_996].flatMap { Array(max(0, $0 - 2)...min($0 + 3, 19_999)) }
    #expect(items.map(\.number) == expected)
    #expect(items.map(\.text) == expected.map { lines[$0] })
    #expect(items.filter(\.isMatch).count == 5)
    options.before = 40_000
    #expect(try read([path], options).items.count == 20_000)
  }

  @Test("a window of time reads little of a file, and misses nothing of it")
  func timeWindow() throws {
    let lines = (0..<40_000).map { Self.line($0, "m\($0)") }
    let path = try write("a.log", lines.joined(separator: "\n"))
    var options = LogReadOptions()
    let start = try #require(LogTimeText.nanoseconds("2026-01-01T05:00:00Z", now: 0, zone: LogZone(.utc)))
    options.query.since = start
    options.query.until = start + 300_000_000_000
    #expect(try messages([path], options) == (18_000..<18_300).map { "m\($0)" })
    let source = TextSource(try ReadFile(path), name: path, type: nil, zone: LogZone(.utc))
    guard case .indexed(let range, _) = source.pieces(for: options.query) else { return }
    #expect(range.count <= 2)
  }

  @Test("conditions are told apart: level, tag, field, user, thread, type")
  func conditions() throws {
    let text = [
      Self.line(0, "a user=u1 code=5", level: "ERROR", tag: "Net"), Self.line(1, "b user=u2 code=7", tag: "Cart"),
      Self.line(2, "c", level: "WARN", tag: "Network"),
    ].joined(separator: "\n")
    let path = try write("crash/2026-01-01/00.log", text)
    func found(_ change: (inout LogQuery) -> Void) throws -> String {
      var options = LogReadOptions()
      change(&options.query)
      return try messages([path], options).map { String($0.prefix(1)) }.joined()
    }
    #expect(try found { $0.level = .warning } == "ac")
    #expect(try found { $0.tags = ["Net*"] } == "ac")
    #expect(try found { $0.tags = ["Net", "Cart"] } == "ab")
    #expect(try found { $0.fields = [.init("code", "7")] } == "b")
    #expect(try found { $0.fields = [.init("code", nil)] } == "ab")
    #expect(try found { $0.user = "u1" } == "a")
    #expect(try found { $0.thread = 2 } == "")
    #expect(try found { $0.types = [.crash] } == "abc")
    #expect(try found { $0.types = [.diagnostic] } == "")
  }

  @Test("the last records are those, and come from the ends of the files")
  func last() throws {
    let a = try write("a.log", (0..<30_000).map { Self.line($0, "a\($0)") }.joined(separator: "\n"))
    let b = try write("b.log", (29_990..<29_995).map { Self.line($0, "b\($0)") }.joined(separator: "\n"))
    let merge = LogMerge(try LogInputs([a, b], LogOpening()), LogReadOptions())
    let items = try merge.last(8).items.map { $0.record.entry.message }
    #expect(items == ["b29993", "a29994", "b29994", "a29995", "a29996", "a29997", "a29998", "a29999"])
    #expect(try merge.last(0).items.isEmpty)
  }

  @Test("of our files, only those are asked for the last records that end late enough")
  func lastBlocks() throws {
    var all: [LogRecord] = []
    for hour in 0..<4 {
      var sample = try SampleLog()
      for block in 0..<5 { try sample.add(SampleLog.records(50, from: UInt64(hour * 1000 + block * 50 + 1))) }
      try sample.end()
      all += sample.records
      try write("diagnostic/2023-11-14/\(20 + hour).mplog", sample.bytes)
    }
    let merge = LogMerge(try LogInputs([folder.path], LogOpening()), LogReadOptions())
    for count in [1, 7, 60, 300, 2000] {
      #expect(try merge.last(count).items.map(\.record) == all.suffix(count))
    }
    var options = LogReadOptions()
    options.query.level = .error
    let last = try LogMerge(try LogInputs([folder.path], LogOpening()), options).last(100).items.map(\.record)
    #expect(last == all.filter { $0.entry.level >= .error }.suffix(100))
  }

  @Test("encrypted blocks are searched as they are, and damage costs one block")
  func blocks() throws {
    let identity = AgeIdentity.generate()
    var sample = try SampleLog(recipients: [try #require(identity.recipient)])
    for block in 0..<20 { try sample.add(SampleLog.records(50, from: UInt64(block * 50 + 1))) }
    try sample.end()
    let path = try write("diagnostic/2023-11-14/22.mplog", sample.bytes)
    var opening = LogOpening()
    opening.keys = LogKeys([identity])
    #expect(try read([path], opening: opening).items.map(\.record) == sample.records)
    for word in ["order 777 ", "支付", "code=95", "com.example.shop", "order"] {
      let found = try read([path], try Self.pattern(word), opening: opening).items.map(\.record.sequence)
      let expected = sample.records.filter { record in
        record.entry.message.contains(word) || record.entry.tag.contains(word) || record.entry.subsystem.contains(word)
          || record.entry.fields.contains { "\($0.name)=\($0.value.text)".contains(word) }
      }
      #expect(found == expected.map(\.sequence), "\(word)")
      let text = try read(
        [path], try Self.pattern(NSRegularExpression.escapedPattern(for: word), .expression), opening: opening)
      #expect(text.items.map(\.record.sequence) == expected.map(\.sequence), "\(word)")
    }
    var tagged = LogReadOptions()
    tagged.query.tags = ["Cart"]
    tagged.query.level = .error
    #expect(
      try read([path], tagged, opening: opening).items.map(\.record)
        == sample.records.filter { $0.entry.tag == "Cart" && $0.entry.level >= .error })
    let error = #expect(throws: LogError.self) {
      let problems = try read([path]).problems
      if let first = problems.first { throw first }
    }
    #expect(error?.code == .keyMissing)
    var broken = sample.bytes
    broken[try LogFile(Bytes(broken)).blocks[9].content.lowerBound + 40] ^= 1
    let other = try write("broken.mplog", broken)
    let rest = try read([other], opening: opening)
    #expect(rest.items.count == 950)
    #expect(rest.problems.count == 1)
  }

  @Test("compressed text is read as it comes", .tool("gzip"), .tool("zstd"))
  func compressed() throws {
    let lines = (0..<20_000).map { Self.line($0, "m\($0)") }
    let path = try write("a.log", lines.joined(separator: "\n") + "\n")
    #expect(try Command.run("gzip", ["-k", path]).status == 0)
    #expect(try Command.run("zstd", ["-q", path]).status == 0)
    for suffix in [".gz", ".zst"] {
      #expect(try read([path + suffix]).items.map(\.text) == lines)
      #expect(
        try messages([path + suffix], try Self.pattern("m1999")) == [
          "m1999", "m19990", "m19991", "m19992", "m19993", "m19994", "m19995", "m19996", "m19997", "m19998", "m19999",
        ])
    }
    let whole = try Data(contentsOf: URL(filePath: path + ".gz"))
    let cut = try write("cut.log.gz", Array(whole.prefix(whole.count / 2)))
    let (items, problems) = try read([cut])
    #expect(items.count > 5000)
    #expect(items.dropLast().allSatisfy { lines.contains($0.text ?? "") })
    #expect(problems.map(\.code) == [.streamTorn])
  }

  @Test("what is no log is refused where it was named, and passed over in a folder")
  func unknown() throws {
    let path = try write("x.mplog", [1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0])
    let error = #expect(throws: LogError.self) { try read([path]) }
    #expect(error?.code == .formatUnknown)
    try write("a.log", Self.line(1, "a"))
    let (items, problems) = try read([folder.path])
    #expect(items.count == 1)
    #expect(problems.map(\.code) == [.formatUnknown])
  }

  @Test("a log that begins with zeros or other bytes of no text is read as text, with a note")
  func binary() throws {
    let hole = [UInt8](repeating: 0, count: 3_000_000)
    let path = try write("a.log", hole + Array((Self.line(1, "a") + "\n" + Self.line(2, "b") + "\n").utf8))
    let (items, problems) = try read([path])
    #expect(items.map { $0.record.entry.message } == ["a", "b"])
    #expect(problems.map(\.code) == [.fileBinary])
    let other = try write("b", [1, 0, 2, 10] + Array("needle\n".utf8) + [0, 3])
    var options = LogReadOptions()
    options.query.pattern = try LogPattern("needle", .literal)
    let (found, notes) = try read([other], options)
    #expect(found.count == 1)
    #expect(notes.map(\.code) == [.fileBinary])
  }

  @Test("a file that is cut short while it is searched gives lines of it only, and no zeros")
  func shortened() throws {
    ShortenedFiles.readAsZeros()
    let lines = (0..<30_000).map { Self.line($0, "record \($0)") }.joined(separator: "\n")
    var random = SeededRandom(seed: 9)
    for pattern in ["\\x00", "record"] {
      let options = try Self.pattern(pattern, .expression)
      for _ in 0..<SeededRandom.rounds(or: 10) {
        let path = try write("cut.log", lines)
        let merge = LogMerge(try LogInputs([path], LogOpening()), options)
        let (pause, left) = (UInt32.random(in: 0..<2000, using: &random), off_t.random(in: 0..<9000, using: &random))
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
          usleep(pause)
          truncate(path, left)
        }
        let found = try merge.count().matches
        group.wait()
        #expect(pattern == "record" ? found <= 30_000 : found == 0)
      }
    }
  }

  @Test("lines that are too long are read in parts: nothing is missing, nothing told twice")
  func longLines() throws {
    let size = TextSource.longestLine * 3 + 12_345
    var text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
    let places = [10, 70_000, TextSource.longestLine - 40, size - 100]
    for place in places { text.replaceSubrange(place..<place + 6, with: Array("needle".utf8)) }
    let lines = Array((Self.line(1, "first") + "\n").utf8)
    let path = try write("long.log", lines + text + [10] + Array((Self.line(2, "needle") + "\n").utf8))
    var options = LogReadOptions()
    options.query.pattern = try LogPattern("needle", .literal)
    let parts = try read([path], options).items.map { $0.text ?? $0.record.entry.message }
    let found = parts.map { $0.ranges(of: "needle").count }
    #expect(found.reduce(0, +) == places.count + 1)
    #expect(parts.allSatisfy { $0.utf8.count <= 2 * TextSource.longestLine })
    options.query.pattern = nil
    let all = try read([path], options).items.reduce(0) { $0 + ($1.text ?? $1.record.entry.message).utf8.count }
    #expect(all >= size)
    #expect(all < size + 200)
  }
}
