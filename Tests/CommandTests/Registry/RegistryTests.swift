import Foundation
import MPaaSTestSupport
import Testing

/// The means that a test of a repository's commands needs: a home with keys, and a folder for the repository.
struct RegistryHome {
  let home: TemporaryFolder
  var repository: String { home.path + "/shop" }

  init(keys: String...) throws {
    home = try TemporaryFolder()
    for key in keys { try generate(key) }
  }

  func generate(_ name: String) throws {
    #expect(try mpaas("key", "generate", "--name", name, "--unencrypted", home: home).status == 0)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["registry"] + arguments + ["--repository", repository],
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"].merging(environment) { $1 })
  }

  func run(_ arguments: String...) throws -> Command.Outcome { try run(arguments) }

  func initialize(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["registry", "init", repository] + arguments, environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
  }

  func file(_ name: String, _ text: String) throws -> String {
    let path = home.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }
}

@Suite("mpaas registry") struct RegistryTests {
  @Test("names that only look alike are refused beside each other, before anything is published")
  func namesThatLookAlike() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize().status == 0)
    let file = try sample.file("a.txt", "composed"), other = try sample.file("b.txt", "decomposed")
    #expect(try sample.run("add", file, "--name", "caf\u{e9}", "--key", "anna").status == 0)
    let refused = try sample.run("add", other, "--name", "cafe\u{301}", "--key", "anna")
    #expect(refused.status == 65, "\(refused.output)")
    #expect(refused.errors.contains("cafe<U+301> looks like caf<U+E9>"), "\(refused.errors)")
    // The same name again is a new content of the same target.
    #expect(try sample.run("add", other, "--name", "caf\u{e9}", "--key", "anna").status == 0)
  }

  @Test("one person makes a repository with one command, adds, removes, checks, and collects")
  func onePerson() throws {
    let sample = try RegistryHome(keys: "anna")
    let made = try sample.initialize()
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("Published: root 1, director 1, targets 1, snapshot 1, timestamp 1"))
    #expect(made.errors.contains("shop-online"))
    // The output says when it expires, how it is renewed, and what users need.
    #expect(made.output.contains("mpaas registry refresh --repository"))
    #expect(made.output.contains("mpaas registry sign --renew targets"))
    #expect(made.output.contains("shop/metadata/1.root.json"))
    let patch = try sample.file("cart.mpatch", "patch")
    let added = try sample.run(
      "add", patch, "--prefix", "patches", "--custom", #"{"v":"1"}"#, "--key", "anna", "--json")
    let published = try json(added.output)["published"] as? [[String: Any]]
    #expect(published?.map { $0["role"] as? String } == ["targets", "snapshot", "timestamp"])
    let check = try sample.run("check", "--json")
    #expect(check.status == 0)
    let document = try json(check.output)
    #expect(document["valid"] as? Bool == true)
    #expect(document["targets"] as? Int == 1)
    #expect(try sample.run("check", "--strict").status == 1)
    #expect(try sample.run("remove", "patches/cart.mpatch", "--key", "anna").status == 0)
    #expect(try sample.run("remove", "patches/cart.mpatch", "--key", "anna").status == 66)
    let collected = try json(sample.run("gc", "--unchanged-for", "0", "--json").output)
    #expect((collected["removed"] as? [Any])?.count == 5)
    let status = try sample.run("status")
    #expect(status.output.contains("1/1 anna"))
    #expect(status.output.contains("1/1 shop-online"))
    #expect(try sample.run("refresh").output.contains("Published: timestamp 4"))
    #expect(try sample.initialize("--key", "anna").status == 73)
  }

  @Test("three people sign one after the other, each told what is missing")
  func ceremony() throws {
    let sample = try RegistryHome(keys: "anna", "ben", "carla", "web")
    let made = try sample.initialize(
      "--key", "anna", "--key", "ben", "--key", "carla", "--threshold", "2", "--online-key", "web")
    #expect(made.status == 0, "\(made.errors)")
    let patch = try sample.file("a.mpatch", "a")
    let first = try sample.run("add", patch, "--key", "anna")
    #expect(first.status == 0)
    #expect(first.output.contains("targets 2 needs 1 more of these signatures: ben, carla"))
    #expect(first.output.contains("Next: mpaas registry sign --repository \(sample.repository) --key ben"))
    #expect(try sample.run("check").status == 0)
    let second = try sample.run("sign", "--key", "carla")
    #expect(second.output == "Published: targets 2, snapshot 2, timestamp 2\n")
  }

  @Test("a key that may not speak for a role, or is revoked, signs nothing")
  func keyRoles() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(
      try mpaas(
        "key", "generate", "--name", "patcher", "--role", "patches", "--unencrypted", home: sample.home
      ).status == 0)
    let refused = try sample.initialize("--key", "patcher")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("patcher"))
    #expect(try sample.initialize("--key", "anna").status == 0)
    #expect(try mpaas("key", "revoke", "--name", "anna", home: sample.home).status == 0)
    let patch = try sample.file("a", "a")
    #expect(try sample.run("add", patch, "--key", "anna").status == 77)
    #expect(try sample.run("add", patch, "--key", "nobody").status == 66)
  }

  @Test("a team gets its names, its targets are divided among bins, and its names are taken back")
  func delegation() throws {
    let sample = try RegistryHome(keys: "anna", "team")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let made = try sample.run(
      "delegate", "sdk-cart", "--path", "sdk/cart/*", "--key-for-role", "team", "--key", "anna")
    #expect(made.output.contains("Published: sdk-cart 1, targets 2"), "\(made.errors)")
    let file = try sample.file("1.zip", "zip")
    let added = try sample.run("add", file, "--prefix", "sdk/cart", "--key", "team")
    #expect(added.output.contains("Published: sdk-cart 2"), "\(added.errors)")
    #expect(try sample.run("add", file, "--prefix", "other", "--role", "sdk-cart", "--key", "team").status == 64)
    let divided = try sample.run("delegate", "sdk-cart", "--bins", "4", "--key-for-role", "team")
    #expect(divided.status == 0, "\(divided.errors)")
    #expect(divided.output.contains("sdk-cart-bin-0 1"), "\(divided.errors)")
    #expect(try sample.run("check").status == 0)
    #expect(try sample.run("delegate", "sdk-cart", "--revoke", "--key", "anna").status == 0)
    #expect(try sample.run("check").status == 0)
  }

  @Test("after a theft the command says what to enter, and what it says works")
  func recovery() throws {
    let sample = try RegistryHome(keys: "anna", "ben", "carla")
    #expect(
      try sample.initialize("--key", "anna", "--key", "ben", "--key", "carla").status == 0)
    let told = try json(sample.run("rotate", "--stolen", "carla", "--json").output)
    #expect(told["possible"] as? Bool == true)
    #expect(told["roles"] as? [String] == ["root", "targets"])
    let commands = (told["steps"] as? [[String: Any]] ?? []).compactMap { $0["command"] as? String }
    #expect(commands.first == "mpaas key generate --name carla-new")
    try sample.generate("carla-new")
    let rotate = try #require(commands.first { $0.hasPrefix("mpaas registry rotate") })
    let words = rotate.split(separator: " ").dropFirst().map(String.init)
    let outcome = try Command.run("mpaas", words, environment: ["MPAAS_HOME": sample.home.path, "LC_ALL": "C"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "Published: root 2\n", "\(outcome.output)")
    #expect(try sample.run("check").status == 0)
    #expect(!(try sample.run("status").output.contains("carla,")))
    let last = try RegistryHome(keys: "solo")
    #expect(try last.initialize("--key", "solo").status == 0)
    #expect(try json(last.run("rotate", "--lost", "solo", "--json").output)["possible"] as? Bool == false)
  }

  @Test("a staged change of keys is no obstacle to the way back: readers know the published root only")
  func recoveryWhileStaged() throws {
    let sample = try RegistryHome(keys: "anna", "ben")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let staged = try sample.run("rotate", "root", "--add", "ben", "--threshold", "2")
    #expect(staged.output.components(separatedBy: "root 2 needs 1 more of these signatures: anna").count == 2)
    let told = try json(sample.run("rotate", "--stolen", "ben", "--json").output)
    #expect(told["possible"] as? Bool == true)
    let commands = (told["steps"] as? [[String: Any]] ?? []).compactMap { $0["command"] as? String }
    #expect(commands.contains { $0.hasPrefix("mpaas registry rotate root --remove ben --add ben-new --key anna ") })
  }

  @Test("roles with keys of their own need no others; more than half of each role's keys have to sign")
  func keysForRoles() throws {
    let sample = try RegistryHome(keys: "anna", "ben", "carla", "dora")
    let outcome = try sample.initialize(
      "--key-for-role", "root=anna", "--key-for-role", "root=ben", "--key-for-role", "root=carla", "--key-for-role",
      "targets=dora")
    #expect(outcome.output.hasPrefix("Published: root 1"), "\(outcome.errors)")
    let status = try sample.run("status").output
    #expect(status.contains("2/3 anna, ben, carla"), "\(status)")
    #expect(status.contains("1/1 dora"), "\(status)")
  }

  @Test("a repository that cannot be made leaves no key behind")
  func failedInit() throws {
    let sample = try RegistryHome(keys: "anna")
    let outcome = try sample.initialize("--key", "anna", "--threshold", "5")
    #expect(outcome.status == 64)
    #expect(!outcome.errors.contains("shop-online"))
    #expect(!FileManager.default.fileExists(atPath: sample.home.path + "/config/keys/shop-online.key"))
    #expect(!FileManager.default.fileExists(atPath: sample.repository + "/metadata"))
  }

  @Test("new online keys are used without being named from then on")
  func onlineRotation() throws {
    let sample = try RegistryHome(keys: "anna", "web2")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let outcome = try sample.run(
      "rotate", "snapshot", "timestamp", "director", "--add", "web2", "--remove", "shop-online", "--key", "anna")
    #expect(outcome.output.contains("root 2"), "\(outcome.output) \(outcome.errors)")
    #expect(try mpaas("key", "remove", "--name", "shop-online", "--force", home: sample.home).status == 0)
    #expect(try sample.run("refresh").status == 0)
    #expect(try sample.run("check").status == 0)
  }

  @Test("what is served has validators and ranges, and nothing but what is published", .tool("curl"))
  func serve() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let server = try RunningProgram(
      Command.mpaas.path,
      ["registry", "serve", "--listen", "127.0.0.1:0", "--json", "--repository", sample.repository],
      environment: ["MPAAS_HOME": sample.home.path, "LC_ALL": "C"])
    let ready = try json(server.line)
    let url = try #require(ready["metadata"] as? String)
    func head(_ path: String, _ options: String...) throws -> String {
      try Command.run("curl", ["-s", "-i", "--path-as-is"] + options + [path]).output
    }
    let root = try head(url + "1.root.json")
    #expect(root.hasPrefix("HTTP/1.1 200"))
    #expect(root.contains("immutable"))
    let tag = try #require(root.firstMatch(of: /ETag: (".*?")/)).output.1
    #expect(try head(url + "1.root.json", "-H", "If-None-Match: \(tag)").hasPrefix("HTTP/1.1 304"))
    #expect(try head(url + "1.root.json", "-r", "0-3").hasPrefix("HTTP/1.1 206"))
    #expect(try head(url + "timestamp.json").contains("Cache-Control: no-cache"))
    let base = try #require(ready["url"] as? String)
    for path in [
      "/registry.json", "/staged/files", "/metadata/../registry.json", "/metadata/", "/", "/.lock",
      "/metadata/%2e%2e/registry.json", "/targets//etc/passwd",
    ] {
      #expect(try head(base + path).hasPrefix("HTTP/1.1 404"), "\(path)")
    }
    #expect(server.end(SIGINT) == 0)
  }

  @Test("a folder is brought to the newest state, and a broken repository goes nowhere")
  func pushToFolder() throws {
    let sample = try RegistryHome(keys: "anna")
    #expect(try sample.initialize("--key", "anna").status == 0)
    let copy = sample.home.path + "/copy"
    let first = try json(sample.run("push", copy, "--json").output)
    #expect((first["sent"] as? [[String: Any]])?.last?["name"] as? String == "metadata/timestamp.json")
    let patch = try sample.file("a", "a")
    #expect(try sample.run("add", patch, "--key", "anna").status == 0)
    let second = try json(sample.run("push", "file://" + copy, "--json").output)
    #expect((second["sent"] as? [Any])?.count == 4)
    #expect(second["unchanged"] as? Int == 1)
    let check = try mpaas("registry", "check", "--repository", copy, home: sample.home)
    #expect(check.status == 0, "\(check.output)")
    try Data("{}".utf8).write(to: URL(filePath: sample.repository + "/metadata/timestamp.json"))
    #expect(try sample.run("push", copy).status == 1)
    #expect(try mpaas("registry", "check", "--repository", copy, home: sample.home).status == 0)
    #expect(try sample.run("push", "ftp://x").status == 64)
    #expect(try sample.run(["push", "s3://x"], environment: ["AWS_ACCESS_KEY_ID": ""]).status != 0)
  }
}
