import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas scan", .fixtures) struct ScanCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func mpaas(_ arguments: String...) throws -> Command.Outcome {
    let environment = ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run("mpaas", ["scan"] + arguments, environment: environment, directory: folder.url)
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("prints the JSON where findings end it with 1, too, with the keys that scripts rely on")
  func interface() throws {
    let outcome = try mpaas(try Fixture.path("scan/elf/bare"), "--json")
    #expect(outcome.status == 1)
    let document = try json(outcome.output)
    let images = try #require(document["images"] as? [[String: Any]])
    #expect(images.first?["architecture"] as? String == "x86_64")
    let facts = try #require(images.first?["facts"] as? [String: Any])
    #expect(facts["relro"] as? String == "no" && facts["pie"] as? String == "no")
    #expect((document["findings"] as? [[String: Any]])?.first?["id"] as? String == "scan-no-pie")
    #expect(try mpaas(try Fixture.path("scan/elf/bare"), "--fail-on", "critical").status == 0)
    #expect(try mpaas(try Fixture.path("scan/elf/hard")).status == 0)
    #expect(try mpaas("missing").status == 66)
  }

  @Test("fails by what a baseline does not know")
  func baseline() throws {
    let bare = try Fixture.path("scan/elf/bare")
    #expect(try mpaas(bare, "--write-baseline", "known.json").status == 0)
    let known = try mpaas(bare, "--baseline", "known.json", "--fail-on", "info", "--json")
    #expect(known.status == 0)
    #expect((try json(known.output)["findings"] as? [Any])?.isEmpty == true)
    let other = try mpaas(try Fixture.path("scan/elf/execstack"), "--baseline", "known.json")
    #expect(other.status == 1)
  }

  @Test("of two versions fails by the limits that were given")
  func differences() throws {
    let hard = try Fixture.path("scan/elf/hard")
    let bare = try Fixture.path("scan/elf/bare")
    #expect(try mpaas("diff", hard, bare).status == 0)
    let outcome = try mpaas("diff", hard, bare, "--fail-if", "size>+2%,hardening-lost", "--json")
    #expect(outcome.status == 1)
    #expect(try json(outcome.output)["passed"] as? [String] == ["hardening-lost"])
    #expect(try mpaas("diff", hard, bare, "--fail-if", "size").status == 64)
  }

  @Test("writes documents for other tools to a file, and says where")
  func documents() throws {
    let app = try Fixture.path("scan/isign-Test.app")
    #expect(try mpaas("sbom", app, "--format", "spdx", "--output", "app.json").output == "app.json\n")
    let text = try String(contentsOf: folder.url.appending(path: "app.json"), encoding: .utf8)
    #expect(try json(text)["spdxVersion"] as? String == "SPDX-2.3")
    let log = try mpaas(app, "--format", "sarif")
    #expect(log.status == 1)
    #expect(try json(log.output)["version"] as? String == "2.1.0")
  }

  @Test("writes SARIF that is valid by its schema, with findings that are new, known and allowed", .pythonPeers)
  func sarif() throws {
    let elf = try Fixture.path("scan/elf")
    #expect(try mpaas(elf + "/bare", "--write-baseline", "known.json").status == 0)
    let policy = "[[allow]]\nid = \"scan-stack-executable\"\nreason = \"an old program\"\n"
    try Data(policy.utf8).write(to: folder.url.appending(path: "scan.toml"))
    let inputs = [elf, try Fixture.path("scan/macho"), try Fixture.path("scan/isign-Test.app")]
    let arguments = ["--format", "sarif", "--policy", "scan.toml", "--baseline", "known.json"]
    let log = try Command.run(
      "mpaas", ["scan"] + inputs + arguments, environment: ["LC_ALL": "C", "MPAAS_LANG": ""], directory: folder.url)
    #expect(log.status == 1 && log.errors.isEmpty)
    #expect(log.output.contains("\"suppressions\"") && log.output.contains("\"new\""))
    if let faults = try SARIFSchema.faults(in: log.output) { #expect(faults.isEmpty, "\(faults)") }
  }
}
