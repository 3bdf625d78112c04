import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Groups of real reports", .fixtures) struct FixtureGroupsTests {
  /// The reports in a folder of the fixtures that are of a format that is read.
  private static func reports(_ folders: String...) throws -> [(name: String, report: CrashReport)] {
    try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: Fixture.path("crash/" + folder)).sorted().compactMap { name in
        let path = try Fixture.path("crash/\(folder)/\(name)")
        guard FileStatus(path)?.kind == .file else { return nil }
        return (try? ReportFile.read(path)).map { (name, $0) }
      }
    }
  }

  private func group(_ report: CrashReport) -> GroupID {
    var classifier = FrameClassifier()
    return Fingerprint(report, &classifier).group
  }

  @Test("a report from another build, device and system, moved and without system symbols, stays in its group")
  func variants() throws {
    let reports = try Self.reports("apple", "kscrash", "plcrash", "crashprobe/release-arm64", "minidump")
    #expect(!reports.isEmpty)
    for (name, report) in reports {
      var classifier = FrameClassifier()
      let original = Fingerprint(report, &classifier)
      var other = report
      other.application.version = "99.1"
      other.application.build = "4711"
      other.system.version = "99.9"
      other.system.build = "99Z999"
      other.system.model = "Other1,1"
      other.lastWords = other.lastExceptionBacktrace.isEmpty ? [:] : other.lastWords
      for index in other.images.indices {
        other.images[index].base &+= 0x10_0000
        other.images[index].buildID = String(other.images[index].buildID.reversed())
      }
      for stack in other.stackIndices {
        for index in other[stack: stack].indices {
          let frame = other[stack: stack][index]
          other[stack: stack][index].address &+= 0x10_0000
          let image = frame.image.flatMap { other.images.indices.contains($0) ? other.images[$0] : nil }
          // The system's names are all there is where nothing of the program is on the stack.
          if original.strategy == .app, RuntimeCode.isSystem(image, main: other.mainImage) {
            other[stack: stack][index].calls = []
          }
        }
      }
      #expect(group(other) == original.group, "\(name)")
    }
  }

  @Test("different crashes of one program are different groups")
  func differences() throws {
    let ksCrash = try Self.reports("kscrash").filter {
      !$0.name.contains("_") && $0.name.first?.isUppercase == true && $0.name.hasSuffix(".json")
    }
    let probes = try Self.reports("plcrash").filter { $0.name.hasPrefix("CrashProbe") && $0.name.hasSuffix(".plcrash") }
    for family in [ksCrash, probes.filter { $0.name.contains("MacOS") }, probes.filter { !$0.name.contains("MacOS") }] {
      var seen: [GroupID: String] = [:]
      for (name, report) in family {
        let id = group(report)
        #expect(seen[id] == nil, "\(name) and \(seen[id] ?? "")")
        seen[id] = name
      }
    }
  }

  @Test("the same crash in two formats is one group")
  func formats() throws {
    let reports = try Self.reports("kscrash", "plcrash")
    for (name, report) in reports
    where name.hasSuffix(".plcrash") || name.first?.isUppercase == true && name.hasSuffix(".json") {
      let stem = name.prefix { $0 != "." }
      guard let text = reports.first(where: { $0.name == stem + ".txt" }) else { continue }
      #expect(group(text.report) == group(report), "\(name)")
    }
  }

  @Test("CrashProbe's crashes are as many groups, though their program has no symbols but wrong ones")
  func probes() throws {
    let reports = try Self.reports("crashprobe/release-arm64")
    #expect(reports.count == 8)
    #expect(Set(reports.map { group($0.report) }).count == 8)
  }

  @Test("crashes of several programs that tell neither names nor modules do not meet in one group")
  func nothing() throws {
    let names = ["apple/acrp_handcrafted.crash", "plcrash/CrashProbe__live_report_smash_top.plcrash"]
    let reports = try names.map { try ReportFile.read(try Fixture.path("crash/" + $0)) }
    #expect(Set(reports.map(group)).count == 2)
  }
}
