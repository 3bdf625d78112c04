import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("Uploads of monitor points") struct RecordUploaderTests {
  static let identity = LogIdentity(app: "shop", version: "1.2", device: "d1", user: "u1")

  static func files(_ folder: TemporaryFolder, records: Int = 0, settings: MonitorSettings = .init()) throws
    -> MonitorFiles
  {
    let time = SetClock(someTime)
    let files = try MonitorFiles(folder.path, settings: settings, clock: time.clock)
    for number in 0..<records {
      _ = files.append(.behavior, "e\(number)", [])
      time.advance(60)
    }
    return files
  }

  static func events(_ lines: [String]) -> [String] { lines.compactMap { MonitorLine($0)?.event } }

  @Test("each record goes out once, in order, and is marked once the server has it")
  func upload() async throws {
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 250)
    let scripted = ScriptedLogServer()
    var uploader = RecordUploader(files, to: scripted.server, as: Self.identity)
    uploader.records = 100
    let result = try await uploader.upload(DeviceState())
    #expect(result.batches == 3)
    #expect(result.records == 250)
    #expect(result.duplicates == 0)
    #expect(Self.events(scripted.now.lines) == (0..<250).map { "e\($0)" })
    let batch = try #require(scripted.now.batches.values.first)
    #expect(batch.app == "shop")
    #expect(batch.device == "d1")
    #expect(batch.user == "u1")
    #expect(batch.type == "behavior")
    #expect(files.waiting[.behavior] == MonitorCount())
    #expect(try await uploader.upload(DeviceState()).batches == 0)
    #expect(try Data(contentsOf: folder.url.appending(path: "uploads.journal")).isEmpty)
  }

  @Test("where the answer is lost, the same batch is sent again, and the server has it once")
  func lostAnswer() async throws {
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 30)
    let scripted = ScriptedLogServer { number, _ in number == 0 ? .answerLost : .stored }
    let uploader = RecordUploader(files, to: scripted.server, as: Self.identity)
    await #expect(throws: LogError.self) { try await uploader.upload(DeviceState()) }
    #expect(files.waiting[.behavior]?.records == 30)
    // Records that came meanwhile are a batch of their own.
    _ = files.append(.behavior, "later", [])
    let again = try await RecordUploader(Self.files(folder), to: scripted.server, as: Self.identity).upload(
      DeviceState())
    #expect(again.duplicates == 1)
    #expect(again.batches == 2)
    #expect(Self.events(scripted.now.lines) == (0..<30).map { "e\($0)" } + ["later"])
    #expect(Set(scripted.now.arrivals).count == 2)
  }

  @Test("whatever fails, and wherever the process ends, each record arrives exactly once", .timeLimit(.minutes(20)))
  func chaos() async throws {
    for seed in 0..<UInt64(SeededRandom.rounds(or: 5)) {
      let folder = try TemporaryFolder()
      let random = Mutex(SeededRandom(seed: seed))
      let scripted = ScriptedLogServer { _, lines in
        // A batch that is too large is so each time.
        if lines > 8 + Int(seed % 10) { return .status(413) }
        return random.withLock { random in
          switch Int.random(in: 0..<10, using: &random) {
          case 0: .unreachable
          case 1, 2: .answerLost
          case 3: .status(503)
          case 4: .status(429, retryAfter: 1)
          default: .stored
          }
        }
      }
      var sent = 0
      var rounds = 0
      while rounds < 600 {
        let left = try Self.files(folder).waiting.values.reduce(0) { $0 + $1.records }
        if sent >= 300, left == 0 { break }
        // A process's life: it records, uploads, and is gone, perhaps with a journal that ends in the middle of a line.
        let files = try Self.files(folder)
        for _ in 0..<random.withLock({ Int.random(in: 0..<30, using: &$0) }) where sent < 300 {
          _ = files.append(.behavior, "e\(sent)", [])
          sent += 1
        }
        var uploader = RecordUploader(files, to: scripted.server, as: Self.identity)
        uploader.records = 17
        let result = try? await uploader.upload(DeviceState())
        // A child of another test may have a copy of the lock until it runs its program.
        if result?.isElsewhere == true { try await Task.sleep(for: .milliseconds(5)) } else { rounds += 1 }
        if random.withLock({ Bool.random(using: &$0) }) {
          let journal = try FileHandle(forWritingTo: folder.url.appending(path: "uploads.journal"))
          try journal.seekToEnd()
          try journal.write(contentsOf: Data("1234abcd {\"made\":[{\"id".utf8))
          try journal.close()
        }
      }
      let events = Self.events(scripted.now.lines)
      #expect(Set(events).count == events.count, "seed \(seed)")
      #expect(Set(events) == Set((0..<sent).map { "e\($0)" }), "seed \(seed)")
    }
  }

  @Test("where the process ends between the answer and the marks, nothing is sent again")
  func endsBeforeMarks() async throws {
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 5)
    do {
      let journal = try #require(try UploadJournal(folder.path))
      let batch = UploadBatch(
        id: "b", type: .behavior, slices: files.next(.behavior, records: 5, bytes: 1 << 20).slices)
      try journal.add([batch])
      try journal.acknowledge("b")
    }
    let scripted = ScriptedLogServer()
    _ = try await RecordUploader(files, to: scripted.server, as: Self.identity).upload(DeviceState())
    #expect(scripted.now.requests == 0)
    #expect(files.waiting[.behavior]?.records == 0)
  }

  @Test("what the server finds too large goes in halves; one record that is too large stays, and is told")
  func tooLarge() async throws {
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 40)
    let scripted = ScriptedLogServer { _, lines in lines > 7 ? .status(413) : .stored }
    let result = try await RecordUploader(files, to: scripted.server, as: Self.identity).upload(DeviceState())
    #expect(result.records == 40)
    #expect(result.batches == 8)
    #expect(Self.events(scripted.now.lines) == (0..<40).map { "e\($0)" })
    _ = files.append(.behavior, "last", [])
    let strict = ScriptedLogServer { _, _ in .status(413) }
    await #expect(throws: LogError.self) {
      try await RecordUploader(files, to: strict.server, as: Self.identity).upload(DeviceState())
    }
    #expect(files.waiting[.behavior]?.records == 1)
  }

  @Test("what may go over Wi-Fi only waits for it, also where it had begun")
  func wifi() async throws {
    let folder = try TemporaryFolder()
    var settings = MonitorSettings()
    settings.rules[.performance] = MonitorRule(network: .wifi)
    let files = try Self.files(folder, records: 3, settings: settings)
    _ = files.append(.performance, "start", [])
    let scripted = ScriptedLogServer()
    let uploader = RecordUploader(files, to: scripted.server, as: Self.identity)
    var result = try await uploader.upload(DeviceState(network: .none))
    #expect(result.batches == 0)
    #expect(result.heldBack == [.behavior, .performance])
    result = try await uploader.upload(DeviceState(network: .cellular))
    #expect(result.records == 3)
    #expect(result.heldBack == [.performance])
    result = try await uploader.upload(DeviceState(network: .wifi))
    #expect(result.records == 1)
    #expect(scripted.now.batches.values.map(\.type).sorted() == ["behavior", "performance"])
  }

  @Test("one uploader has the journal at a time")
  func elsewhere() async throws {
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 3)
    let journal = try UploadJournal(folder.path)
    let uploader = RecordUploader(files, to: ScriptedLogServer().server, as: Self.identity)
    #expect(try await uploader.upload(DeviceState()).isElsewhere)
    withExtendedLifetime(journal) {}
  }

  @Test("a journal that another has is left alone, and so are the descriptors of other threads")
  func takenJournal() throws {
    let folder = try TemporaryFolder()
    let journal = try #require(try UploadJournal(folder.path))
    let lost = try OtherDescriptors.lost { _ = try UploadJournal(folder.path) }
    #expect(lost == 0)
    withExtendedLifetime(journal) {}
  }

  @Test("a damaged journal is never a crash, and loses no record")
  func damagedJournal() async throws {
    var random = SeededRandom(seed: 4)
    let folder = try TemporaryFolder()
    let files = try Self.files(folder, records: 20)
    let path = folder.url.appending(path: "uploads.journal")
    do {
      let journal = try #require(try UploadJournal(folder.path))
      let slices = files.next(.behavior, records: 5, bytes: 1 << 20).slices
      try journal.add([UploadBatch(id: "b", type: .behavior, slices: slices)])
      try journal.acknowledge("a")
    }
    let whole = try Data(contentsOf: path)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      if Bool.random(using: &random) { bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &random)) }
      try bytes.write(to: path)
      let journal = try #require(try UploadJournal(folder.path))
      #expect(journal.open.count <= 1)
      #expect(journal.open.allSatisfy { !$0.isAcknowledged })
    }
    try Data("x".utf8).write(to: path)
    let scripted = ScriptedLogServer()
    _ = try await RecordUploader(files, to: scripted.server, as: Self.identity).upload(DeviceState())
    #expect(Set(scripted.now.lines).count == 20)
  }

  @Test("pauses double at random up to a minute, obey the server, and rest after ten failures")
  func pauses() {
    var pauses = UploadPauses()
    pauses.random = { 1 }
    let all = (0..<10).map { _ in pauses.failed(retryAfter: nil) }
    #expect(all == [1, 2, 4, 8, 16, 32, 60, 60, 60, 600].map { .seconds($0) })
    #expect(pauses.failed(retryAfter: .seconds(7)) == .seconds(7))
    pauses.random = { 0.5 }
    pauses.succeeded()
    #expect(pauses.failed(retryAfter: nil) == .milliseconds(500))
  }
}

