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
