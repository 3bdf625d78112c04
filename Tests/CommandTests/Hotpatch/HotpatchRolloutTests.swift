import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas hotpatch rollout, status, halt, rollback, history") struct HotpatchRolloutTests {
  @Test("a repository that is not named, or is none, is told")
  func noRepository() throws {
    let home = try TemporaryFolder()
    let environment = ["MPAAS_HOME": home.path, "MPAAS_REPOSITORY": ""]
    let unnamed = try Command.run("mpaas", ["hotpatch", "status", "--json"], environment: environment)
    #expect(unnamed.status == 64)
    #expect(unnamed.errors.contains("rollout-no-repository"))
    let missing = try Command.run(
      "mpaas", ["hotpatch", "status", "--repository", home.path + "/none", "--json"], environment: environment)
    #expect(missing.status == 66)
    #expect(missing.errors.contains("repository-missing"))
  }

  @Test("options that contradict each other, or are none, are wrong usage")
  func usage() throws {
    let home = try TemporaryFolder()
    for arguments in [
      ["--pause", "--resume"], ["--dry-run"], ["--user", "u"], ["--percent", "101"], ["--percent", "1.234"],
      ["--stage", "beta"], ["--window", "2026-03-01/2026-03-20", "--users", "1", "--population", "2"],
    ] {
      let outcome = try Command.run(
        "mpaas", ["hotpatch", "rollout", "--repository", home.path] + arguments,
        environment: ["MPAAS_HOME": home.path])
      #expect([64, 66].contains(outcome.status), "\(arguments): \(outcome.status) \(outcome.errors)")
    }
  }
}