@Suite("Monitor points") struct MonitorPointsTests {
  /// Waits for what happens on other threads; the limit is for tests that fail.
  static func wait(_ condition: () -> Bool) async throws {
    for _ in 0..<30_000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    #expect(condition())
  }

  @Test("a type goes out by itself when enough of it waits, and goes on where the server failed")
  func triggers() async throws {
    let folder = try TemporaryFolder()
    let scripted = ScriptedLogServer { number, _ in number == 0 ? .status(500) : .stored }
    var pauses = UploadPauses()
    pauses.first = .milliseconds(1)
    let points = MonitorPoints(
      try MonitorFiles(folder.path, clock: SetClock(someTime).clock), as: RecordUploaderTests.identity,
      to: scripted.server, pauses: pauses)
    points.start()
    for number in 0..<99 { points.behavior("e\(number)") }
    points.automation("opened", ["page": "home"])
    points.performance("start", .milliseconds(1500))
    #expect(points.files.waiting[.behavior]?.records == 99)
    #expect(scripted.now.requests == 0)
    points.behavior("e99")
    try await Self.wait { scripted.now.lines.count == 100 }
    #expect(points.files.waiting[.automation]?.records == 1)
    points.record(LogType(rawValue: "long"), "text", ["text": String(repeating: "x", count: 11 << 10)])
    try await Self.wait { scripted.now.lines.count == 101 }
    #expect(scripted.now.batches.values.map(\.type).sorted() == ["behavior", "long"])
    points.stop()
    #expect(try await points.upload().records == 2)
    #expect(scripted.now.lines.contains { $0.hasSuffix("start,ms=1500.0") })
  }

