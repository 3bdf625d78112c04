import Foundation
import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Documents of a scan", .fixtures) struct ScanDocumentTests {
  private static let tool = ScanTool(version: "0.2.0", time: 1_764_288_000)
  private static let words = ScanWords(
    language: "en", message: { "\($0.id.name): <\($0.evidence)>" }, summary: { $0 }, explanation: { "About \($0)." },
    help: { "Mend \($0)." }, heading: { $0 })

  private func report() throws -> ScanReport {
    var scan = Scan()
    scan.hashesFiles = true
    return try scan.report(of: ["scan/isign-Test.app", "scan/elf", "scan/macho"].map(Fixture.path))
  }

  private func python(_ script: String, _ document: JSONValue) throws -> Command.Outcome {
    try Command.run(Fixture.python, ["-c", script], input: document.line)
  }

  @Test("are valid CycloneDX 1.6 by the schema of its project", .pythonPeers)
  func cyclonedx() throws {
    let bill = BillOfMaterials(try report(), Self.tool)
    let script = """
      import sys
      try:
          from cyclonedx.validation.json import JsonStrictValidator
          from cyclonedx.schema import SchemaVersion
      except ImportError: sys.exit(0)
      print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()) or 'valid')
      """
    let outcome = try python(script, bill.document(.cyclonedx))
    #expect(outcome.status == 0 && (outcome.output.isEmpty || outcome.output == "valid\n"), "\(outcome.output)")
  }

  @Test("are valid SPDX 2.3 by the tools of its project", .pythonPeers)
  func spdx() throws {
    let bill = BillOfMaterials(try report(), Self.tool)
    let script = """
      import sys, tempfile
      try:
          from spdx_tools.spdx.parser.parse_anything import parse_file
          from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
      except ImportError: sys.exit(0)
      with tempfile.NamedTemporaryFile(suffix='.json', mode='w') as f:
          f.write(sys.stdin.read()); f.flush()
          print([m.validation_message for m in validate_full_spdx_document(parse_file(f.name))])
      """
    let outcome = try python(script, bill.document(.spdx))
    #expect(outcome.status == 0 && (outcome.output.isEmpty || outcome.output == "[]\n"), "\(outcome.output)")
  }

  @Test("name a result's rule by its place among the rules, and findings that are known as unchanged")
  func sarif() throws {
    let report = try report()
    let judgement = ScanJudgement(
      report, ScanPolicy(), baseline: nil, today: CivilDate.at(secondsSince1970: 0).date)
    let baseline = try ScanBaseline(
      Bytes(Array(ScanBaseline.document(of: judgement.counted, in: report).utf8)), file: "known.json")
    for (baseline, state) in [(nil, "new"), (baseline, "unchanged")] {
      let judgement = ScanJudgement(
        report, ScanPolicy(), baseline: baseline, today: CivilDate.at(secondsSince1970: 0).date)
      #expect(judgement.counted.isEmpty == (baseline != nil))
      let log = ScanSARIF(Self.words, Self.tool).document(report, judgement)
      let run = try #require(log.object?["runs"]?.array?.first?.object)
      let rules = try #require(run["tool"]?.object?["driver"]?.object?["rules"]?.array)
      let results = try #require(run["results"]?.array)
      #expect(results.count == report.findings.count)
      for result in results {
        let index = try #require(result.object?["ruleIndex"]?.integer(Int.self))
        #expect(rules[index].object?["id"] == result.object?["ruleId"])
        #expect(result.object?["baselineState"]?.string == state)
      }
    }
  }

  @Test("of HTML have no tag that a file's name made")
  func page() throws {
    var report = ScanReport()
    report.inputs = ["<script>alert(1)</script>"]
    report.findings = []
    let judgement = ScanJudgement(
      report, ScanPolicy(), baseline: nil, today: CivilDate.at(secondsSince1970: 0).date)
    let text = ScanPage(Self.words, Self.tool).text(report, judgement)
    #expect(!text.contains("<script"))
    #expect(text.hasSuffix("</html>\n"))
  }

  @Test("hold the same for the same input, but the time")
  func repeatable() throws {
    let report = try report()
    let first = BillOfMaterials(report, Self.tool).document(.cyclonedx).object?["serialNumber"]
    let second = BillOfMaterials(report, ScanTool(version: "0.2.0", time: 0)).document(.cyclonedx)
    #expect(first != nil && first == second.object?["serialNumber"])
  }
}
