import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Groups of a corpus with known bugs") struct GroupCorpusTests {
  private static func placed(
    _ members: [GroupCorpus.Member]
  ) -> [(member: GroupCorpus.Member, fingerprint: Fingerprint)] {
    var classifier = FrameClassifier()
    return members.map { ($0, Fingerprint($0.report, &classifier)) }
  }

  private static func score(_ placed: [(member: GroupCorpus.Member, fingerprint: Fingerprint)]) -> PairwiseScore {
    PairwiseScore(placed.map { ($0.member.bug, $0.fingerprint.group) })
  }

  @Test("at least 300 reports of 40 bugs: precision 0.98 and recall 0.90, of the bugs that rules were not made for too")
  func figures() throws {
    let corpus = try GroupCorpus.read()
    #expect(corpus.members.count >= 300)
    #expect(Set(corpus.members.map(\.bug)).count >= 40)
    let placed = Self.placed(corpus.members)
    let parts = [
      ("all", placed), ("made for", placed.filter { !$0.member.isHeldOut }),
      ("held out", placed.filter { $0.member.isHeldOut }),
    ]
    for (name, part) in parts {
      let score = Self.score(part)
      print("\(name): \(part.count) reports, \(score)")
      #expect(score.precision >= 0.98, "\(name): \(score)")
      #expect(score.recall >= 0.90, "\(name): \(score)")
    }
    if let path = ProcessInfo.processInfo.environment["MPAAS_GROUP_CORPUS"] { try Self.tell(placed, to: path) }
  }

  /// The calls that counted of each report, for making rules.
  private static func tell(
    _ placed: [(member: GroupCorpus.Member, fingerprint: Fingerprint)], to path: String
  ) throws {
    let lines = placed.map { member, fingerprint in
      let names = fingerprint.units.filter(\.verdict.counts).map { "\($0.module)/\($0.name ?? "?")" }
      return "\(member.isHeldOut ? "held" : "made")\t\(member.bug)\t\(member.build)\t\(fingerprint.group)\t"
        + "\(fingerprint.exception)\t\(fingerprint.strategy)\t\(names.joined(separator: " < "))\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: path))
  }
}
