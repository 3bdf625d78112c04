import Foundation
import MPaaSTestSupport
import Testing

extension RegistryHome {
  /// Writes a module's folder and packs it; the path of the archive.
  func module(_ name: String, _ version: String, note: String = "New.", more: String = "") throws -> String {
    let folder = home.path + "/\(name)-\(version)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let toml = """
      [module]
      name = "\(name)"
      version = "\(version)"
      summary = { en = "\(name).", zh-Hans = "\(name)。" }
      license = "MIT"
      [notes]
      en = "\(note)"
      zh-Hans = "新。"
      \(more)
      """
    try Data(toml.utf8).write(to: URL(filePath: folder + "/module.toml"))
    try Data("MIT".utf8).write(to: URL(filePath: folder + "/LICENSE"))
    let packed = try Command.run(
      "mpaas", ["registry", "pack", folder, "--output", home.path + "/out", "--json"],
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    #expect(packed.status == 0, "\(packed.output)\(packed.errors)")
    return home.path + "/out/\(name)-\(version).tar.zst"
  }

  func offered() throws -> [String: [[String: Any]]] {
    let modules = try json(run("modules", "--json").output)["modules"] as? [[String: Any]] ?? []
    return Dictionary(
      modules.compactMap { module in
        (module["name"] as? String).map { ($0, module["releases"] as? [[String: Any]] ?? []) }
      }, uniquingKeysWith: { $1 })
  }
}

@Suite("mpaas registry with modules") struct RegistryModuleTests {
  @Test("archives become versions in a signed index; the same again changes nothing; another one is refused")
  func add() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize().status == 0)
    let log = try sample.module("APLog", "3.0.2.190701174234")
    let cart = try sample.module("Cart", "1.0", more: "[dependencies]\nAPLog = \"^3.0\"\n")
    let trial = try sample.run("add", log, cart, "--dry-run", "--key", "anna")
    #expect(trial.status == 0)
    #expect(trial.output.contains("Nothing was staged, as asked"))
    #expect(try sample.offered().isEmpty)
    let added = try sample.run("add", log, cart, "--key", "anna", "--json")
    let document = try json(added.output)
    #expect(added.status == 0, "\(added.output)\(added.errors)")
    #expect((document["published"] as? [Any])?.count == 3)
    let modules = try #require(document["modules"] as? [[String: Any]])
    #expect(modules.map { $0["new"] as? Bool } == [true, true])
    #expect(modules.allSatisfy { ($0["findings"] as? [Any])?.isEmpty == true }, "\(modules)")
    #expect(try sample.offered()["APLog"]?.first?["version"] as? String == "3.0.2.190701174234")
    #expect(try sample.run("check").status == 0)
    let again = try sample.run("add", log, "--key", "anna")
    #expect(again.output.contains("offered already"))
    #expect(again.output.contains("Nothing to do"))
    let other = try sample.module("APLog", "3.0.2.190701174234", note: "Other.")
    let refused = try sample.run("add", other, "--key", "anna", "--json")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("module-version-exists"))
    let named = try sample.run("add", try sample.module("aplog", "1"), "--key", "anna", "--json")
    #expect(named.status == 77)
    #expect(named.errors.contains("module-name-case"))
    // Under a prefix, an archive is a file as any other.
    #expect(try sample.run("add", other, "--prefix", "files", "--key", "anna").status == 0)
    #expect(try sample.offered().count == 2)
  }

  @Test("errors keep everything from being staged; warnings do so with --strict")
  func findings() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize().status == 0)
    let good = try sample.module("Good", "1")
    let needy = try sample.module("Needy", "1", more: "[dependencies]\nNobody = \"1\"\nGood = \">=2\"\n")
    let strict = try sample.run("add", good, needy, "--key", "anna", "--strict")
    #expect(strict.status == 1)
    #expect(strict.output.contains("error: the registry has no module Nobody"))
    #expect(try sample.offered().isEmpty)
    let usual = try sample.run("add", good, needy, "--key", "anna")
    #expect(usual.status == 0)
    #expect(usual.output.contains("warning: the registry has no version of Good that fits >=2"))
    let folder = sample.home.path + "/Good-1"
    let toml =
      try String(contentsOfFile: folder + "/module.toml", encoding: .utf8) + "[contents]\nbundles = [\"a.bundle\"]\n"
    try Data(toml.utf8).write(to: URL(filePath: folder + "/module.toml"))
    let broken = try Command.run("mpaas", ["registry", "pack", folder, "--output", sample.home.path + "/bad"])
    #expect(broken.status == 1)
    #expect(broken.output.contains("contents.bundles lists a.bundle"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.home.path + "/bad").isEmpty)
  }

  @Test("versions are yanked with a reason, taken back, and removed with their archives")
  func yank() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize().status == 0)
    let files = try [sample.module("Cart", "1.0"), sample.module("Cart", "1.1"), sample.module("Log", "2")]
    #expect(try sample.run(["add", "--key", "anna"] + files).status == 0)
    #expect(try sample.run("yank", "Cart@1.1", "--reason", "Loses carts.", "--key", "anna").status == 0)
    #expect(try sample.offered()["Cart"]?.map { $0["yanked"] as? String } == ["Loses carts.", nil])
    #expect(try sample.run("modules", "Cart").output.contains("yanked: Loses carts."))
    #expect(try sample.run("yank", "Cart@1.1", "--undo", "--key", "anna").status == 0)
    #expect(try sample.offered()["Cart"]?.allSatisfy { $0["yanked"] == nil } == true)
    let unknown = try sample.run("yank", "Cart@7", "--key", "anna", "--json")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("module-not-offered"))
    #expect(try sample.run("remove", "Cart@1.0.0", "--key", "anna").status == 0)
    #expect(try sample.offered()["Cart"]?.count == 1)
    #expect(try sample.run("remove", "Cart", "--key", "anna").status == 66)
    #expect(try sample.run("remove", "Cart", "--all", "--key", "anna").status == 0)
    #expect(try Array(sample.offered().keys) == ["Log"])
    let status = try json(sample.run("check", "--json").output)
    #expect(status["valid"] as? Bool == true)
    #expect(status["targets"] as? Int == 2)
  }

  @Test("several people sign: what one staged is there for the next, and delegated names go to their role")
  func signers() throws {
    let sample = try RegistryHome(keys: "anna", "ben", "web", "team")
    let made = try sample.initialize("--key", "anna", "--key", "ben", "--threshold", "2", "--online-key", "web")
    #expect(made.status == 0)
    #expect(try sample.run("sign", "--key", "ben").status == 0)
    let first = try sample.run("add", try sample.module("Cart", "1.0"), "--key", "anna")
    #expect(first.output.contains("needs 1 more"))
    #expect(try sample.run("add", try sample.module("Cart", "1.1"), "--key", "anna").status == 0)
    #expect(try sample.offered()["Cart"]?.count == 2)
    #expect(try sample.run("sign", "--key", "ben").status == 0)
    let delegated = try sample.run(
      "delegate", "sdk-log", "--path", "sdk/Log/*", "--key-for-role", "team", "--key", "anna", "--key", "ben", "--key",
      "team")
    #expect(delegated.status == 0, "\(delegated.errors)")
    let alone = try sample.run("add", try sample.module("Log", "1.0"), "--key", "team")
    #expect(alone.output.contains("Published: sdk-log"), "\(alone.output)\(alone.errors)")
    #expect(try sample.run("check").status == 0)
  }

  @Test("an archive is the same in every time zone and language", arguments: ["zip", "tar.zst"])
  func zones(format: String) throws {
    let sample = try RegistryHome()
    _ = try sample.module("Cart", "1.0")
    var archives: Set<Data> = []
    for zone in ["UTC", "Asia/Shanghai", "America/Los_Angeles"] {
      let output = sample.home.path + "/" + zone.replacing("/", with: "-")
      let packed = try Command.run(
        "mpaas", ["registry", "pack", sample.home.path + "/Cart-1.0", "--output", output, "--format", format],
        environment: ["TZ": zone, "LC_ALL": zone == "UTC" ? "C" : "C.UTF-8"])
      #expect(packed.status == 0)
      archives.insert(try Data(contentsOf: URL(filePath: output + "/Cart-1.0." + format)))
    }
    #expect(archives.count == 1)
  }
}
