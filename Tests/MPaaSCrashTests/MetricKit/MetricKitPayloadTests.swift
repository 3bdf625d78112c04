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
    let whole = [Self.payload, Self.hang, Self.typed, Self.logs].map { Array($0.utf8) }
    for round in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = whole[round % whole.count]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
      for report in (try? reports(text)) ?? [] { #expect(!IPSWriter.bytes(of: report).isEmpty) }
    }
  }

  /// A report of iOS 27, as `JSONEncoder` writes it.
  private static let typed =
    "{\"timeRange\":{\"begin\":800000000,\"end\":800000010.5},\"environment\":{\"applicationVersion\":\"3.0\","
    + "\"applicationBuildVersion\":\"9\",\"bundleIdentifier\":\"org.example.shop\",\"deviceType\":\"iPhone18,1\","
    + "\"platformArchitecture\":\"arm64e\",\"osVersion\":{\"platform\":\"iOS\",\"number\":\"27.0\","
    + "\"buildNumber\":\"24A1\"},\"states\":[]},\"hang\":{\"hangDuration\":{\"value\":2500,\"unit\":\"ms\"},"
    + "\"callStackTree\":{\"callStackPerThread\":true,\"binaryInfo\":[\"70B89F27-1634-3580-A695-57CDB41D7743\","
    + "{\"uuid\":\"70B89F27-1634-3580-A695-57CDB41D7743\",\"name\":\"Shop\"}],\"callStackThreads\":["
    + "{\"threadAttributed\":true,\"rootFrames\":[{\"binaryUUID\":\"70B89F27-1634-3580-A695-57CDB41D7743\","
    + "\"offsetIntoBinaryTextSegment\":16,\"address\":4294967312,\"sampleCount\":4,\"subFrames\":[]}]}]}}}"

  @Test("of iOS 27 have the environment's facts, images by their UUIDs, and times since 2001")
  func typedReport() throws {
    let all = try reports(Self.typed)
    try #require(all.count == 1 && all[0].kind == .hang)
    #expect(all[0].hang?.duration == 2.5 && all[0].hang?.severity == .fatal && all[0].hang?.agreeing == 4)
    #expect(all[0].images.map(\.name) == ["Shop"] && all[0].images[0].base == 0x1_0000_0000)
    #expect(all[0].application.version == "3.0" && all[0].application.build == "9")
    #expect(all[0].system.name == "iOS" && all[0].system.version == "27.0" && all[0].system.build == "24A1")
    #expect(all[0].captured.text(digits: 1) == "2026-05-09 06:13:30.5 +0000")
    // A tag in place of a name, with the diagnostic's members at the top.
    let crash = try reports(
      "{\"timeRange\":{},\"environment\":{},\"type\":\"crash\",\"callStackTree\":{\"callStackThreads\":[]}}")
    #expect(crash.map(\.kind) == [.crash])
  }

  @Test("are read where one diagnostic is alone, or only its stacks are")
  func single() throws {
    #expect(try reports(Self.hang).map(\.kind) == [.hang] && reports(Self.crash).map(\.kind) == [.crash])
    let disk = Self.diagnostic("\"writesCaused\":\"2,000 byte\"", Self.frame("Shop", 4, 1), byThread: true)
    #expect(try reports(disk).map(\.kind) == [.diskWrites])
    let tree = try reports(
      "{\"callStackTree\":{\"callStacks\":[{\"callStackRootFrames\":[\(Self.frame("Shop", 4, 1))]}]}}")
    #expect(tree.map(\.kind) == [.other] && tree[0].threads[0].frames.count == 1)
  }

  /// A log of App Store Connect: numbers are text, functions have names, trees stand in an array.
  private static let logs =
    "{\"version\":\"1.0.0\",\"productData\":[{\"signatureId\":\"s\",\"diagnosticLogs\":[{\"diagnosticMetaData\":"
    + "{\"bundleId\":\"org.example.shop\",\"buildVersion\":\"7\",\"appVersion\":\"2.1\",\"event\":\"Hang\","
    + "\"eventDetail\":\"1.2 sec\",\"osVersion\":\"iPhone OS 17.4 (21E219)\"},\"callStackTree\":[{\"callStacks\":["
    + "{\"callStackRootFrames\":[{\"symbolName\":\"main\",\"binaryName\":\"Shop\",\"address\":\"4294967312\","
    + "\"offsetIntoBinaryTextSegment\":\"16\",\"sampleCount\":9,\"fileName\":\"main.swift\",\"lineNumber\":\"3\","
    + "\"subFrames\":[{\"symbolName\":\"load()\",\"binaryName\":\"Shop\",\"address\":\"4294967328\","
    + "\"offsetIntoBinaryTextSegment\":\"32\",\"sampleCount\":9}]}]}]}]}]}]}"

  @Test("of App Store Connect keep the functions that it found")
  func organizer() throws {
    let all = try reports(Self.logs)
    try #require(all.map(\.kind) == [.hang])
    #expect(all[0].hang?.duration == 1.2 && all[0].application.build == "7")
    #expect(all[0].application.identifier == "org.example.shop")
    let frames = all[0].threads[0].frames
    #expect(frames.map { $0.calls.first?.function } == ["load()", "main"])
    #expect(frames.last?.calls.first?.line == 3 && all[0].images.map(\.base) == [0x1_0000_0000])
    #expect(throws: ReportError(.missing(path: "productData[0].diagnosticLogs"))) {
      try reports("{\"productData\":[{}]}")
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
