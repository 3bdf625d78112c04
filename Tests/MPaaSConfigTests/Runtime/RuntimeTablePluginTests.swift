import Foundation
import MPaaSTestSupport
import Testing

/// Builds a small package with the plug-in, from the parts of this checkout that it needs: no network is asked for.
@Suite("The plug-in RuntimeTable") struct RuntimeTablePluginTests {
  /// The kit's parts as a package of their own, and a program that uses them.
  private static func write(to folder: TemporaryFolder) throws {
    let files = FileManager.default
    func write(_ text: String, _ path: String) throws {
      let url = folder.url.appending(path: path)
      try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try write(kit, "kit/Package.swift")
    for part in ["Sources", "plugins"] {
      try files.createSymbolicLink(
        at: folder.url.appending(path: "kit/\(part)"), withDestinationURL: Fixture.package.appending(path: part))
    }
    try write(manifest, "app/Package.swift")
    try write(source, "app/Sources/Shop/Shop.swift")
    try write(plist("Cart"), "app/Sources/Shop/MobileRuntime.plist")
  }

  private static let kit = """
    // swift-tools-version: 6.1
    import PackageDescription
    let settings: [SwiftSetting] = [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    func part(_ name: String, _ needs: [Target.Dependency] = []) -> Target {
      .target(name: name, dependencies: needs, swiftSettings: settings)
    }
    let package = Package(
      name: "mpaaskit", platforms: [.macOS(.v15)],
      products: [
        .library(name: "MPaaSFramework", targets: ["MPaaSFramework"]), .plugin(name: "RuntimeTable", targets: ["RuntimeTable"]),
      ],
      targets: [
        .target(name: "CAtomicWord"), part("MPaaSLock", ["CAtomicWord"]), part("MPaaSTime"),
        part("MPaaSFramework", ["MPaaSLock", "MPaaSTime"]), part("MPaaSBase", ["MPaaSLock"]),
        part("MPaaSSupport", ["MPaaSBase", "MPaaSLock"]),
        part("MPaaSDeclarations", ["MPaaSSupport"]), part("MPaaSConfig", ["MPaaSDeclarations", "MPaaSSupport"]),
        .executableTarget(
          name: "RuntimeTableTool", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
          swiftSettings: settings),
        .plugin(
          name: "RuntimeTable", capability: .buildTool(), dependencies: ["RuntimeTableTool"], path: "plugins/RuntimeTable"),
      ])
    """

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "shop", platforms: [.macOS(.v15)], dependencies: [.package(name: "mpaaskit", path: "../kit")],
      targets: [
        .executableTarget(
          name: "Shop", dependencies: [.product(name: "MPaaSFramework", package: "mpaaskit")],
          exclude: ["MobileRuntime.plist"], plugins: [.plugin(name: "RuntimeTable", package: "mpaaskit")])
      ])
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
  func build() throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder)
    let app = folder.url.appending(path: "app")
    func build() throws -> Command.Outcome {
      try Command.run(
        "swift", ["build", "--scratch-path", folder.path + "/build", "--disable-sandbox"], directory: app)
    }
    let first = try build()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let run = try Command.run(folder.path + "/build/debug/Shop")
    #expect(run.output == "cart CartService MobileRuntime.plist:7\n", "\(run.errors)")
    // The tool may be linked once more, since it is built for plug-ins and among the products.
    _ = try build()
    let third = try build()
    #expect(third.status == 0, "\(third.output)")
    #expect(!third.output.contains("RuntimeTable of Shop"), "\(third.output)")
    try Data(Self.plist("Car").utf8).write(to: app.appending(path: "Sources/Shop/MobileRuntime.plist"))
    let broken = try build()
    let all = broken.output + broken.errors
    #expect(broken.status != 0)
    #expect(
      all.contains(
        "Sources/Shop/MobileRuntime.plist:9:15: error: Class 'CarService' of service 'cart' is not declared in target "
          + "'Shop'. Did you mean 'CartService' (Sources/Shop/Shop.swift:4)?"), "\(all)")
  }
}
