import MPaaSTestSupport
import Testing

/// Builds a small package with the plug-in.
@Suite("The plug-in FlagKeys") struct FlagKeysPluginTests {
  private static let source = """
    import MPaaSTime

    @main struct Shop {
      static func main() { print(ShopFlag.allCases.map(\\.rawValue), ShopFlag.newSearch, TimeSpan.seconds(1) > .zero) }
    }
    """

  private static let flags = #"{"features": [{"name": "new-search"}, {"name": "pay"}]}"#

  @Test(
    "a package gets keys of its state, builds again without them where nothing changed, and is told of a bad state",
    .tool("swift"))
  func build() async throws {
    let package = try PluginPackage(
      plugin: "FlagKeys", tool: ("FlagKeysTool", "mpaas-flag-keys"), library: "MPaaSTime",
      parts: "part(\"MPaaSTime\"),", target: "Shop",
      files: ["Shop.swift": Self.source, "flags.json": Self.flags, "flags.options": "--type ShopFlag\n"])
    let first = try await package.build()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let run = try package.run("Shop")
    #expect(run.output == "[\"new-search\", \"pay\"] newSearch true\n", "\(run.errors)")
    let second = try await package.build()
    #expect(second.status == 0, "\(second.output)")
    #expect(!second.output.contains("Flags of Shop"), "\(second.output)")
    try package.write(String(Self.flags.dropLast(2)), to: "flags.json", of: "Shop")
    let broken = try await package.build()
    let all = broken.output + broken.errors
    #expect(broken.status != 0)
    #expect(all.contains("Sources/Shop/flags.json:1:54: error: this is not JSON"), "\(all)")
  }
}
