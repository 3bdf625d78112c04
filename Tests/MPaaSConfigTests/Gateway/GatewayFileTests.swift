import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A gateway file") struct GatewayFileTests {
  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <!-- what developers talk to -->
      <key>Debug</key>
      <dict>
        <key>mPaasRpcGateway</key> <!-- calls -->
        <string>http://10.0.0.1/mgw.htm</string>
      </dict>
      <key>Release</key>
      <dict>
        <key>mPaasRpcGateway</key>
        <string>https://gateway.shop.cn/mgw.htm</string>
        <key>mPaasLogServerGateway</key>
        <string>https://log.shop.cn</string>
      </dict>
    </dict>
    </plist>

    """

  static func file(_ text: String = Self.text) throws -> GatewayFile {
    try GatewayFile(Array(text.utf8), file: "GatewayConfig.plist")
  }

  static func findings(_ body: String) throws -> [String] {
    let text = "<plist version=\"1.0\"><dict>\(body)</dict></plist>"
    return GatewayCheck.findings(in: try file(text)).map(\.diagnostic.id.name)
  }

  static func environment(_ name: String, _ values: String...) -> String {
    let pairs = values.map { pair in
      "<key>\(pair.prefix { $0 != "=" })</key><string>\(pair.drop { $0 != "=" }.dropFirst())</string>"
    }
    return "<key>\(name)</key><dict>\(pairs.joined())</dict>"
  }

  @Test("has its environments in order, with their values")
  func environments() throws {
    let file = try Self.file()
    #expect(file.environments.map(\.name) == ["Debug", "Release"])
    #expect(file.selected == nil)
    #expect(try file.environment("release").first(GatewayKeys.log) == "https://log.shop.cn")
    let error = #expect(throws: ConfigError.self) { try file.environment("Debgu") }
    #expect(error?.values["suggestion"] == "Debug")
  }

  @Test("is edited without a change of anything else, and the same edit again changes nothing")
  func edits() throws {
    let file = try Self.file()
    let edited = try file.setting("mPaasRpcGateway", to: "https://new.shop.cn", in: "Debug")
    let expected = Self.text.replacing("http://10.0.0.1/mgw.htm", with: "https://new.shop.cn")
    #expect(String(decoding: edited.document.bytes, as: UTF8.self) == expected)
    let again = try edited.setting("mPaasRpcGateway", to: "https://new.shop.cn", in: "Debug")
    #expect(again.document.bytes == edited.document.bytes)
    let selected = try file.selecting("release")
    #expect(selected.selected == "Release")
    #expect(selected.environments.count == 2)
    #expect(try selected.selecting("Release").document.bytes == selected.document.bytes)
    let made = try file.setting("mPaasRpcGateway", to: "https://sit.shop.cn", in: "Sit", creates: true)
    #expect(made.environments.map(\.name) == ["Debug", "Release", "Sit"])
    #expect(try file.removing("mPaasRpcGateway", in: "Debug").environments[0].values.isEmpty)
    #expect(throws: ConfigError.self) { try file.setting("k", to: "v", in: "Sit") }
    #expect(throws: ConfigError.self) { try file.setting("mPaasRpcGateway", to: "nowhere", in: "Debug") }
  }

  @Test(
    "knows addresses from what is none",
    arguments: [
      ("https://a.cn", nil), ("http://[::1]:8080/x", nil), ("https://a.cn:443?x=1", nil), ("HTTPS://user@a.cn/", nil),
      ("https://中国.cn", nil), ("a.cn", "gateway-url-malformed"), ("https://", "gateway-url-host"),
      ("https://a..cn", "gateway-url-host"), ("https://-a.cn", "gateway-url-host"),
      ("https://1.2.3", "gateway-url-host"),
      ("https://1.2.3.256", "gateway-url-host"), ("https://a.cn:0", "gateway-url-port"),
      ("https://a.cn:x", "gateway-url-port"), ("https://a.cn ", "gateway-url-blank"),
      ("https://{host}/", "gateway-url-character"), ("ftp://a.cn", "gateway-url-scheme"),
      ("https://[::1", "gateway-url-host"),
    ] as [(String, String?)])
  func addresses(text: String, code: String?) {
    do throws(ConfigError) {
      _ = try GatewayAddress(text, key: "k", at: nil)
      #expect(code == nil)
    } catch {
      #expect(error.code.id.name == code)
    }
  }

  @Test("finds what is wrong with environments and addresses, and nothing else")
  func check() throws {
    let release = Self.environment("Release", "mPaasRpcGateway=https://gateway.shop.cn")
    #expect(try Self.findings(release) == [])
    let inner = Self.environment("Debug", "mPaasRpcGateway=http://10.0.0.1")
    #expect(try Self.findings(inner) == ["gateway-release-missing"])
    let bare = Self.environment("Debug", "mPaasRpcGateway=10.0.0.1")
    #expect(try Self.findings(release + bare) == ["gateway-url-malformed"])
    #expect(
      try Self.findings(Self.environment("Release", "mPaasRpcGateway=http://192.168.1.4:80/"))
        == ["gateway-private", "gateway-insecure"])
    let example = Self.environment("Release", "mPaasRpcGateway=https://example.com")
    #expect(try Self.findings(example) == ["gateway-placeholder"])
    #expect(
      try Self.findings(release + Self.environment("Debug", "mPaasRpcGateway=https://gateway.shop.cn"))
        == ["gateway-shared"])
    #expect(
      try Self.findings(release + Self.environment("Debug", "mPaasRpcGateWay=https://a.cn"))
        == ["gateway-key-missing", "gateway-key-unknown"])
    #expect(try Self.findings(release + Self.environment("Debug")) == ["gateway-empty"])
    #expect(try Self.findings(release + release).contains("gateway-twice"))
    #expect(try Self.findings(release + "<key>Selected</key><string>Relase</string>") == ["gateway-selected-missing"])
    let todo = Self.environment("Release", "mPaasRpcGateway=https://gateway.shop.cn", "mPaasPushAppId=TODO")
    #expect(try Self.findings(todo) == ["gateway-placeholder"])
  }

  @Test("is refused where a value has another type")
  func types() throws {
    for body in ["<key>Debug</key><string>x</string>", "<key>Debug</key><dict><key>a</key><integer>1</integer></dict>"]
    {
      let error = #expect(throws: ConfigError.self) { try Self.file("<plist><dict>\(body)</dict></plist>") }
      #expect(error?.code == .gatewayType)
    }
  }

  @Test("survives whatever stands in it")
  func mutations() throws {
    var random = SeededRandom(seed: 5)
    let sample = Array(Self.text.utf8)
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes.remove(at: at)
        } else {
          bytes[at] = UInt8.random(in: 0x20...0x7e, using: &random)
        }
      }
      guard let file = try? GatewayFile(bytes, file: "x") else { continue }
      _ = GatewayCheck.findings(in: file)
      _ = try? file.selecting("Debug")
      _ = try? file.setting("a", to: "b", in: "Release")
    }
  }
}
