import MPaaSFramework
import MPaaSTestSupport
import Testing

@Suite("The gateway configuration") struct GatewayConfigurationTests {
  static func plist(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">\(body)</plist>
      """.utf8)
  }

  static let usual = plist(
    """
    <dict>
      <key>Debug</key><dict><key>mPaasRpcGateway</key><string>http://10.0.0.1/mgw.htm</string></dict>
      <key>Pre-release</key><dict><key>MPaaSRpcGateway</key><string>https://pre.example.com/mgw.htm</string>
        <key>MPaaSLogProductId</key><string>SHOP_IOS-001</string></dict>
      <key>Release</key><dict><key>mPaasRpcGateway</key><string>https://example.com/mgw.htm</string>
        <key>mPaasLogServerGateway</key><string>https://log.example.com</string><key>own</key><string>x</string></dict>
    </dict>
    """)

  static func error(_ bytes: [UInt8]) throws -> FrameworkError {
    try #require(throws: FrameworkError.self) { _ = try GatewayConfiguration(bytes, file: "App/GatewayConfig.plist") }
  }

  @Test("gives each environment its section, by the keys of either generation")
  func sections() throws {
    let configuration = try GatewayConfiguration(Self.usual)
    #expect(try configuration.settings(for: .development).rpcGateway == "http://10.0.0.1/mgw.htm")
    let staging = try configuration.settings(for: .staging)
    #expect(staging.rpcGateway == "https://pre.example.com/mgw.htm")
    #expect(staging.logProductID == "SHOP_IOS-001")
    let release = try configuration.settings(for: .release)
    #expect(release.logGateway == "https://log.example.com")
    #expect(release.values["own"] == "x")
    #expect(release.pushAppID == nil)
  }

  @Test("knows the section that was chosen, which is no section itself")
  func selected() throws {
    let body = "<dict><key>Selected</key><string>Debug</string><key>Debug</key><dict/></dict>"
    let configuration = try GatewayConfiguration(Self.plist(body))
    #expect(configuration.selected == "Debug")
    #expect(configuration.sections.keys.sorted() == ["Debug"])
    #expect(configuration.selectedSettings?.values.isEmpty == true)
    let error = try Self.error(Self.plist("<dict><key>Selected</key><integer>1</integer></dict>"))
    #expect(error.subject == .parameter("Selected"))
    #expect(error.values["expected"] == "a string")
  }

  @Test("says which section is missing and which there are")
  func missing() throws {
    let configuration = try GatewayConfiguration(Self.usual)
    let error = #expect(throws: FrameworkError.self) { try configuration.settings(for: .test) }
    #expect(error?.code == .gatewaySectionMissing)
    #expect(error?.values["sections"] == "Debug, Pre-release, Release")
  }

  @Test("names the file and the key of a value of another type")
  func types() throws {
    let number = try Self.error(
      Self.plist("<dict><key>Release</key><dict><key>mPaasRpcGateway</key><integer>3</integer></dict></dict>"))
    #expect(number.code == .gatewayMalformed)
    #expect(number.subject == .parameter("Release.mPaasRpcGateway"))
    #expect("\(number)".contains("App/GatewayConfig.plist: Release.mPaasRpcGateway must be a string"))
    let section = try Self.error(Self.plist("<dict><key>Debug</key><string>x</string></dict>"))
    #expect(section.subject == .parameter("Debug"))
    #expect(section.values["expected"] == "a dictionary")
    let root = try Self.error(Self.plist("<array/>"))
    #expect(root.code == .gatewayMalformed)
  }

  @Test("refuses an address that is none", arguments: ["example.com", "ftp://example.com", "https://", "http:// x"])
  func addresses(_ address: String) throws {
    let error = try Self.error(
      Self.plist("<dict><key>Release</key><dict><key>mPaasRpcGateway</key><string>\(address)</string></dict></dict>"))
    #expect(error.code == .gatewayAddressMalformed)
    #expect(error.subject == .parameter("Release.mPaasRpcGateway"))
  }

  @Test("refuses what is no property list", arguments: ["", "<dict>", "<plist>", "bplist00"])
  func unreadable(_ text: String) throws {
    let code = try Self.error(Array(text.utf8)).code
    #expect(code == .gatewayUnreadable || code == .gatewayMalformed)
  }

  @Test("mutated files are read or refused, and nothing else happens")
  func mutated() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = Self.usual
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
        }
      }
      _ = try? GatewayConfiguration(bytes)
    }
  }
}

@Suite("The environment") struct AppEnvironmentTests {
  @Test(
    "is known by its own names and by those of the sections",
    arguments: zip(
      ["dev", "Debug", "sit", "TEST", "pre-release", "staging", "Release", "nonsense"],
      [.development, .development, .test, .test, .staging, .staging, .release, nil] as [AppEnvironment?]))
  func names(name: String, expected: AppEnvironment?) {
    #expect(AppEnvironment(named: name) == expected)
  }
}
