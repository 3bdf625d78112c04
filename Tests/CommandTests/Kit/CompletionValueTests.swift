import Foundation
import MPaaSTestSupport
import Testing

@Suite("The values that completion finds on the disk") struct CompletionValueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The candidates for the last word, with their meanings.
  private func candidates(_ words: String...) throws -> [String: String] {
    let outcome = try Command.run(
      "mpaas", ["completion", "answer", "--shell", "fish", "--", "mpaas"] + words,
      environment: ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": "", "MPAAS_NET_API": ""],
      directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).dropLast()
    let pairs = lines.map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
  }

  private func write(_ text: String, to path: String) throws {
    let url = folder.url.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test("are reports, by their names and by the last one's")
  func reports() throws {
    try write("", to: "data/crashes/one.ips")
    try write("", to: "data/crashes/two words.json")
    #expect(Set(try candidates("crash", "show", "").keys) == ["one", "two words", "latest"])
    #expect(try candidates("symbols", "check", "")["one"] != nil)
  }

  @Test("are keys, with their kinds, and those of others where these may be named")
  func keys() throws {
    let home = ["MPAAS_HOME": folder.path]
    let made = try Command.run(
      "mpaas", ["key", "generate", "--name", "release", "--unencrypted", "--quiet"], environment: home)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try candidates("key", "show", "--name", "") == ["release": "ed25519"])
    #expect(try candidates("hotpatch", "verify", "x", "--trust", "").keys.contains("release"))
    #expect(try candidates("key", "export", "--name=") == ["--name=release": "ed25519"])
  }

  @Test("are profiles, with the user's, and in Chinese")
  func profiles() throws {
    let found = try candidates("net", "run", "--profile", "")
    #expect(found["3g"]?.isEmpty == false)
    #expect(try candidates("net", "apply", "").keys.contains("off"))
    let chinese = try candidates("--lang", "zh-Hans", "net", "shape", "")
    #expect(chinese["2g-rural"]?.contains { $0 > "\u{3000}" } == true)
  }

  @Test("are the proxies and toxics that the server kept, and the attributes of a type")
  func toxics() throws {
    let state = """
      {"format":1,"ended":false,"layers":{},"proxies":[{"name":"web","listen":"127.0.0.1:1","upstream":"h:80",
      "toxics":[{"name":"slow","type":"latency"},{"name":"thin","type":"bandwidth"}]}]}
      """
    try write(state, to: "data/network/127.0.0.1_8474.json")
    #expect(try candidates("net", "toxic", "remove", "") == ["web": "127.0.0.1:1 → h:80"])
    #expect(try candidates("net", "toxic", "remove", "web", "") == ["slow": "latency", "thin": "bandwidth"])
    #expect(try candidates("net", "toxic", "remove", "web", "slow", "") == ["thin": "bandwidth"])
    #expect(try candidates("net", "toxic", "add", "web", "latency", "").keys.contains("jitter="))
    #expect(try !candidates("net", "toxic", "add", "web", "latency", "jitter=1", "").keys.contains("jitter="))
    #expect(try candidates("net", "toxic", "update", "web", "thin", "").keys.contains("rate="))
  }

  @Test("are the proxies that a timeline is played on, and profiles in a list")
  func timelines() throws {
    try write(
      #"{"format":1,"ended":false,"layers":{},"proxies":[{"name":"web","listen":"127.0.0.1:1","upstream":"h:80"}]}"#,
      to: "data/network/127.0.0.1_8474.json")
    #expect(try candidates("net", "replay", "--proxy", "") == ["web": "127.0.0.1:1 → h:80"])
    #expect(try candidates("net", "replay", "--random", "1", "--between", "").keys.contains("3g"))
    let second = try candidates("net", "replay", "--random", "1", "--between", "3g,")
    #expect(second["3g,lte"] != nil)
    #expect(second["3g,3g"] == nil)
  }

  @Test("are micro-apps and services of the runtime table, once")
  func runtime() throws {
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>Applications</key><array/><key>Services</key><array/></dict></plist>
      """, to: "MobileRuntime.plist")
    for words in [["add-app", "Cart", "CartDelegate"], ["add-service", "Pay", "PayService"]] {
      let made = try Command.run("mpaas", ["runtime"] + words + ["--file", folder.path + "/MobileRuntime.plist"])
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try candidates("runtime", "remove-app", "") == ["Cart": "CartDelegate"])
    #expect(try candidates("runtime", "remove-service", "--file", "MobileRuntime.plist", "") == ["Pay": "PayService"])
    #expect(try candidates("runtime", "remove-service", "MobileRuntime.plist", "") == ["Pay": "PayService"])
    #expect(try candidates("runtime", "remove-app", "Cart", "").keys.contains("Cart") == false)
    try write("", to: "Sources/Shop/Cart.swift")
    #expect(try Set(candidates("runtime", "check", "--target", "").keys) == ["Shop"])
  }

  @Test("are the transfers of the queue that the command may take, and no queue is made")
  func transfers() throws {
    #expect(try candidates("file", "cancel", "").keys.allSatisfy { $0.hasPrefix("-") })
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/transfers"))
    try write("x", to: "a file")
    let environment = ["MPAAS_HOME": folder.path, "LC_ALL": "C"]
    _ = try Command.run(
      "mpaas", ["file", "put", "a file", "http://127.0.0.1:1/", "--later"], environment: environment,
      directory: folder.url)
    let found = try candidates("file", "cancel", "")
    #expect(found["1"]?.contains("a file") == true)
    #expect(try candidates("file", "cancel", "1", "")["1"] == nil)
    #expect(try candidates("file", "remove", "")["1"] == nil)
  }

  @Test("are the servers that the user is logged in to")
  func servers() throws {
    try write(#"{"url":"http://127.0.0.1:1"}"#, to: "config/servers/work.json")
    #expect(try candidates("server", "logout", "--profile", "") == ["work": ""])
    #expect(try candidates("log", "tasks", "--profile", "") == ["work": ""])
  }

  @Test("are keys of a key-value file within the business that is named")
  func storedKeys() throws {
    for words in [["a.kv", "name", "x"], ["a.kv", "other", "y", "--business", "shop"]] {
      let set = try Command.run("mpaas", ["kv", "set"] + words, directory: folder.url)
      #expect(set.status == 0, "\(set.errors)")
    }
    #expect(Set(try candidates("kv", "get", "a.kv", "").keys) == ["name"])
    #expect(Set(try candidates("kv", "get", "--business", "shop", "a.kv", "").keys) == ["other"])
    #expect(Set(try candidates("kv", "get", "a.kv", "--business", "").keys) == ["shop"])
  }

  @Test("are modules and versions that a registry offers, and keys behind their roles")
  func offers() throws {
    let home = ["MPAAS_HOME": folder.path, "LC_ALL": "C"]
    try write(
      """
      [module]
      name = "Cart"
      version = "1.0.0"
      summary = { en = "A cart.", zh-Hans = "购物车。" }
      license = "0BSD"

      [platforms]
      linux = "0"

      [notes]
      en = "The first."
      zh-Hans = "首个版本。"

      [contents]
      sources = ["cart.c"]

      """, to: "cart/module.toml")
    try write("int cart;\n", to: "cart/cart.c")
    try write("Free.\n", to: "cart/LICENSE")
    for words in [
      ["key", "generate", "--name", "release", "--unencrypted"], ["registry", "init", "repo", "--key", "release"],
      ["registry", "pack", "cart", "--output", "dist"],
      ["registry", "add", "dist/Cart-1.0.0.tar.zst", "--repository", "repo", "--key", "release"],
    ] {
      let done = try Command.run("mpaas", words, environment: home, directory: folder.url)
      #expect(done.status == 0, "\(words) \(done.errors)")
    }
    #expect(try candidates("registry", "modules", "--repository", "repo", "") == ["Cart": "1.0.0"])
    #expect(Set(try candidates("registry", "yank", "--repository", "repo", "").keys) == ["Cart@1.0.0"])
    #expect(Set(try candidates("registry", "remove", "--repository=repo", "").keys) == ["Cart@1.0.0"])
    let roles = try candidates("registry", "sign", "--repository", "repo", "--role", "")
    #expect(roles == ["root": "1", "targets": "2", "snapshot": "2", "timestamp": "2", "director": "1"])
    let holders = try candidates("registry", "add", "--repository", "repo", "--role", "")
    #expect(holders == ["targets": "2", "director": "1"])
    #expect(try candidates("registry", "init", "--key-for-role", "").keys.contains("root="))
    #expect(try candidates("registry", "init", "--key-for-role", "root=").keys.contains("root=release"))
  }

  @Test("are modules and targets of the project")
  func modules() throws {
    try write(
      "[project]\nname = \"shop\"\n\n[targets.App.modules]\nAPLog = \"^1\"\n\n[targets.Widget.modules]\nAPLog = \"^1\"\n",
      to: "mpaas.toml")
    #expect(Set(try candidates("module", "list", "--target", "").keys) == ["App", "Widget"])
    #expect(Set(try candidates("module", "remove", "").keys) == ["APLog"])
  }

  @Test("are environments of the file and their keys")
  func environments() throws {
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <key>Selected</key>
        <string>Debug</string>
        <key>Debug</key>
        <dict>
          <key>mPaasRpcGateway</key>
          <string>https://dev.example</string>
        </dict>
        <key>生产</key>
        <dict>
          <key>mPaasRpcGateway</key>
          <string>https://example.com</string>
        </dict>
      </dict>
      </plist>
      """
    try write(plist, to: "GatewayConfig.plist")
    #expect(Set(try candidates("gateway", "env", "use", "").keys) == ["Debug", "生产"])
    #expect(try candidates("gateway", "env", "set", "Debug", "")["mPaasRpcGateway"] == "https://dev.example")
    #expect(try candidates("gateway", "env", "use", "GatewayConfig.plist", "").keys.contains("Debug"))
  }

  @Test("are diagnostics, templates and devices")
  func others() throws {
    #expect(try candidates("explain", "").keys.contains("usage"))
    #expect(try candidates("theme", "resolve", "--device", "").isEmpty == false)
  }
}
