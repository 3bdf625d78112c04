import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Policies", .fixtures) struct ScanPolicyTests {
  private func judgement(_ policy: String, day: Int) throws -> ScanJudgement {
    let report = try Scan().report(of: [Fixture.path("scan/elf/bare")])
    return ScanJudgement(
      report, try ScanPolicy(policy, file: "scan.toml"), baseline: nil, today: CivilDate(daysSince1970: day))
  }

  private static let policy = """
    fail-on = "low"
    [severity]
    scan-no-pie = "critical"
    [[allow]]
    id = "scan-no-relro"
    path = "*bare"
    reason = "an old loader"
    expires = "2027-01-31"
    [require]
    nx = false
    """

  @Test("weigh findings anew, allow them with a reason, and require facts")
  func rules() throws {
    let judgement = try judgement(Self.policy, day: 20_000)
    #expect(judgement.counted.first?.id.name == "scan-no-pie")
    #expect(judgement.counted.first?.severity == .critical)
    #expect(judgement.allowed.map(\.reason) == ["an old loader"])
    #expect(judgement.counted.contains { $0.id.name == "scan-fact-missing" && $0.evidence == "nx = true, != false" })
    #expect(judgement.expired.isEmpty)
  }

  @Test("allow nothing after the last day, and say so")
  func expiry() throws {
    let last = CivilDate.days(year: 2027, month: 1, day: 31)
    #expect(try judgement(Self.policy, day: last).expired.isEmpty)
    let after = try judgement(Self.policy, day: last + 1)
    #expect(after.allowed.isEmpty)
    #expect(after.expired.map(\.id) == ["scan-no-relro"])
  }

  @Test(
    "refuse what they do not know, with its line",
    arguments: [
      ("fail = \"low\"", "scan-policy-member"), ("fail-on = \"worst\"", "scan-policy-member"),
      ("[[allow]]\nid = \"scan-no-pie\"", "scan-policy-member"), ("[severity]\npie = \"low\"", "scan-policy-member"),
      ("[[allow]]\nid = \"scan-no-pie\"\nreason = \"r\"\nexpires = \"soon\"", "scan-policy-member"),
      ("fail-on = ", "scan-policy-text"),
    ])
  func mistakes(text: String, id: String) {
    #expect { try ScanPolicy(text, file: "scan.toml") } throws: { error in
      (error as? any DiagnosticConvertible)?.diagnostic.id.name == id
    }
  }

  @Test("with limits of differences tell growth and losses")
  func differences() throws {
    let hard = try Scan().report(of: [Fixture.path("scan/elf/hard")])
    let bare = try Scan().report(of: [Fixture.path("scan/elf/bare")])
    let loss = ScanDifference(from: hard, to: bare)
    #expect(loss.losses.map(\.fact) == ["pie", "canary", "relro", "fortify"])
    #expect(DifferenceLimit("hardening-lost")?.isPassed(by: loss) == true)
    #expect(DifferenceLimit("size>+2%")?.isPassed(by: loss) == false)
    let growth = ScanDifference(from: bare, to: hard)
    #expect(DifferenceLimit("size>+2%")?.isPassed(by: growth) == true)
    #expect(DifferenceLimit("size>+30%")?.isPassed(by: growth) == false)
    #expect(DifferenceLimit("size>+3000")?.isPassed(by: growth) == true)
    #expect(DifferenceLimit("new-finding")?.isPassed(by: growth) == false)
    #expect(DifferenceLimit("size<2%") == nil && DifferenceLimit("size>x%") == nil)
    #expect(ScanDifference(from: hard, to: hard).isEmpty)
  }
}
