import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas registry client") struct RegistryClientTests {
  @Test("ends with 1 and the identifier of the refusal, and prints nothing on standard output")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let root = folder.path + "/root.json"
    try "{\"signed\":{},\"signatures\":[]}".write(toFile: root, atomically: true, encoding: .utf8)
    let client = ["registry", "client", "--json", "--metadata-dir", folder.path + "/metadata"]
    for (arguments, code) in [
      (["init", root], "metadata-malformed"),
      (["init", folder.path + "/missing"], "file-missing"),
      (["--metadata-url", folder.path, "refresh"], "repository-root-missing"),
      (["--metadata-url", "gopher://x/", "refresh"], "repository-bad-url"),
    ] {
      let outcome = try Command.run("mpaas", client + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect((try json(outcome.errors)["error"] as? [String: Any])?["code"] as? String == code)
    }
  }

  @Test("does not put targets where trusted metadata is")
  func folders() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "mpaas",
      [
        "registry", "client", "--metadata-dir", folder.path, "--target-dir", folder.path + "/.", "--metadata-url", "x",
        "--target-base-url", "y", "--target-name", "root.json", "download",
      ])
    #expect(outcome.status == 64)
  }

  @Test(
    "says which option is missing",
    arguments: [
      (["init"], "ROOT"), (["refresh"], "--metadata-url"), (["download", "--metadata-url", "x"], "--target-name"),
      (["download", "--metadata-url", "x", "--target-name", "y"], "--target-base-url"),
      (["download", "--metadata-url", "x", "--target-name", "y", "--target-base-url", "z"], "--target-dir"),
    ])
  func usage(arguments: [String], option: String) throws {
    let outcome = try Command.run("mpaas", ["registry", "client", "--metadata-dir", "/tmp/none"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(option))
  }
}
