import MPaaSPipelines
import MPaaSProject
import Testing

@Suite("The parts of a project that a pipeline checks") struct ProjectTraitsTests {
  @Test("are told by its files")
  func paths() {
    let traits = ProjectTraits(paths: [
      "mpaas.toml", "Package.swift", "App/My Shop.xcodeproj/project.pbxproj", "App/Shop/Info.plist",
      "App/Shop/Localizable.xcstrings", "App/Shop/en.lproj/Localizable.strings", "App/ShopTests/Info.plist",
      "App/Shop/Settings.bundle/en.lproj/Root.strings", "App/Other/zh-Hans.lproj/A.strings",
      "Sources/Core/MobileRuntime.plist", "App/Shop/GatewayConfig.plist", "Patches/1/main.lua", "Patches/1/lib/a.lua",
    ])
    #expect(traits.hasModules && traits.hasPackage && traits.hasPropertyLists)
    #expect(traits.xcode == "App/My Shop.xcodeproj")
    #expect(traits.infoList == "App/Shop/Info.plist")
    #expect(traits.texts == ["App/Other", "App/Shop"])
    #expect(traits.runtime == "Sources/Core/MobileRuntime.plist")
    #expect(traits.gateway == "App/Shop/GatewayConfig.plist")
    #expect(traits.patches == ["Patches/1"])
    #expect(traits.values["xcode"] == .text("'App/My Shop.xcodeproj'"))
    #expect(traits.values["scheme"] == .text("'My Shop'"))
    #expect(traits.values["texts"] == .text("App/Other App/Shop"))
  }

  @Test("are none of an empty folder's")
  func empty() {
    #expect(ProjectTraits(paths: []) == ProjectTraits())
    #expect(ProjectTraits(paths: ["a/Package.swift", "b/mpaas.toml"]) == ProjectTraits())
  }
}
