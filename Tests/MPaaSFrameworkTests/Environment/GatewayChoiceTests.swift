import Foundation
import MPaaSFramework
import MPaaSTestSupport
import Testing

@Suite("What a user chose in the system's settings") @MainActor struct GatewayChoiceTests {
  struct Shop: MPaaSAppInterface {
    var gateway: GatewayConfiguration?
    var gatewayChoice: GatewayChoice?
  }

  static func choice(_ settings: [String: String]) -> GatewayChoice { GatewayChoice { settings[$0] } }

  static func gateway() throws -> GatewayConfiguration {
    try GatewayConfiguration(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>Release</key><dict>
        <key>mPaasRpcGateway</key><string>https://example.com/mgw.htm</string>
        <key>mPaasPushAppId</key><string>SHOP</string></dict></dict></plist>
        """.utf8))
  }

  @Test("customized values stand in the place of the environment's, the rest stays")
  func customized() throws {
    let choice = Self.choice([
      "gateway_environment": "Customizing", "gateway_custom_mPaasRpcGateway": " http://10.0.0.2:8080/mgw.htm ",
      "gateway_custom_mPaasRpcETagURL": "",
    ])
    let context = try MobileContext(
      interface: Shop(gateway: try Self.gateway(), gatewayChoice: choice), environment: .release)
    let settings = try #require(try context.gatewaySettings())
    #expect(settings.rpcGateway == "http://10.0.0.2:8080/mgw.htm")
    #expect(settings.rpcETagURL == nil)
    #expect(settings.pushAppID == "SHOP")
    let alone = try MobileContext(interface: Shop(gatewayChoice: choice), environment: .release)
    #expect(try alone.gatewaySettings()?.rpcGateway == "http://10.0.0.2:8080/mgw.htm")
  }

  @Test("values count only while Customizing is chosen, also by the old kit's key")
  func others() throws {
    let own = ["gateway_custom_mPaasRpcGateway": "http://10.0.0.2/"]
    #expect(Self.choice(own.merging(["gateway_environment": "Release"]) { $1 }).values.isEmpty)
    #expect(Self.choice(own).values.isEmpty)
    #expect(Self.choice(own).name == nil)
    #expect(Self.choice(own.merging(["kMPSelectedEnvironment": "Customizing"]) { $1 }).values.count == 1)
    #expect(Self.choice(["kMPSelectedEnvironment": "Debug"]).name == "Debug")
  }

  @Test("a customized address that is none is refused by its name")
  func malformed() throws {
    let choice = Self.choice(["gateway_environment": "Customizing", "gateway_custom_mPaasRpcGateway": "10.0.0.2"])
    let context = try MobileContext(interface: Shop(gatewayChoice: choice), environment: .release)
    let error = #expect(throws: FrameworkError.self) { try context.gatewaySettings() }
    #expect(error?.code == .gatewayAddressMalformed)
    #expect(error?.subject == .parameter("Customizing.mPaasRpcGateway"))
  }

  @Test("Settings.bundle of new projects offers Customizing and a field for each value, in both languages")
  func bundle() throws {
    let bundle = Fixture.package.appending(path: "templates/base/files/App/{{name_identifier}}/Settings.bundle")
    func specifiers(_ page: String) throws -> [[String: Any]] {
      let data = try Data(contentsOf: bundle.appending(path: page + ".plist"))
      let root = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      #expect(root?["StringsTable"] as? String == page)
      return root?["PreferenceSpecifiers"] as? [[String: Any]] ?? []
    }
    let root = try specifiers("Root")
    let choices = root.compactMap { $0["Values"] as? [String] }.first ?? []
    #expect(choices.contains(GatewayChoice.customizing))
    #expect(root.contains { $0["File"] as? String == "Customizing" })
    #expect(root.contains { GatewayChoice.environmentKeys.contains($0["Key"] as? String ?? "") })
    let fields = try specifiers("Customizing")
    #expect(
      Set(fields.compactMap { $0["Key"] as? String }) == Set(GatewayChoice.addressKeys.map(GatewayChoice.settingKey)))
    for (page, specifiers) in [("Root", root), ("Customizing", fields)] {
      let titles = specifiers.flatMap { one in
        [one["Title"], one["FooterText"]].compactMap { $0 as? String } + (one["Titles"] as? [String] ?? [])
      }
      for language in ["en", "zh-Hans"] {
        let texts = try String(
          contentsOf: bundle.appending(path: "\(language).lproj/\(page).strings"), encoding: .utf8)
        for title in titles { #expect(texts.contains("\"\(title)\" = \""), "\(language) \(page): \(title)") }
      }
    }
  }
}