  @Test("crashes of the last run go out when the app starts")
  func crashes() async throws {
    let folder = try TemporaryFolder()
    let clock = SetClock(someTime).clock
    let scripted = ScriptedLogServer()
    for run in 0..<2 {
      let points = MonitorPoints(
        try MonitorFiles(folder.path, clock: clock), as: RecordUploaderTests.identity, to: scripted.server)
      if run == 0 {
        points.crash("SIGSEGV", ["report": "1.ips"])
        #expect(scripted.now.lines.isEmpty)
      } else {
        points.start()
        try await Self.wait { scripted.now.lines.count == 1 }
      }
    }
  }

  @Test("alive reports keep their distance, over starts and jumps of the clock")
  func alive() async throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    let scripted = ScriptedLogServer()
    func points() throws -> MonitorPoints {
      MonitorPoints(
        try MonitorFiles(folder.path, clock: time.clock), as: RecordUploaderTests.identity, to: scripted.server)
    }
    #expect(try points().alive())
    #expect(try !points().alive())
    time.advance(1799)
    #expect(try !points().alive())
    time.advance(1)
    #expect(try points().alive())
    time.advance(-86_400)
    #expect(try points().alive())
    _ = try await points().upload()
    let reports = scripted.now.alive.values.sorted { $0.time < $1.time }
    #expect(reports.map(\.time) == [someTime + 1800 - 86_400, someTime, someTime + 1800])
    #expect(reports[0].version == "1.2")
    #expect(reports[0].app == "shop")
    #expect(reports[0].device == "d1")
  }

  @Test("the end of the run before is told once for each start, with the version that ran")
  func ends() async throws {
    let folder = try TemporaryFolder()
    // The first answer is lost: what is sent again has the same name.
    let scripted = ScriptedLogServer { number, _ in number == 0 ? .answerLost : .stored }
    let points = MonitorPoints(
      try MonitorFiles(folder.path, clock: SetClock(someTime).clock), as: RecordUploaderTests.identity,
      to: scripted.server)
    points.lastRunEnded("out-of-memory", version: "1.1", at: 1_700_000_000)
    points.lastRunEnded("exit", version: "", at: 1_700_000_100)
    _ = try? await points.upload()
    _ = try await points.upload()
    let ends = scripted.now.ends.values.sorted { $0.time < $1.time }
    #expect(ends.map(\.reason) == ["out-of-memory", "exit"] && ends.map(\.version) == ["1.1", "1.2"])
    #expect(ends.map(\.time) == [1_700_000_000, 1_700_000_100] && ends.allSatisfy { $0.app == "shop" })
    #expect(scripted.now.lines.isEmpty)
  }

  @Test("patches that were told go with signs of life, and those of the run before with its end")
  func patches() async throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    let scripted = ScriptedLogServer()
    func points() throws -> MonitorPoints {
      MonitorPoints(
        try MonitorFiles(folder.path, clock: time.clock), as: RecordUploaderTests.identity, to: scripted.server)
    }
    func start(_ number: Double, _ running: [String: String]?) throws -> MonitorPoints {
      time.advance(3600)
      let points = try points()
      points.lastRunEnded("crash", version: "", at: number)
      if let running { points.patchesRun(running) }
      points.alive()
      return points
    }
    // Nothing, two, none, nothing, nothing.
    for (index, running) in [nil, ["pay": "1", "cart": "3"], [:], nil, nil].enumerated() {
      _ = try start(Double(index), running)
    }
    _ = try await points().upload()
    let alive = scripted.now.alive.values.sorted { $0.time < $1.time }
    #expect(alive.map(\.patches) == [nil, ["cart@3", "pay@1"], [], nil, nil])
    let ends = scripted.now.ends.values.sorted { $0.time < $1.time }
    #expect(ends.map(\.patches) == [nil, nil, ["cart@3", "pay@1"], [], nil])
    #expect(ends.map(\.device) == [nil, nil, "d1", "d1", nil])
  }
}
