import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private func read(_ bytes: some Collection<UInt8>) throws -> CrashReport {
  try ReportFile.read(Bytes(bytes))
}

/// The stored properties that differ, each with both values.
private func differences(_ left: Any, _ right: Any, _ path: String = "report") -> [String] {
  let pairs = Array(zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children))
  let same = Mirror(reflecting: left).children.count == Mirror(reflecting: right).children.count
  guard same, !pairs.isEmpty else {
    let (left, right) = (String(reflecting: left), String(reflecting: right))
    return left == right ? [] : ["\(path): \(left) != \(right)"]
  }
  return pairs.enumerated().flatMap { differences($1.0.value, $1.1.value, "\(path).\($1.0.label ?? "\($0)")") }
}

@Suite("A report written as .ips") struct IPSRoundTripTests {
  @Test("is the same report when it is read again", arguments: 0..<300 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomReport(seed: seed)
    let report = random.report()
    let bytes = IPSWriter.bytes(of: report)
    let back = try read(bytes)
    #expect(back == report, "\(differences(back, report))")
    #expect(IPSWriter.bytes(of: back) == bytes)
  }

  @Test("is two JSON documents that Foundation reads, the first on one line")
  func twoDocuments() throws {
    var random = RandomReport(seed: 7)
    let bytes = Data(IPSWriter.bytes(of: random.report()))
    let lineEnd = try #require(bytes.firstIndex(of: 10))
    let header = try JSONSerialization.jsonObject(with: bytes[..<lineEnd]) as? [String: Any]
    let body = try JSONSerialization.jsonObject(with: bytes[lineEnd...]) as? [String: Any]
    #expect(header?["bug_type"] as? String == "309")
    #expect(body?["threads"] is [Any])
  }

  @Test("gives a 20-byte build ID a UUID of its first 16 bytes, and keeps the whole")
  func buildID() throws {
    var report = CrashReport()
    report.images = [
      CrashReport.Image(
        base: 0x1000, size: 0x1000, buildID: "0123456789abcdef0123456789abcdef01234567", path: "/bin/x",
        architecture: "x86_64", slide: 0x1000)
    ]
    let body = IPSWriter.body(of: report)
    let image = body["usedImages"]?.array?.first?.object
    #expect(image?["uuid"] == "01234567-89ab-cdef-0123-456789abcdef")
    #expect(image?["mpaas"]?.object?["buildID"] == "0123456789abcdef0123456789abcdef01234567")
  }

  @Test("writes inlined calls as frames of their own at the same place")
  func inlined() throws {
    var frame = CrashReport.Frame(address: 0x1234)
    frame.calls = [CrashReport.Call(function: "inner"), CrashReport.Call(function: "outer")]
    frame.calls[0].isInlined = true
    let objects = IPSWriter.frames(of: frame, images: [])
    #expect(objects.map { $0["symbol"] } == ["inner", "outer"])
    #expect(objects.map { $0["inline"] } == [true, nil])
    #expect(objects[0]["imageOffset"] == objects[1]["imageOffset"])
  }
}

@Suite("A foreign .ips file", .fixtures) struct ForeignIPSTests {
  /// lldb's file has placeholders where its test puts numbers.
  private func bytes(_ name: String) throws -> [UInt8] {
    let text = String(decoding: try Fixture.data("crash/apple/\(name)"), as: UTF8.self)
    let filled = ["@foo@", "@bar@", "@main@"].reduce(text) { $0.replacing($1, with: "4096") }
    return Array(filled.utf8)
  }

  @Test(
    "keeps every member, known or not, when it is read and written",
    arguments: ["sym_AppleJson.ips", "lldb_a.out.ips"])
  func lossless(name: String) throws {
    let bytes = try bytes(name)
    let lineEnd = try #require(bytes.firstIndex(of: 10))
    let report = try read(bytes)
    let header = try document(bytes[..<lineEnd])
    let body = try document(bytes[lineEnd...])
    #expect(lost(header, IPSWriter.header(of: report), "header").isEmpty)
    #expect(lost(body, IPSWriter.body(of: report), "body").isEmpty)
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test("tells what stands in it")
  func facts() throws {
    let report = try read(try bytes("sym_AppleJson.ips"))
    #expect(report.origin == .foreign)
    #expect(report.application.identifier == "im.zorro.demo")
    #expect(report.application.version == "1.0")
    #expect(report.system.name == "iPhone OS")
    #expect(report.system.version == "15.2.1")
    #expect(report.system.build == "19C63")
    #expect(report.system.model == "iPhone13,4")
    #expect(report.captured.text() == "2022-03-16 11:45:14.2121 +0800")
    #expect(report.exception?.signal == "SIGABRT")
    #expect(report.exception?.type == "EXC_CRASH")
    #expect(report.faultingThread == 1)
    #expect(report.process.parentName == "launchd")
    let first = try #require(report.threads.first?.frames.first)
    #expect(first.calls.first?.function == "NSKeyValueWillChangeWithPerThreadPendingNotifications")
    #expect(first.calls.first?.offset == 200)
    #expect(report.threads.contains { $0.registers?["pc"] != nil })
    #expect(report.images.allSatisfy { $0.buildID.count == 32 })
  }

  private func document(_ bytes: ArraySlice<UInt8>) throws -> JSONValue.Object {
    try #require(try bytes.withUnsafeBytes { try JSONValue(reading: $0) }.object)
  }

  /// The paths of what `original` has and `written` lacks or has otherwise.
  private func lost(_ original: JSONValue.Object, _ written: JSONValue.Object, _ path: String) -> [String] {
    original.flatMap { name, value in compare(value, written[name], "\(path).\(name)") }
  }

  private func compare(_ original: JSONValue, _ written: JSONValue?, _ path: String) -> [String] {
    if case .object(let inner) = original, case .object(let other) = written { return lost(inner, other, path) }
    if case .array(let inner) = original, case .array(let other) = written, inner.count <= other.count {
      return zip(inner, other).enumerated().flatMap { compare($1.0, $1.1, "\(path)[\($0)]") }
    }
    return original == written ? [] : [path]
  }
}
