import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("MetricKit's payloads") struct MetricKitPayloadTests {
  /// A frame with those below it.
  private static func frame(_ image: String, _ offset: Int, _ samples: Int? = nil, _ below: [String] = []) -> String {
    let fields = [
      "\"binaryName\":\"\(image)\"", "\"binaryUUID\":\"70B89F27-1634-3580-A695-57CDB41D7743\"",
      "\"address\":\(0x1_0000_0000 + offset)", "\"offsetIntoBinaryTextSegment\":\(offset)",
      samples.map { "\"sampleCount\":\($0)" }, below.isEmpty ? nil : "\"subFrames\":[\(below.joined(separator: ","))]",
    ]
    return "{" + fields.compactMap { $0 }.joined(separator: ",") + "}"
  }

  private static func diagnostic(_ facts: String, _ root: String, byThread: Bool) -> String {
    "{\"version\":\"1.0.0\",\"diagnosticMetaData\":{\"appVersion\":\"2.1\",\"appBuildVersion\":\"7\","
      + "\"osVersion\":\"iPhone OS 17.4 (21E219)\",\"deviceType\":\"iPhone14,2\",\"platformArchitecture\":\"arm64e\",\(facts)},"
      + "\"callStackTree\":{\"callStackPerThread\":\(byThread),\"callStacks\":[{\"threadAttributed\":true,"
      + "\"callStackRootFrames\":[\(root)]}]}}"
  }

  private static let hang = diagnostic(
    "\"hangDuration\":\"1.5 sec\"",
    frame(
      "dyld", 1, 20,
      [frame("Shop", 2, 20, [frame("Shop", 3, 15, [frame("libA", 4, 7), frame("libB", 5, 8)]), frame("Shop", 6, 5)])]),
    byThread: false)
  private static let crash = diagnostic(
    "\"signal\":11,\"exceptionType\":1,\"exceptionCode\":0,\"pid\":12",
    frame("Shop", 10, nil, [frame("Shop", 11, nil, [frame("libdyld.dylib", 12)])]), byThread: true)
  private static let payload =
    "{\"timeStampBegin\":\"2026-03-01 09:00:00\",\"timeStampEnd\":\"2026-03-01 10:00:00\",\"hangDiagnostics\":[\(hang)],"
    + "\"crashDiagnostics\":[\(crash)]}"

  private func reports(_ text: String) throws(ReportError) -> [CrashReport] {
    let bytes = Bytes(Array(text.utf8))
    defer { withExtendedLifetime(bytes) {} }
    return try MetricKitPayload.reports(bytes.buffer)
  }

  @Test("are reports of their kinds, with the way that most samples went")
  func read() throws {
    let all = try reports(Self.payload)
    try #require(all.map(\.kind) == [.crash, .hang])
    let hang = all[1]
    #expect(hang.hang?.duration == 1.5 && hang.hang?.severity == .severe)
    #expect(hang.threads[0].frames.map { $0.address & 0xff } == [3, 2, 1])
    let shop = try #require(hang.images.first { $0.name == "Shop" })
    #expect(Set(hang.images.map(\.name)) == ["dyld", "Shop"] && shop.base == 0x1_0000_0000)
    #expect(shop.buildID == "70b89f2716343580a69557cdb41d7743")
    #expect(hang.application.version == "2.1" && hang.system.version == "17.4" && hang.system.model == "iPhone14,2")
    let crash = all[0]
    #expect(crash.exception?.signal == "SIGSEGV" && crash.exception?.type == "EXC_BAD_ACCESS")
    #expect(crash.threads[0].frames.map { $0.address & 0xff } == [10, 11, 12])
    #expect(crash.captured.text(digits: 0) == "2026-03-01 10:00:00 +0000")
  }

  @Test("are recognized by what they hold")
  func recognised() throws {
    let bytes = Bytes(Array(Self.payload.utf8))
    let report = try ReportFile.read(bytes)
    #expect(report.kind == .crash && report.notes.contains("The payload has 1 more diagnostics."))
  }

  @Test(
    "tell durations in the words of their languages",
    arguments: [("20 sec", 20), ("1.5 s", 1.5), ("1,5 s", 1.5), ("2,000 ms", 2), ("350 ms", 0.35), ("1 min", 60)])
  func durations(_ text: String, _ seconds: Double) {
    #expect(MetricKitDiagnostic.seconds(text) == seconds)
    #expect(MetricKitDiagnostic.seconds("long") == nil && MetricKitDiagnostic.seconds("2 fortnights") == nil)
  }

  @Test("are refused with the member that is wrong")
  func wrong() {
    #expect(throws: ReportError(.wrongKind(path: "hangDiagnostics", expected: "array", found: "object"))) {
      try reports("{\"hangDiagnostics\":{}}")
    }
    #expect(throws: ReportError(.missing(path: "hangDiagnostics[0].callStackTree.callStacks"))) {
      try reports("{\"hangDiagnostics\":[{\"callStackTree\":{}}]}")
    }
  }

  @Test("are read or refused, whatever bytes there are")
  func fuzz() {
    var random = SeededRandom(seed: 7)
    let whole = Array(Self.payload.utf8)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
      for report in (try? reports(text)) ?? [] { #expect(!IPSWriter.bytes(of: report).isEmpty) }
    }
  }

  @Test("are as deep as stacks are")
  func deep() throws {
    var chain = Self.frame("Shop", 0)
    for offset in 1..<200 { chain = Self.frame("Shop", offset, nil, [chain]) }
    let all = try reports("{\"crashDiagnostics\":[\(Self.diagnostic("\"signal\":6", chain, byThread: true))]}")
    #expect(all[0].threads[0].frames.count == 200)
  }
}
