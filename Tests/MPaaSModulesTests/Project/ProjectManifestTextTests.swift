import MPaaSModules
import Testing

@Suite("The text of a manifest") struct ProjectManifestTextTests {
  private func read(_ text: String) throws -> ProjectManifest { try ProjectManifest(reading: text, file: "mpaas.toml") }

  /// A manifest without the lines that it was read from.
  private func plain(_ manifest: ProjectManifest) -> ProjectManifest {
    var plain = manifest
    for index in plain.registries.indices { plain.registries[index].line = nil }
    for index in plain.modules.indices { plain.modules[index].line = nil }
    for index in plain.targets.indices {
      for place in plain.targets[index].modules.indices { plain.targets[index].modules[place].line = nil }
    }
    return plain
  }

  @Test(
    "says all that was read, and is the same the second time",
    arguments: [
      "", "[project]\nname = \"Shop \\\"1\\\"\"\nplatform = \"ios\"\nminimum = \"13.0\"\n",
      """
      [project]
      name = "Shop"
      platform = "ios"
      minimum = "13.0"
      place = "copy"
      folder = "Modules/Ours"
      xcode = "App/Shop.xcodeproj"

      [registries.second]
      url = "https://second.example.com/"
      mirrors = ["https://mirror.example.com/", "/mnt/modules"]
      root = "second.root.json"

      [registries.first]
      url = "first"

      [modules]
      APLog = "^3.0.2"
      "a.b" = "*"
      MPDataCenter = { version = ">=1", registry = "first", platforms = ["ios", "linux"], place = "shared", with = ["UTDID"] }

      [targets.Shop]

      [targets."Shop Watch"]
      platform = "watchos"
      minimum = "9"

      [targets."Shop Watch".modules]
      APLog = "^4"
      "a.b" = false
      Extra = "1.2.3"
      """,
      "[project]\nplatform = \"ios\"\nminimum = \"13\"\nxcode = false\n[targets.A]\nminimum = \"14\"\n[targets.B]\n",
    ])
  func roundTrip(_ text: String) throws {
    let manifest = try read(text)
    let again = try read(manifest.text)
    #expect(plain(again) == plain(manifest), "\(manifest.text)")
    #expect(again.text == manifest.text)
  }
}
