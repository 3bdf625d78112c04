import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private func read(_ text: String) throws -> CrashReport {
  try ReportFile.read(Bytes(text.utf8))
}

/// A frame as the other parser's expected result has it.
private struct SnapFrame: Equatable {
  var module = ""
  var symbol: String?
  var file: String?
  var line: Int?
  var address: UInt64 = 0
}

@Suite("The forms of a text report") struct AppleCrashFormsTests {
  /// The expected frames of all threads, from the YAML of the parser's snapshot.
  private func snapshot(_ name: String) throws -> [[SnapFrame]] {
    let text = String(decoding: try Fixture.data("crash/apple/acrp_\(name).snap"), as: UTF8.self)
    var threads: [[SnapFrame]] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("binary_images:") { break }
      if line.hasPrefix("  - id:") { threads.append([]) }
      guard let last = threads.indices.last, let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].filter { $0 != " " && $0 != "-" }
      let value = line[line.index(after: colon)...].filter { $0 != "\"" }.dropFirst()
      if line.hasPrefix("      - ") { threads[last].append(SnapFrame()) }
      guard let frame = threads[last].indices.last, line.hasPrefix("      ") else { continue }
      switch key {
      case "module": threads[last][frame].module = String(value)
      case "symbol": threads[last][frame].symbol = String(value)
      case "filename": threads[last][frame].file = String(value)
      case "lineno": threads[last][frame].line = Int(value)
      case "instruction_addr": threads[last][frame].address = UInt64(value.dropFirst(2), radix: 16) ?? 0
      default: break
      }
    }
    return threads
  }

  @Test("are read as another parser reads them", .fixtures, arguments: ["bruno", "handcrafted"])
  func snapshots(name: String) throws {
    let report = try AppleFixture.report("crash/apple/acrp_\(name).crash")
    let own = report.threads.map { thread in
      thread.frames.map { frame in
        let named = frame.extra["apple_text"]?.object?["image"]?.string
        return SnapFrame(
          module: named ?? frame.image.map { report.images[$0].name } ?? "", symbol: frame.calls.first?.function,
          file: frame.calls.first?.file, line: frame.calls.first?.line, address: frame.address)
      }
    }
    let expected = try snapshot(name)
    #expect(own.count == expected.count)
    for (own, expected) in zip(own.joined(), expected.joined()) { #expect(own == expected) }
  }

  @Test("differ in the columns behind the address")
  func frames() throws {
    let report = try read(
      """
      Process:  Demo [1]
      Thread 0 Crashed:
      0   Demo   0x0000000000001000 0x1000 + 0
      1   Two Words 2.0   0x0000000000001010 -[A b:c:] + 16
      2   Demo\t       0x1020 closure #1 (Int) -> () in f(x:) + 4 (My File.swift:12) [inlined]
      3   Demo\t       0x1020 f(x:) (My File.swift:20)
      4   Demo\t       0x1030 main (in Demo) (main.m:16)
      5   Demo\t       0x1040 0x1000 + 64 (objc_msgSend + 18)
      6   ???\t       0x10 ???
      7   Demo   0x1050
      8   ???                           \t000000000000000000 0 + 0
      """)
    let frames = report.threads[0].frames
    #expect(frames.map(\.address) == [0x1000, 0x1010, 0x1020, 0x1030, 0x1040, 0x10, 0x1050, 0])
    try #require(frames.count == 8)
    #expect(frames[0].calls.isEmpty)
    #expect(frames[6].calls.isEmpty)
    #expect(frames[7].calls.isEmpty)
    #expect(frames[1].extra["apple_text"] == ["image": "Two Words 2.0"])
    #expect(frames[1].calls.first?.function == "-[A b:c:]")
    #expect(frames[1].calls.first?.offset == 16)
    #expect(frames[2].calls.map(\.function) == ["closure #1 (Int) -> () in f(x:)", "f(x:)"])
    #expect(frames[2].calls.map(\.isInlined) == [true, false])
    #expect(frames[2].calls.map(\.line) == [12, 20])
    #expect(frames[2].calls[0].file == "My File.swift")
    #expect(frames[3].calls.first?.function == "main")
    #expect(frames[3].calls.first?.line == 16)
    #expect(frames[4].calls.first?.function == "objc_msgSend")
    #expect(frames[4].calls.first?.offset == 18)
  }

  @Test("have names and queues of threads before or in their titles")
  func threads() throws {
    let report = try read(
      """
      Exception Type:  EXC_CRASH (SIGABRT)
      Last Exception Backtrace:
      (0x1a0 0x1b0
      0x1c0)

      Thread 0 name:   Dispatch queue: com.apple.main-thread
      Thread 0:
      0   Demo\t0x10 main + 0

      Thread 7 name:  worker Dispatch queue: q
      Thread 7 Crashed:
      0   Demo\t0x20 f + 0

      Thread 8:: name  Dispatch queue: r
      0   Demo\t0x30 g + 0

      Thread 9::  Dispatch queue: s
      """)
    #expect(report.threads.map(\.name) == [nil, "worker", "name", nil])
    #expect(report.threads.map(\.queue) == ["com.apple.main-thread", "q", "r", "s"])
    #expect(report.faultingThread == 1)
    #expect(report.threads[1].extra["apple_text"] == ["number": 7])
    #expect(report.lastExceptionBacktrace.map(\.address) == [0x1a0, 0x1b0, 0x1c0])
  }

  @Test("with mere addresses of an exception get a line for each frame that has a name")
  func namedAddresses() throws {
    let text = "Process: Demo [1]\nLast Exception Backtrace:\n(0x1a0 0x1b0)\n\nThread 0:\n0   Demo\t0x10 main + 0\n"
    var report = try read(text)
    #expect(AppleCrashText.replacingFrames(in: text, with: report) == text)
    report.lastExceptionBacktrace[1].calls = [SampleReport.call("f", "/src/f.c", 3)]
    let changed = AppleCrashText.replacingFrames(in: text, with: report)
    let gap = String(repeating: " ", count: 27)
    #expect(
      changed
        == "Process: Demo [1]\nLast Exception Backtrace:\n0   ???\(gap)\t             0x1a0 0x0 + 416\n"
        + "1   ???\(gap)\t             0x1b0 f (f.c:3)\n\nThread 0:\n0   Demo\t0x10 main + 0\n")
    #expect(try read(changed).lastExceptionBacktrace[1].calls.first?.line == 3)
  }

  @Test("list images with architecture, version or bundle identifier")
  func images() throws {
    let report = try read(
      """
      Code Type:             ARM-64 (Native)
      Binary Images:
             0x1000 -        0x1fff +Demo arm64e  <0123456789abcdef0123456789ABCDEF> /a/Demo
             0x2000 -        0x2fff  My Lib.dylib x86_64 (4.2 - 1.0.0) <6deccee4a0523ea4bb67957b06f53ad1> /a b/My Lib.dylib
             0x3000 -        0x3fff com.x.Kit (1.0 - 2) <01234567-89AB-CDEF-0123-456789ABCDEF> /x/Kit.framework/Kit
             0x4000 -        0x4fff ??? ??? (???) <???> ???
                0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???
      """)
    #expect(report.images.map(\.base) == [0x1000, 0x2000, 0x3000, 0x4000])
    #expect(report.images.map(\.size) == [0x1000, 0x1000, 0x1000, 0x1000])
    #expect(report.images.map(\.architecture) == ["arm64e", "x86_64", "arm64", "arm64"])
    #expect(report.images[0].buildID == "0123456789abcdef0123456789abcdef")
    #expect(report.images[3].buildID.isEmpty)
    #expect(report.images[1].name == "My Lib.dylib")
    #expect(report.images[2].extra["CFBundleIdentifier"] == "com.x.Kit")
    #expect(report.images[2].extra["CFBundleVersion"] == "2")
  }

  @Test("of a translated report have the JSON below, which counts, and is kept in step", .fixtures)
  func translated() throws {
    let ips = try AppleFixture.text("crash/apple/lldb_asi.txt")
    let lineEnd = try #require(ips.firstIndex(of: "\n"))
    let source = try read(ips)
    let rule = "-----------"
    let text =
      "-------------------------------------\nTranslated Report (Full Report Below)\n"
      + "-------------------------------------\n\n" + AppleCrashWriter.composed(source)
      + "\n\(rule)\nFull Report\n\(rule)\n\n" + ips[ips.index(after: lineEnd)...]
    var report = try read(text)
    #expect(report.threads == source.threads)
    #expect(report.images == source.images)
    #expect(report.lastWords == source.lastWords)
    #expect(AppleCrashText.replacingFrames(in: text, with: report) == text)
    report.threads[0].frames[13].calls = [SampleReport.call("main", "/src/main.m", 12)]
    let changed = AppleCrashText.replacingFrames(in: text, with: report)
    #expect(changed.contains("0x1047e3ed0 main (main.m:12)\n"))
    let back = try read(changed)
    #expect(back.threads[0].frames[13].calls.first?.line == 12)
    #expect(try read(String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)) == report)
  }

  @Test("tell what lldb's test expects of an application's own backtrace", .fixtures)
  func specificBacktrace() throws {
    let text = AppleCrashWriter.composed(try AppleFixture.report("crash/apple/lldb_asi.txt"))
    let report = try read(text)
    #expect(report.process.pid == 96535)
    #expect(report.threads[0].queue == "com.apple.main-thread")
    #expect(
      report.lastExceptionBacktrace.map(\.address) == [
        0x1_a0a5_8418, 0x1_a05a_2ea8, 0x1_a0b3_dcc4, 0x1_a0b4_6af4, 0x1_a09a_12a4, 0x1_047e_3ed0, 0x1_a05d_3e50,
      ])
    #expect(report.thrown?.name == "NSRangeException")
    #expect(report.thrown?.reason == "*** __boundsFail: index 10 beyond bounds [0 .. 3]")
    #expect(report.threads[0].frames.count == 15)
  }

  @Test("of hangs and resources have their heaviest stacks as threads, innermost call first")
  func spindump() throws {
    let text = """
      {"bug_type":"202","app_name":"Demo","os_version":"iPhone OS 17.0 (21A329)","incident_id":"AB"}
      Date/Time:        2023-10-01 10:00:00.000 +0200
      OS Version:       iPhone OS 17.0 (Build 21A329)
      Command:          Demo
      PID:              77
      Event:            cpu usage

      Heaviest stack for the target process:
        33  ??? (libsystem_pthread.dylib + 2832) [0x1a0b10]
        33  main + 96 (Demo + 4112) [0x1010]
        12  spin() + 8 (Demo + 4128) [0x1020]

      Powerstats for:   Demo [77]
        Thread 0x1a2b    12 samples (1-12)
        12  start + 1 (Demo + 4096) [0x1000] 1-12
          10  a + 2 (Demo + 4144) [0x1030] 1-10
            9  b + 3 (Demo + 4160) [0x1040] 1-9
          2  c + 2 (Demo + 4176) [0x1050] 11-12

        Binary Images:
      Binary Images:
                    0x1000 -             0x1fff  Demo arm64  <0123456789abcdef0123456789abcdef>  /a/Demo
      """
    let report = try read(text)
    #expect(report.kind == .cpuUsage)
    #expect(report.process.pid == 77)
    #expect(report.incident == "AB")
    #expect(
      report.threads.map { $0.frames.map(\.address) } == [[0x1020, 0x1010, 0x1a0b10], [0x1040, 0x1030, 0x1000]])
    #expect(report.threads[0].frames[0].calls.first?.function == "spin()")
    #expect(report.threads[0].frames[0].image == 0)
    #expect(report.threads[1].id == 0x1a2b)
    #expect(AppleCrashText.original(of: report) == text)
    #expect(try read(String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)) == report)
  }

  @Test("of hangs name images by their identifiers, threads by name or queue, and the kernel's code with a star")
  func hang() throws {
    let text = """
      {"bug_type":"228","app_name":"Demo","os_version":"iPhone OS 17.4 (21E236)","incident_id":"AB"}
      Date/Time:        2025-03-04 10:11:02.268 +0100
      Command:          Demo
      PID:              77
      Event:            Timed Out Runloop Hang
      Duration:         9.85s

        Thread 0xf1970    DispatchQueue "com.apple.main-thread"(1)          60 samples (1-60)    priority 46
        60  ??? (<9D233F9C-ABAB-3B54-B675-07FAF65FBFB9> + 16) [0x5010]
          60  ??? (<32AA34A5-8A47-3BE0-97AF-CF3E2BF70B62> + 32) [0x1020]
           *60  ??? (<84FA5857-FE25-36F6-ACB0-828CE29EC10F> + 64) [0xfffffff007000040] (blocked by turnstile)

        Thread 0xf1aeb    Thread name "worker-0"    60 samples (1-60)
        60  ??? (<32AA34A5-8A47-3BE0-97AF-CF3E2BF70B62> + 48) [0x1030]

        Binary Images:
                    0x1000 -             0x1fff  Demo (210)  <32AA34A5-8A47-3BE0-97AF-CF3E2BF70B62>  /a/Demo
      """
    let report = try read(text)
    #expect(report.kind == .hang)
    #expect(report.threads.map(\.id) == [0xf1970, 0xf1aeb])
    #expect(report.threads.map(\.queue) == ["com.apple.main-thread", nil])
    #expect(report.threads.map(\.name) == [nil, "worker-0"])
    #expect(report.threads[0].frames.map(\.address) == [0xffff_fff0_0700_0040, 0x1020, 0x5010])
    let images = report.threads[0].frames.map { $0.image.map { report.images[$0] } }
    #expect(images.map { $0?.base } == [0xffff_fff0_0700_0000, 0x1000, 0x5000])
    #expect(images.map { $0?.path } == ["", "/a/Demo", ""])
    #expect(images[2]?.buildID == "9d233f9cabab3b54b67507faf65fbfb9")
    #expect(report.threads[1].frames[0].image == report.threads[0].frames[1].image)
    #expect(KindFacts(report).lines.map(\.text).contains { $0.hasPrefix("Duration:") && $0.hasSuffix("9.85s") })
    #expect(try read(String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)) == report)
  }

  @Test("never crash the reader or the writer, however a text is changed", .fixtures)
  func fuzz() throws {
    let names = [
      "crash/apple/acrp_handcrafted.crash", "crash/apple/lldb_a.out.crash", "crash/apple/sym_AppleConverted.log",
    ]
    let seeds = try names.map { Array(try AppleFixture.text($0).utf8) }
    Mutation.check(seeds, rounds: SeededRandom.rounds(or: 150)) { bytes in
      var report = try ReportFile.read(Bytes(bytes))
      _ = AppleCrashWriter.composed(report)
      for index in report.threads.indices where !report.threads[index].frames.isEmpty {
        report.threads[index].frames[0].calls = [SampleReport.call("f", "/f.c", 1)]
      }
      _ = AppleCrashText.replacingFrames(in: String(decoding: bytes, as: UTF8.self), with: report)
      return report
    }
  }
}
