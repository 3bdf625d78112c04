import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas doctor") struct DoctorTests {
  @Test("checks what it says it checks, and is content with a writable home")
  func checks() throws {
    let outcome = try mpaas("doctor", "--json")
    let checks = try #require(try json(outcome.output)["checks"] as? [[String: Any]])
    let names = checks.compactMap { $0["name"] as? String }
    #expect(
      names == [
        "kit", "swift", "git", "libraries", "unwinding", "archives", "transfers", "ptrace", "core-pattern",
        "configuration", "data",
        "cache", "server-program", "net-programs", "shaping", "clock",
      ])
    let hasFailure = checks.contains { $0["status"] as? String == "bad" }
    #expect(outcome.status == (hasFailure ? 1 : 0))
  }

  @Test("a data folder that cannot be made is a failure with its mend")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let outcome = try Command.run(
      "mpaas", ["doctor"], environment: ["MPAAS_HOME": file.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("✗ data"))
    #expect(outcome.output.contains("→ Make \(file.path)/data writable"))
  }
}

@Suite("mpaas explain") struct ExplainTests {
  @Test("explains every diagnostic that it lists, in both languages", arguments: ["en", "zh-Hans"])
  func all(language: String) throws {
    let list = try mpaas("explain", "--json", "--lang", language)
    let diagnostics = try #require(try json(list.output)["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.count > 10)
    for diagnostic in diagnostics {
      let explanation = try #require(diagnostic["explanation"] as? String)
      #expect(!explanation.hasPrefix("diagnostic."), "\(diagnostic["id"] ?? "")")
    }
  }
}

@Suite("mpaas kitupdate") struct KitUpdateTests {
  @Test("leaves an installed copy alone and says how it is updated")
  func installed() throws {
    let folder = try TemporaryFolder()
    let copy = folder.url.appending(path: "mpaas")
    try FileManager.default.copyItem(at: Command.mpaas.resolvingSymlinksInPath(), to: copy)
    let outcome = try Command.run(copy.path, ["kitupdate", "--json"], environment: ["MPAAS_HOME": folder.path])
    #expect(outcome.status == 1)
    #expect(try json(outcome.output)["kind"] as? String == "installed")
  }

  @Test("in a checkout whose upstream is out of reach, says so and changes nothing")
  func unreachable() throws {
    let folder = try TemporaryFolder()
    let root = folder.url
    let products = root.appending(path: ".build/debug")
    try FileManager.default.createDirectory(at: products, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: root.appending(path: "Sources/mpaas"), withIntermediateDirectories: true)
    let copy = products.appending(path: "mpaas")
    try FileManager.default.copyItem(at: Command.mpaas.resolvingSymlinksInPath(), to: copy)
    for arguments in [
      ["init", "-q"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "x"],
    ] {
      #expect(try Command.run("git", ["-C", root.path] + arguments).status == 0)
    }
    let outcome = try Command.run(
      copy.path, ["kitupdate"], environment: ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("error: git pull --ff-only --quiet failed in"))
  }
}
