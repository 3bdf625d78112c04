import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// The `.plcrash` fixtures that hold a report, without their ending.
let plcrashFixtures: [String] = {
  guard let folder = Fixture.root?.appending(path: "crash/plcrash") else { return [] }
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  return names.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
}()

private func plcrash(_ name: String) throws -> [UInt8] {
  [UInt8](try Fixture.data("crash/plcrash/\(name).plcrash"))
}

private func read(_ bytes: [UInt8]) throws -> CrashReport {
  try ReportFile.read(Bytes(bytes))
}

@Suite("A .plcrash", .fixtures) struct PLCrashTests {
  @Test("converts to the text that PLCrashReporter makes of it, byte for byte", arguments: plcrashFixtures)
  func text(name: String) throws {
    let expected = try Fixture.data("crash/plcrash/\(name).txt")
    let text = try #require(PLCrashText.text(of: read(plcrash(name))))
    #expect(Array(text.utf8) == Array(expected))
  }

  @Test("is written with the same bytes", arguments: plcrashFixtures)
  func sameBytes(name: String) throws {
    let bytes = try plcrash(name)
    let report = try read(bytes)
    #expect(PLCrashWriter.bytes(of: report) == bytes)
  }

  @Test("loses nothing on the way through .ips", arguments: plcrashFixtures)
  func throughIPS(name: String) throws {
    let bytes = try plcrash(name)
    let report = try read(bytes)
    let back = try read(IPSWriter.bytes(of: report))
    #expect(back == report)
    #expect(PLCrashWriter.bytes(of: back) == bytes)
    #expect(PLCrashText.text(of: back) == PLCrashText.text(of: report))
  }

  @Test("gives the facts of the report: threads, the crashed one, its registers, images")
  func facts() throws {
    let report = try read(plcrash("live_report_exception"))
    #expect(report.incident == "DCB1A17E-365B-48EB-86CB-8B7CC65E4AF8")
    #expect(report.thrown?.name == "NSRangeException")
    #expect(report.lastExceptionBacktrace.first?.calls.first?.function == "__exceptionPreprocess")
    #expect(report.lastExceptionBacktrace.first?.calls.first?.symbol == "___exceptionPreprocess")
    #expect(report.faultingThread == 0)
    #expect(report.threads.count == 4)
    #expect(report.threads[0].registers?["eip"] == 0x2b0_c952)
    #expect(report.images.count == 137)
    #expect(report.images.first?.architecture == "i386")
    #expect(report.exception?.signal == "SIGABRT")
    #expect(report.exception?.type == "EXC_CRASH")
  }

  @Test("keeps fields that nobody knows, also inside messages, and writes them where they stood")
  func unknownFields() throws {
    var bytes = try plcrash("CrashProbe__live_report_smash_top")
    bytes += [0xfa, 0x01, 3, 1, 2, 3]  // field 31, three bytes
    bytes += [0xf3, 0x01, 0x08, 0x05, 0x0b, 0x0c, 0xf4, 0x01]  // field 30, a group with a group in it
    bytes += [0x1a, 9, 0x08, 7, 0x18, 0, 0x12, 3, 0x18, 5, 0x4d]  // a thread whose frame ends in a 32-bit field, cut
    #expect(throws: ReportError.self) { try read(bytes) }
    bytes.removeLast(11)
    bytes += [0x1a, 13, 0x08, 7, 0x18, 0, 0x12, 7, 0x18, 5, 0x4d, 1, 2, 3, 4]  // the same, whole
    let report = try read(bytes)
    #expect(report.threads.last?.id == 7)
    #expect(report.threads.last?.frames.first?.address == 5)
    #expect(report.extra["plcrash"]?.object?["unknown"]?.array?.count == 2)
    let written = PLCrashWriter.bytes(of: report)
    #expect(try read(written) == report)
    #expect(written.count == bytes.count)
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test("has the names that symbolication found when it is written again")
  func symbolicated() throws {
    var report = try read(plcrash("CrashProbe__live_report_null_ptr"))
    var inlined = CrashReport.Call(function: "inner()")
    inlined.isInlined = true
    var outer = CrashReport.Call(function: "outer()")
    outer.symbol = "_Z5outerv"
    outer.offset = 16
    #expect(PLCrashText.text(of: report) != nil)
    report.threads[0].frames[0].calls = [inlined, outer]
    // Inlined calls and lines are for the layout that has a place for them.
    #expect(PLCrashText.text(of: report) == nil)
    let back = try read(PLCrashWriter.bytes(of: report))
    let call = try #require(back.threads[0].frames[0].calls.first)
    // As with every symbol of Apple's linker, the first underscore is not part of the name.
    #expect(call.symbol == "_Z5outerv")
    #expect(call.function == "Z5outerv")
    #expect(call.offset == 16)
  }

  @Test("says what is wrong and at which byte: empty, cut short, of another version, without its parts")
  func errors() throws {
    func failure(_ bytes: [UInt8]) -> ReportError? {
      do {
        _ = try read(bytes)
        return nil
      } catch {
        return error as? ReportError
      }
    }
    let bytes = try plcrash("fuzz_report")
    #expect(failure(try plcrash("live_report_empty")) == ReportError(.empty))
    #expect(failure(Array(bytes[..<8])) == ReportError(.plcrash(.truncated), offset: 8))
    #expect(failure(Array(bytes[..<7])) == ReportError(.plcrash(.truncated), offset: 7))
    var newer = bytes
    newer[7] = 9
    #expect(failure(newer) == ReportError(.plcrash(.unknownVersion(9)), offset: 7))
    let large = bytes + [UInt8](repeating: 0, count: PLCrashReader.largest)
    #expect(failure(large)?.code == .plcrash(.tooLarge))
    // Field 3 (threads), empty ones.
    let crowded = bytes + (0...65_536).flatMap { _ in [0x1a, 0] as [UInt8] }
    #expect(failure(crowded)?.code == .plcrash(.tooLarge))
    let cut = failure(Array(bytes.dropLast(1)))
    #expect(cut?.code == .plcrash(.truncated))
    #expect((cut?.offset ?? 0) > 8)
    #expect(failure(Array(bytes[..<8]) + [0x12, 0]) == ReportError(.plcrash(.missing("system_info")), offset: 8))
    #expect(failure(Array(bytes[..<8]) + [0x0f]) == ReportError(.plcrash(.malformed), offset: 9))
    #expect(failure(Array(bytes[..<8]) + [0x00, 1]) == ReportError(.plcrash(.malformed), offset: 8))
  }

  @Test(
    "with damage gives an error or a report that can be written and read, in bounded time", .timeLimit(.minutes(10)))
  func fuzz() throws {
    let originals = try ["fuzz_report", "live_report_exception", "CrashProbe__live_report_smash_top"].map(plcrash)
    var random = SeededRandom(seed: 3)
    for round in 0..<SeededRandom.rounds(or: 120) {
      var bytes = originals[round % originals.count]
      for _ in 0...Int.random(in: 0..<8, using: &random) {
        bytes[Int.random(in: 7..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if round % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let clock = ProcessorTime()
      if let report = try? read(bytes) {
        let written = PLCrashWriter.bytes(of: report)
        #expect(throws: Never.self) { try read(written) }
        #expect(PLCrashText.text(of: report) != nil)
        #expect(written.count <= bytes.count * 4 + 4096)
      }
      #expect(clock.elapsed < .seconds(1))
    }
  }
}
