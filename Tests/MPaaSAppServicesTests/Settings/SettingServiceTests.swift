import MPaaSAppServices
import MPaaSFramework
import Testing

@Suite("The setting service") struct SettingServiceTests {
  static func gateway(_ selected: String = "") throws -> GatewayConfiguration {
    let sections = ["Debug", "Pre-release", "Release"].map { name in
      """
      <key>\(name)</key><dict><key>mPaasPushAppId</key><string>SHOP-\(name)</string>
      <key>mPaasLogServerGateway</key><string>https://log.example.com/\(name)</string>
      <key>mPaasLogProductId</key><string>SHOP_IOS-\(name)</string>
      <key>mPaasRpcGateway</key><string>https://example.com/\(name)</string>
      <key>Own</key><string>own-\(name)</string></dict>
      """
    }
    let body = sections.joined() + selected
    return try GatewayConfiguration(
      Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8))
  }

  private let callbacks = SettingCallbacks(
    rpcGateway: { "https://own.example.com/rpc" }, rpcETagURL: { "https://own.example.com/etag" },
    pushAppID: { "OWN" }, logServer: { "https://own.example.com/log" }, logProductID: { "" })

  @Test(
    "kMPSelectedEnvironment chooses one of the environments; without it the release counts",
    arguments: [(nil, "Release"), ("", "Release"), ("Debug", "Debug"), ("Pre-release", "Pre-release")]
      as [(String?, String)])
  func environments(_ choice: String?, _ environment: String) throws {
    let settings = try SettingService(try Self.gateway()) { $0 == SettingService.environmentKey ? choice : nil }
    #expect(settings.environment == environment)
    #expect(settings[.pushAppID] == "SHOP-\(environment)")
    #expect(settings[.logServer] == "https://log.example.com/\(environment)")
    #expect(settings[.logProductID] == "SHOP_IOS-\(environment)")
    #expect(settings[.rpcGateway] == "https://example.com/\(environment)")
    #expect(settings["mPaasPushAppId"] == "SHOP-\(environment)")
    #expect(settings["Own"] == "own-\(environment)")
    #expect(settings["nothing"] == nil)
    #expect(settings[.pushServer] == nil)
    #expect(settings.isOn)
  }

  @Test("Customizing takes the user's addresses, and those of the release where a field is empty")
  func customizing() throws {
    let chosen = [
      "kMPSelectedEnvironment": "Customizing", "gateway_custom_mPaasRpcGateway": "http://10.0.0.2/mgw.htm",
    ]
    let settings = try SettingService(try Self.gateway()) { chosen[$0] }
    #expect(settings.environment == "Customizing")
    #expect(settings[.rpcGateway] == "http://10.0.0.2/mgw.htm")
    #expect(settings[.pushAppID] == "SHOP-Release")
    let wrong = chosen.merging(["gateway_custom_mPaasRpcETagURL": "10.0.0.2"]) { $1 }
    let error = #expect(throws: FrameworkError.self) { try SettingService(try Self.gateway()) { wrong[$0] } }
    #expect(error?.code == .gatewayAddressMalformed)
  }

  @Test("a build for everybody is not led elsewhere by a choice")
  func release() throws {
    let settings = try SettingService(try Self.gateway(), isRelease: true) { _ in "Debug" }
    #expect(settings.environment == "Release")
  }

  @Test("a choice that is no section is refused with those that there are")
  func missing() throws {
    let error = #expect(throws: FrameworkError.self) { try SettingService(try Self.gateway()) { _ in "Nowhere" } }
    #expect(error?.code == .gatewaySectionMissing)
    #expect(error?.values["sections"] == "Debug, Pre-release, Release")
  }

  @Test("the section that mpaas gateway env use chose counts where the user chose none")
  func selected() throws {
    let gateway = try Self.gateway("<key>Selected</key><string>Debug</string>")
    #expect(try SettingService(gateway) { _ in nil }.environment == "Debug")
  }

  @Test("with the service off the app's callbacks answer, and with it on they fill gaps alone")
  func callbacksAnswer() throws {
    let off = try SettingService(nil, callbacks: callbacks) { _ in "Debug" }
    #expect(!off.isOn)
    #expect(off.settings.isEmpty)
    #expect(off[.rpcGateway] == "https://own.example.com/rpc")
    #expect(off[.rpcETagURL] == "https://own.example.com/etag")
    #expect(off[.pushAppID] == "OWN")
    #expect(off[.logServer] == "https://own.example.com/log")
    #expect(off[.logProductID] == nil)
    #expect(off[.pushServer] == nil)
    let on = try SettingService(try Self.gateway(), callbacks: callbacks) { _ in nil }
    #expect(on[.rpcGateway] == "https://example.com/Release")
    #expect(on[.rpcETagURL] == "https://own.example.com/etag")
  }

  @Test("the four choices of Settings.bundle and the fixed keys are those of the old kit")
  func names() {
    #expect(SettingService.environments == ["Customizing", "Release", "Pre-release", "Debug"])
    #expect(
      Set(SettingKey.allCases.map(\.rawValue)) == [
        "mPaasPushServerGateway", "mPaasPushAppId", "mPaasLogServerGateway", "mPaasLogProductId", "mPaasRpcGateway",
        "mPaasRpcETagURL",
      ])
  }
}
