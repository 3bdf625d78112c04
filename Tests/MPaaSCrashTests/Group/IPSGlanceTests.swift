import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A glance at an .ips file") struct IPSGlanceTests {
  /// The facts that grouping takes of a report, in one line.
  private func facts(_ report: CrashReport) -> String {
    var classifier = FrameClassifier()
    let fingerprint = Fingerprint(report, &classifier)
    return [
      fingerprint.group.description, fingerprint.exception, fingerprint.strategy.rawValue,
      fingerprint.blamed?.name ?? "-", report.application.versionText, IPSWriter.osVersion(report.system),
      report.system.model ?? "-", "\(report.captured.seconds)",
    ].joined(separator: " | ")
  }

  private func glance(_ bytes: [UInt8]) -> CrashReport? {
    bytes.withUnsafeBytes { IPSGlance.read($0) }
  }

  @Test(
    "gives the fingerprint and the facts that reading the whole report gives", .fixtures,
    arguments: ["sym_AppleJson.ips", "idb_xctest-concated-json-crash.ips"])
  func fixtures(name: String) throws {
    let bytes = [UInt8](try Fixture.data("crash/apple/" + name))
    let whole = try ReportFile.read(Bytes(bytes))
    let glanced = try #require(glance(bytes))
    #expect(facts(glanced) == facts(whole))
  }

  @Test("does so for any report that we write")
  func random() throws {
    var random = RandomReport(seed: 12)
    var glanced = 0
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var report = random.report()
      report.kind = .crash
      let bytes = IPSWriter.bytes(of: report)
      guard let found = glance(bytes) else { continue }
      glanced += 1
      let (short, whole) = (facts(found), facts(try ReportFile.read(Bytes(bytes))))
      #expect(short == whole)
    }
    #expect(glanced > 10)
  }

  @Test("damaged files neither crash nor hang it", .fixtures)
  func mutations() throws {
    let bytes = [UInt8](try Fixture.data("crash/apple/sym_AppleJson.ips"))
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard !changed.isEmpty else { break }
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: changed.removeSubrange(place..<min(place + Int.random(in: 1...400, using: &random), changed.count))
        case 2: changed = Array(changed.prefix(place + 1))
        default: changed.insert(contentsOf: [0x7b, 0x22, 0x5c, 0x5b].shuffled(using: &random), at: place)
        }
      }
      let found = glance(changed)
      // Facts that both can read they read alike.
      guard let found, let whole = try? ReportFile.read(Bytes(changed)) else { continue }
      #expect(facts(found) == facts(whole))
    }
  }
}
