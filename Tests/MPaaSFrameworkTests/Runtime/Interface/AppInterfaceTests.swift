import MPaaSFramework
import Testing

@Suite("The app's interface") @MainActor struct AppInterfaceTests {
  struct Shop: MPaaSAppInterface {
    var appKey: String? = "SHOP_IOS"
    var workspaceID: String? = "0000017768"
    var storageKey: [UInt8]?
    var rpcTimeout: TimeSpan = .seconds(20)
    var syncServer: SyncServer?
    func canOpen(_ url: AppURL) -> Bool { url.scheme.contains("rc") }
  }

  @Test("has a default for every point")
  func defaults() throws {
    let interface = try MobileContext().interface
    #expect(interface.appKey == nil)
    #expect(interface.productID == nil)
    #expect(interface.userID == nil)
    #expect(interface.rpcTimeout == .seconds(30))
    #expect(interface.signsRPC)
    #expect(interface.httpDNSHosts.isEmpty)
    #expect(interface.uploadedLogs == [.behavior, .crash, .auto])
    #expect(interface.activityInterval == .zero)
    #expect(interface.schemeHandlers.count == 1)
  }

  @Test("makes the product's id of key and workspace")
  func product() { #expect(Shop().productID == "SHOP_IOS-0000017768") }

  @Test(
    "is refused where it cannot be, by the name of the point",
    arguments: [
      (Shop(appKey: "SHOP IOS"), "appKey"), (Shop(workspaceID: ""), "workspaceID"),
      (Shop(storageKey: [1, 2, 3]), "storageKey"), (Shop(rpcTimeout: .zero), "rpcTimeout"),
      (Shop(syncServer: SyncServer(host: "h", port: 70_000, appName: "a")), "syncServer.port"),
    ])
  func malformed(_ interface: Shop, _ point: String) {
    let error = #expect(throws: FrameworkError.self) { try MobileContext(interface: interface) }
    #expect(error?.code == .interfaceMalformed)
    #expect(error?.subject == .parameter(point))
  }

  @Test("may leave URLs to other builds of the app")
  func canOpen() throws {
    let context = try MobileContext(interface: Shop())
    try context.routes.add("/a") { _, _ in }
    #expect(try context.open("shoprc://h/a") == "/a")
    let error = #expect(throws: FrameworkError.self) { try context.open("shop://h/a") }
    #expect(error?.code == .routeUnhandled)
  }

  @Test("gives the gateway of the context's environment")
  func gateway() throws {
    struct WithGateway: MPaaSAppInterface {
      let gateway: GatewayConfiguration?
    }
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>Debug</key><dict><key>mPaasRpcGateway</key><string>http://localhost:8080/mgw.htm</string></dict>
      <key>Release</key><dict><key>mPaasRpcGateway</key><string>https://example.com/mgw.htm</string></dict>
      </dict></plist>
      """
    let interface = WithGateway(gateway: try GatewayConfiguration(Array(plist.utf8)))
    let context = try MobileContext(interface: interface, environment: .development)
    #expect(try context.gatewaySettings()?.rpcGateway == "http://localhost:8080/mgw.htm")
    #expect(try MobileContext(environment: .development).gatewaySettings() == nil)
  }
}
