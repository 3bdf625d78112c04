import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A report of a core", .tool("gcc"), .tool("gdb"))
struct CoreCaptureTests {
  /// Compares every thread's frames with gdb's, which goes on where a stack was overwritten.
  static func compare(_ report: CrashReport, _ observed: Observed, _ location: SourceLocation) throws {
    let expected = try Debugger.stacks(program: observed.program, core: observed.core)
    #expect(expected.count == report.threads.count, sourceLocation: location)
    for (thread, addresses) in expected {
      let end = addresses.dropFirst().firstIndex { address in !report.images.contains { $0.contains(address) } }
      #expect(
        report.addresses(of: thread) == Array(addresses.prefix((end ?? addresses.count) + 1)), "thread \(thread)",
        sourceLocation: location)
    }
  }

  static func check(_ observed: Observed, _ location: SourceLocation = #_sourceLocation) throws {
    let report = try CoreCapture.report(of: observed.core)
    let traced = try observed.report
    #expect(report.origin == .core)
    #expect(report.exception == traced.exception, sourceLocation: location)
    #expect(report.process.pid == traced.process.pid, sourceLocation: location)
    #expect(report.process.name == traced.process.name, sourceLocation: location)
    #expect(report.process.userID == traced.process.userID, sourceLocation: location)
    #expect(report.faulting?.id == traced.faulting?.id, sourceLocation: location)
    #expect(report.faulting?.registers == traced.faulting?.registers, sourceLocation: location)
    #expect(report.images == traced.images, sourceLocation: location)
    #expect(report.notes.isEmpty, sourceLocation: location)
    try compare(report, observed, location)
  }

  @Test(
    "has gdb's frames for all threads, and what was seen from outside",
    arguments: [
      "null-write", "abort", "thread", "threads-200", "wild-jump", "smash", "corrupt-heap", "malloc-lock", "bus",
      "divide",
    ], ["0x33", "0xff"])
  func sameAsDebugger(_ name: String, _ filter: String) throws {
    try Self.check(.run(.crashes(["-O2"]), [name], filter: filter))
  }

  @Test(
    "has gdb's frames however the program is linked, and whichever memory the kernel kept",
    arguments: [["-static"], ["-no-pie"], ["-static-pie"], ["-Wl,--build-id=none"], ["-fomit-frame-pointer"]],
    ["0x33", "0x23", "0xff"])
  func linked(_ flags: [String], _ filter: String) throws {
    let observed = try Observed.run(.crashes(["-O2"] + flags), ["thread"], filter: filter)
    let report = try CoreCapture.report(of: observed.core)
    #expect(report.addresses(of: report.threads[0].id) == (try observed.report.addresses(of: report.threads[0].id)))
    try Self.compare(report, observed, #_sourceLocation)
  }

  @Test("has gdb's frames for C++ that threw, optimised", .tool("g++"), arguments: ["0x33", "0xff"])
  func cxx(_ filter: String) throws {
    let observed = try Observed.run(.cxx(), filter: filter)
    #expect(observed.outcome.signal == SIGABRT)
    try Self.check(observed)
  }

  @Test("has gdb's frames for Swift, optimised", .tool("swiftc"), arguments: ["0x33", "0xff"])
  func swift(_ filter: String) throws {
    let observed = try Observed.run(.swift(), filter: filter)
    #expect(observed.outcome.signal == SIGILL || observed.outcome.signal == SIGTRAP)
    try Self.check(observed)
  }

  @Test("has the C library's last words")
  func abortMessage() throws {
    let observed = try Observed.run(.crashes(), ["assertion"])
    let report = try CoreCapture.report(of: observed.core)
    #expect(report.lastWords["libc.so.6"]?.first?.contains("the answer is one") == true)
  }

  @Test("takes the executable from elsewhere, and says when there is none")
  func movedExecutable() throws {
    let folder = try TemporaryFolder()
    let program = SampleProgram(path: folder.url.appending(path: "moving").path)
    try FileManager.default.copyItem(atPath: SampleProgram.crashes().path, toPath: program.path)
    let observed = try Observed.run(program, ["null-write"])
    let elsewhere = folder.url.appending(path: "elsewhere").path
    try FileManager.default.moveItem(atPath: program.path, toPath: elsewhere)
    let without = try CoreCapture.report(of: observed.core)
    #expect(without.notes.contains { $0.contains("--exec") && $0.contains(program.path) })
    let with = try CoreCapture.report(of: observed.core, executable: elsewhere)
    #expect(with.notes.isEmpty)
    #expect(with.process.path == elsewhere)
    #expect(with.addresses(of: with.threads[0].id) == (try observed.report.addresses(of: with.threads[0].id)))
  }

  @Test("finds the build ID that lies right behind the segment of notes, where Go's linker puts it")
  func buildIDBehindNotes() throws {
    let folder = try TemporaryFolder()
    let original = try SampleProgram.crashes(["-O1", "-g", "-Wl,--build-id"])
    let program = SampleProgram(path: folder.url.appending(path: "outside").path)
    var bytes = try Bytes.mapping(original.path).array
    // A program linked by gcc has two segments of notes that touch; the second begins with the build ID.
    let headers = (0..<Int(bytes[56])).map { 64 + 56 * $0 }.filter { bytes[$0] == 4 }
    bytes[try #require(headers.last)] = 0
    try #require(headers.count == 2)
    try Data(bytes).write(to: URL(filePath: program.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let observed = try Observed.run(program, ["null-write"])
    let buildID = try #require(ImageList.buildID(of: .mapping(original.path)))
    for report in [try observed.report, try CoreCapture.report(of: observed.core)] {
      #expect(report.images.first { $0.path == program.path }?.buildID == buildID)
    }
  }

  @Test("names both build IDs where the executable is another build: a note, or an error where it was asked for")
  func otherBuild() throws {
    let folder = try TemporaryFolder()
    let program = SampleProgram(path: folder.url.appending(path: "replaced").path)
    let original = try SampleProgram.crashes(), other = try SampleProgram.crashes(["-O2"])
    try FileManager.default.copyItem(atPath: original.path, toPath: program.path)
    let observed = try Observed.run(program, ["null-write"])
    try FileManager.default.removeItem(atPath: program.path)
    try FileManager.default.copyItem(atPath: other.path, toPath: program.path)
    let ran = try #require(ImageList.buildID(of: .mapping(original.path)))
    let found = try #require(ImageList.buildID(of: .mapping(other.path)))
    let report = try CoreCapture.report(of: observed.core)
    #expect(report.notes.contains { $0.contains(ran) && $0.contains(found) })
    #expect(report.images.first { $0.path == program.path }?.buildID == ran)
    let error = #expect(throws: CoreError.self) {
      try CoreCapture.report(of: observed.core, executable: other.path)
    }
    #expect(error?.code == .otherExecutable(core: ran, file: found, executable: other.path))
  }

  @Test("says that a core is cut off, and what else is no core")
  func notACore() throws {
    let observed = try Observed.run(.crashes(), ["null-write"])
    let bytes = try Bytes.mapping(observed.core)
    let part = try #require(bytes.slice(at: 0, size: UInt64(bytes.count / 2)))
    let report = try CoreCapture.report(of: CoreFile(part), executable: nil) { try? Bytes.mapping($0) }
    #expect(report.isPartial)
    #expect(report.notes.contains { $0.contains("cut off") })
    #expect(throws: CoreError(.notELF)) { try CoreFile(Bytes([1, 2, 3])) }
    #expect(throws: CoreError(.notCore, offset: 16)) { try CoreFile(.mapping(observed.program)) }
    #expect(throws: CoreError(.truncated, offset: 32)) { try CoreFile(#require(bytes.slice(at: 0, size: 100))) }
  }

  @Test("survives cores with bytes changed at random, each within a second")
  func mutated() throws {
    let observed = try Observed.run(.crashes(), ["thread"])
    let original = try Bytes.mapping(observed.core).array
    let rounds = SeededRandom.rounds(or: 200)
    var random = SeededRandom(seed: 1)
    // Headers and notes are where the reader decides; the rest is stacks and data.
    let dense = min(original.count, 16_384)
    var files: [String: Bytes] = [:]
    for round in 0..<rounds {
      var bytes = original
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        let limit = Bool.random(using: &random) ? dense : bytes.count
        let place = Int.random(in: 0..<limit, using: &random)
        if Int.random(in: 0..<4, using: &random) > 0 {
          bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        } else {
          // Sizes, counts and addresses are eight bytes wide; these are where sums overflow.
          let extremes: [UInt64] = [.max, .max - 4095, 1 << 63, 1 << 47, 0xffff_ffff, 0, 4096]
          let value = extremes[Int.random(in: 0..<extremes.count, using: &random)]
          let field = place & ~7
          for byte in 0..<8 where field + byte < bytes.count {
            bytes[field + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))
          }
        }
      }
      if round % 8 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let start = ProcessorTime()
      _ = try? CoreCapture.report(of: CoreFile(Bytes(bytes)), executable: nil) { path in
        if let known = files[path] { return known }
        let file = ProcFile.isRegular(path) ? try? Bytes.mapping(path) : nil
        files[path] = file
        return file
      }
      #expect(start.elapsed < .seconds(1), "round \(round)")
    }
  }
}
