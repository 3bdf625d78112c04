import Foundation
import MPaaSTestSupport
import Testing

/// Builds a small package with the plug-in.
@Suite("The plug-in RuntimeTable") struct RuntimeTablePluginTests {
  private static let parts = """
    .target(name: "CAtomicWord"), part("MPaaSLock", ["CAtomicWord"]), part("MPaaSTime"),
        part("MPaaSFramework", ["MPaaSLock", "MPaaSTime"]),
    """

  private static let source = """
    import MPaaSFramework

    protocol Paying: MobileService {}
    final class CartService: Paying { init(services: ServiceRegistry) {} }

    @main struct Shop {
      static func main() {
        for service in RuntimeTable.mobileRuntime.services { print(service.name, service.type, service.place.map(String.init(describing:)) ?? "") }
      }
    }
    """

  private static func plist(_ name: String) -> String {
    """
    <plist version="1.0">
    <dict>
      <key>Services</key>
      <array>
        <dict>
          <key>name</key>
          <string>cart</string>
          <key>class</key>
          <string>\(name)Service</string>
          <key>protocol</key>
          <string>Paying</string>
        </dict>
      </array>
    </dict>
    </plist>
    """
  }

  @Test(
    "a package gets its table, builds again without it where nothing changed, and is told of a class that is missing",
    .tool("swift"))
  func build() async throws {
    let package = try PluginPackage(
      plugin: "RuntimeTable", tool: ("RuntimeTableTool", "mpaas-runtime-table"), library: "MPaaSFramework",
      parts: Self.parts, target: "Shop",
      files: ["Shop.swift": Self.source, "MobileRuntime.plist": Self.plist("Cart")])
    let first = try await package.build()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let run = try package.run("Shop")
    #expect(run.output == "cart CartService MobileRuntime.plist:7\n", "\(run.errors)")
    let second = try await package.build()
    #expect(second.status == 0, "\(second.output)")
    #expect(!second.output.contains("RuntimeTable of Shop"), "\(second.output)")
    try package.write(Self.plist("Car"), to: "MobileRuntime.plist", of: "Shop")
    let broken = try await package.build()
    let all = broken.output + broken.errors
    #expect(broken.status != 0)
    #expect(
      all.contains(
        "Sources/Shop/MobileRuntime.plist:9:15: error: Class 'CarService' of service 'cart' is not declared in target "
          + "'Shop'. Did you mean 'CartService' (Sources/Shop/Shop.swift:4)?"), "\(all)")
  }
}
