import Foundation
import MPaaSCrash
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

private func summary(_ text: String) throws -> CrashSummary {
  try Array(text.utf8).withUnsafeBytes { try ReportReading().event($0, id: nil) }
}

@Suite("Reading reports as they come in") struct ReportReadingTests {
  @Test(
    "takes every format of the kit and groups it as `crash group` does", .fixtures,
    arguments: [
      ("crash/apple/sym_AppleJson.ips", "ips"), ("crash/apple/acrp_bruno.crash", "apple-text"),
      ("crash/kscrash/sentry_crash-bad-access.json", "kscrash"),
      ("crash/crashprobe/release-arm64/Swift.json", "sentry"),
    ])
  func formats(name: String, format: String) throws {
    let bytes = [UInt8](try Fixture.data(name))
    let summary = try bytes.withUnsafeBytes { try ReportReading().summary($0) }
    var classifier = FrameClassifier()
    let group = Fingerprint(try ReportFile.read(Bytes(bytes)), &classifier).group
    #expect(summary.format == format)
    #expect(summary.group == group.description)
    #expect(summary.event.count == 32)
    #expect(!summary.title.isEmpty)
    #expect(!summary.process.isEmpty)
  }

  @Test("refuses what is no report, and names the reason")
  func refused() throws {
    let text = Array("no report".utf8)
    let unknown = #expect(throws: ServerError.self) { try text.withUnsafeBytes { try ReportReading().summary($0) } }
    #expect(unknown?.code == .reportUnknown)
    let event = #expect(throws: ServerError.self) { try summary(#"{"event_id":"x","platform":"#) }
    #expect(event?.code == .eventMalformed)
  }

  @Test("groups events without stacks by their message, and by the fingerprint that they ask for")
  func withoutStack() throws {
    let first = try summary(#"{"platform":"python","logentry":{"message":"lost %s","formatted":"lost a"}}"#)
    let second = try summary(#"{"platform":"python","logentry":{"message":"lost %s","formatted":"lost b"}}"#)
    let other = try summary(#"{"platform":"python","logentry":{"message":"found %s"}}"#)
    #expect(first.group == second.group)
    #expect(first.group != other.group)
    #expect(first.title == "lost a")
    let asked = try summary(#"{"platform":"python","message":"one","fingerprint":["own"]}"#)
    let asking = try summary(#"{"platform":"python","message":"two","fingerprint":["own"]}"#)
    #expect(asked.group == asking.group)
    let standard = try summary(#"{"platform":"python","message":"two","fingerprint":["{{ default }}"]}"#)
    #expect(standard.group != asking.group)
  }

  @Test("knows the release, the user, the level and the environment of an event")
  func facts() throws {
    let read = try summary(
      #"{"event_id":"0123456789ABCDEF0123456789abcdef","platform":"python","release":"shop@1.2","user":{"id":"u1"},"level":"fatal","environment":"beta","timestamp":1700000000.5,"exception":{"values":[{"type":"KeyError","value":"'x'","stacktrace":{"frames":[{"function":"run","filename":"a/b.py","lineno":7}]}}]}}"#
    )
    #expect(read.event == "0123456789abcdef0123456789abcdef")
    #expect(read.captured == 1_700_000_000.5)
    #expect([read.version, read.user, read.level, read.environment] == ["shop@1.2", "u1", "fatal", "beta"])
    #expect(read.title == "KeyError: 'x'")
    #expect(read.function == "run")
    #expect(read.place == "b.py:7")
  }
}

@Suite("The compact form of reports") struct ReportPackerTests {
  private func report(_ number: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(number))
    let images = (0..<200).map {
      #"{"image_addr":"0x\#(String(random.next() >> 28, radix: 16))","name":"/usr/lib/lib\#($0).dylib"}"#
    }
    return Array("{\"event_id\":\"\(number)\",\"images\":[\(images.joined(separator: ","))]}".utf8)
  }

  @Test("packs a report against one like it, in a fraction, and restores every byte")
  func roundTrip() throws {
    let packer = ReportPacker()
    let keys = ["group", "app"]
    let first = report(1)
    let packed = try #require(first.withUnsafeBytes { packer.pack($0, keys: keys) })
    #expect(packed.base == nil)
    #expect(packed.isBase)
    #expect(ReportPacker.unpack(packed.bytes, base: nil, limit: 1 << 20) == first)
    first.withUnsafeBytes { packer.publish(7, keys: keys, content: $0) }
    let second = report(2)
    let against = try #require(second.withUnsafeBytes { packer.pack($0, keys: keys) })
    #expect(against.base == 7)
    #expect(!against.isBase)
    #expect(against.bytes.count < packed.bytes.count)
    #expect(ReportPacker.unpack(against.bytes, base: first, limit: 1 << 20) == second)
  }

  @Test("never packs against what is not stored yet, and takes one report of a kind as a base")
  func pending() throws {
    let packer = ReportPacker()
    let (first, second) = (report(1), report(2))
    let one = try #require(first.withUnsafeBytes { packer.pack($0, keys: ["g"]) })
    let two = try #require(second.withUnsafeBytes { packer.pack($0, keys: ["g"]) })
    #expect(one.isBase)
    #expect(!two.isBase)
    #expect(two.base == nil)
    packer.withdraw(["g"])
    #expect(try #require(second.withUnsafeBytes { packer.pack($0, keys: ["g"]) }).isBase)
  }

  @Test("finds every flipped byte, and obeys the limit")
  func damaged() throws {
    let packer = ReportPacker()
    let first = report(1)
    let packed = try #require(first.withUnsafeBytes { packer.pack($0, keys: ["g"]) })
    for index in stride(from: 0, to: packed.bytes.count, by: 37) {
      var bytes = packed.bytes
      bytes[index] ^= 0x10
      let read = ReportPacker.unpack(bytes, base: nil, limit: 1 << 20)
      #expect(read == nil || read == first)
    }
    #expect(ReportPacker.unpack(packed.bytes, base: nil, limit: 100) == nil)
  }
}
