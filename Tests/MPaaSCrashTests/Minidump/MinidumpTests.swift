import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

private func dump(_ name: String) throws -> [UInt8] {
  [UInt8](try Fixture.data("crash/minidump/\(name)"))
}

private func read(_ name: String) throws -> CrashReport {
  try ReportFile.read(Bytes(dump(name)))
}

/// The JSON that minidump-stackwalk prints, without the head of the snapshot's file.
private func expected(_ name: String) throws -> JSONValue.Object {
  let data = try Fixture.data("crash/minidump/expected/\(name).snap")
  let text = String(decoding: data, as: UTF8.self)
  let start = try #require(text.range(of: "\n{"))
  let bytes = Bytes(text[text.index(after: start.lowerBound)...].utf8)
  return try #require(try JSONValue(reading: bytes.buffer).object)
}

private func number(_ value: JSONValue?) -> UInt64? {
  value?.string.flatMap { UInt64($0.dropFirst(2), radix: 16) }
}

/// Names without folders, of either system.
private func name(_ path: String) -> String {
  path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? path
}

@Suite("A minidump", .fixtures) struct MinidumpTests {
  @Test(
    "has the threads, frames, reason and registers that minidump-stackwalk finds",
    arguments: [("test.dmp", "json-pretty"), ("linux-mini.dmp", "linux_json_pretty")])
  func stackwalk(file: String, snapshot: String) throws {
    let report = try read(file)
    let expected = try expected(snapshot)
    let own = try #require(report.extra["minidump"]?.object)
    let crash = try #require(expected["crash_info"]?.object)
    #expect(own["crash_reason"] == crash["type"])
    #expect(own["crash_address"] == crash["address"])
    #expect(report.faultingThread.map { JSONValue($0) } == crash["crashing_thread"])
    let threads = try #require(expected["threads"]?.array)
    #expect(report.threads.count == threads.count)
    for (thread, expected) in zip(report.threads, threads.compactMap(\.object)) {
      #expect(JSONValue(thread.id) == expected["thread_id"])
      let frames = (expected["frames"]?.array ?? []).compactMap(\.object)
      #expect(thread.frames.count == frames.count)
      for (index, (frame, expected)) in zip(thread.frames, frames).enumerated() {
        let lookup = index == 0 ? frame.address : frame.address - 1
        let image = try #require(frame.image.map { report.images[$0] })
        #expect(lookup == number(expected["offset"]), "frame \(index)")
        #expect(lookup - image.base == number(expected["module_offset"]), "frame \(index)")
        #expect(.string(name(image.path)) == expected["module"])
        #expect(frame.extra["minidump"]?.object?["trust"] == expected["trust"], "frame \(index)")
      }
    }
    let registers = expected["crashing_thread"]?.object?["frames"]?.array?.first?.object?["registers"]?.object ?? [:]
    #expect(!registers.isEmpty)
    let found = try #require(report.threads[report.faultingThread ?? 0].registers)
    for (register, value) in registers { #expect(found[register] == number(value), "\(register)") }
  }

  @Test(
    "has the modules that minidump-stackwalk lists, with their identities",
    arguments: [("test.dmp", "json-pretty"), ("linux-mini.dmp", "linux_json_pretty")])
  func modules(file: String, snapshot: String) throws {
    let report = try read(file)
    let modules = try #require(expected(snapshot)["modules"]?.array).compactMap(\.object)
    #expect(report.images.count == modules.count)
    for (image, expected) in zip(report.images, modules) {
      let own = try #require(image.extra["minidump"]?.object)
      #expect(image.base == number(expected["base_addr"]))
      #expect(image.base + image.size == number(expected["end_addr"]))
      #expect(.string(name(image.path)) == expected["filename"])
      if expected["debug_id"]?.string?.allSatisfy({ $0 == "0" }) == false {
        #expect(own["debug_id"] == expected["debug_id"])
        #expect(own["code_id"] == expected["code_id"])
      }
      if let file = expected["debug_file"]?.string, let debugFile = own["debug_file"]?.string {
        #expect(name(debugFile) == name(file))
      }
      #expect(own["version"] == (expected["version"] == .null ? nil : expected["version"]))
    }
  }

  @Test("tells of the system and the process")
  func facts() throws {
    let linux = try read("linux-mini.dmp")
    #expect(linux.system.name == "Ubuntu")
    #expect(linux.system.version == "16.04")
    #expect(linux.system.kernel?.hasPrefix("4.9.60-linuxkit-aufs #1 SMP") == true)
    #expect(linux.process.name == "crash")
    #expect(linux.process.cpuType == "X86-64")
    #expect(linux.process.pid == 1304)
    #expect(linux.exception?.signal == "SIGSEGV")
    #expect(linux.exception?.address == 0x45)
    #expect(linux.captured.seconds == 1_522_061_032)
    let windows = try read("test.dmp")
    #expect(windows.system.name == "Windows NT")
    #expect(windows.system.version == "5.1.2600")
    #expect(windows.system.build == "Service Pack 2")
    #expect(windows.process.pid == 3932)
    #expect(windows.process.uptime == 0)
    #expect(windows.exception?.type == "EXCEPTION_ACCESS_VIOLATION")
    #expect(windows.exception?.address == 0x45)
  }

  @Test(
    "of Breakpad on Linux tells which crash it was",
    arguments: [
      ("breakpad_linux_divide_by_zero.dmp", "SIGFPE"), ("breakpad_linux_null_dereference.dmp", "SIGSEGV"),
      ("breakpad_linux_raise_sigabrt.dmp", "SIGABRT"),
    ])
  func breakpad(file: String, signal: String) throws {
    let report = try read(file)
    #expect(report.exception?.signal == signal)
    #expect(report.faultingThread == 0)
    #expect(!report.threads[0].frames.isEmpty)
    #expect(report.isPartial == false, "\(report.notes)")
    let own = try #require(report.extra["minidump"]?.object)
    for name in [
      "linux_cpu_info", "linux_proc_status", "linux_lsb_release", "linux_cmd_line", "linux_environ", "linux_auxv",
      "linux_maps", "linux_dso_debug",
    ] { #expect(own[name] != nil, "\(name)") }
    #expect(own["streams"] == nil)
  }

  @Test("of Crashpad has its identifiers and the annotations of process and modules")
  func crashpad() throws {
    let report = try read("simple-crashpad.dmp")
    let own = try #require(report.extra["minidump"]?.object?["crashpad"]?.object)
    #expect(own["report_id"]?.string?.count == 36)
    let modules = try #require(own["module_list"]?.array).compactMap(\.object)
    let simple = modules.compactMap { $0["simple_annotations"]?.object }.filter { !$0.isEmpty }
    let lists = modules.compactMap { $0["list_annotations"]?.array }.filter { !$0.isEmpty }
    let objects = modules.compactMap { $0["annotation_objects"]?.array }.filter { !$0.isEmpty }
    #expect(
      !(own["simple_annotations"]?.object ?? [:]).isEmpty || !simple.isEmpty || !lists.isEmpty || !objects.isEmpty)
  }

  @Test("in its short form is found in a log, with the registers and modules that minidump-stackwalk shows")
  func microdump() throws {
    let report = try read("breakpad_microdump-arm64.dmp")
    let text = String(
      decoding: try Fixture.data("crash/minidump/breakpad_microdump.stackwalk-arm64.out"), as: UTF8.self)
    #expect(report.system.name == "Android")
    #expect(report.system.version == "OS 64 VERSION INFO")
    #expect(report.process.cpuType == "ARM-64")
    #expect(report.threads.count == 1)
    let lines = text.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix(" 0  ") })
    var words: [Substring] = []
    for line in lines[(first + 1)...] {
      if line.contains("Found by") { break }
      words += line.split(separator: " ").filter { $0 != "=" }
    }
    let registers = try #require(report.threads[0].registers)
    #expect(words.count == 66)
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      #expect(registers[String(words[index])] == UInt64(words[index + 1].dropFirst(2), radix: 16), "\(words[index])")
    }
    let modules = lines.filter { $0.hasPrefix("0x") && $0.contains(" - ") }
    #expect(report.images.count == modules.count)
    for (image, line) in zip(report.images, modules) {
      let words = line.split(separator: " ")
      #expect(image.base == UInt64(words[0].dropFirst(2), radix: 16))
      #expect(image.base + image.size - 1 == UInt64(words[2].dropFirst(2), radix: 16))
      #expect(image.path == words[3])
    }
    // Call frame information is not at hand here, but each function keeps a frame pointer.
    let counters = lines.compactMap { line in
      line.range(of: " pc = 0x").flatMap { UInt64(line[$0.upperBound...].prefix(16), radix: 16) }
    }
    #expect(counters.count == 9)
    let own = report.threads[0].frames.map(\.address)
    #expect(own.first == counters.first)
    #expect(counters.filter(own.contains).count >= 8, "\(own.map { String($0, radix: 16) })")
  }

  static let all = [
    "breakpad_linux_divide_by_zero.dmp", "breakpad_linux_null_dereference.dmp", "breakpad_linux_raise_sigabrt.dmp",
    "linux-mini.dmp", "simple-crashpad.dmp", "test.dmp",
  ]
  static let withMicrodump = all + ["breakpad_microdump-arm64.dmp"]

  @Test("accounts for each stream, and is the same report after .ips", arguments: withMicrodump)
  func complete(file: String) throws {
    let report = try read(file)
    let back = try ReportFile.read(Bytes(IPSWriter.bytes(of: report)))
    #expect(back == report)
    let own = try #require(report.extra["minidump"]?.object)
    let names: [UInt32: String] = [
      7: "system_info", 15: "misc_info", 6: "exception", 5: "memory", 9: "memory64", 0x4350_0001: "crashpad",
      0x4767_0001: "breakpad_info", 0x4767_0002: "assertion", 0x4d7a_0004: "soft_errors",
    ]
    for type in (own["stream_types"]?.array ?? []).compactMap({ $0.integer(UInt32.self) }) {
      if let name = names[type] { #expect(own[name] != nil, "\(name)") }
    }
  }

  @Test("that was cut short gives what is there, and says so")
  func cutShort() throws {
    let bytes = try dump("linux-mini.dmp")
    var whole = 0
    for count in stride(from: 32, to: bytes.count, by: 509) {
      do {
        let report = try ReportFile.read(Bytes(bytes[..<count]))
        #expect(report.isPartial)
        #expect(!report.notes.isEmpty)
        whole += report.threads.isEmpty ? 0 : 1
      } catch {
        guard case .minidump(.truncated) = error.code else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(whole > 0)
  }

  @Test("that is none is refused with the place of what is wrong")
  func errors() throws {
    func failure(_ bytes: [UInt8]) -> ReportError? {
      do {
        _ = try ReportFile.read(Bytes(bytes))
        return nil
      } catch {
        return error
      }
    }
    let bytes = try dump("test.dmp")
    #expect(failure(Array(bytes[..<20])) == ReportError(.minidump(.truncated), offset: 20))
    var other = bytes
    other[4] = 1
    #expect(failure(other)?.offset == 4)
    other = bytes
    other[11] = 0x7f
    #expect(failure(other)?.offset == 8)
    other = bytes
    other[8] = 0
    #expect(failure(other)?.code == .minidump(.noContents))
  }

  @Test("with damage gives an error or a report that can be written, in bounded time", .timeLimit(.minutes(10)))
  func fuzz() throws {
    let originals = try (Self.all + ["breakpad_microdump-arm64.dmp"]).map(dump)
    var random = SeededRandom(seed: 5)
    for round in 0..<SeededRandom.rounds(or: 180) {
      var bytes = originals[round % originals.count]
      for _ in 0...Int.random(in: 0..<10, using: &random) {
        // Half of the damage hits the header, the directory and the first records.
        let end = Bool.random(using: &random) ? min(1024, bytes.count) : bytes.count
        bytes[Int.random(in: 4..<end, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let start = ProcessorTime()
      if let report = try? ReportFile.read(Bytes(bytes)) {
        #expect(report.threads.allSatisfy { $0.frames.count <= StackWalk.mostFrames })
        let written = IPSWriter.bytes(of: report)
        #expect(written.count < 64 << 20)
      }
      #expect(start.elapsed < .seconds(1), "round \(round)")
    }
  }
}
