import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("MobileRuntime.plist") struct MobileRuntimeFileTests {
  static func read(_ body: String) throws(ConfigError) -> MobileRuntimeFile {
    try MobileRuntimeFile(Array("<plist>\n\(body)\n</plist>\n".utf8), file: "MobileRuntime.plist")
  }

  static func text(_ file: MobileRuntimeFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

  @Test("real files of old projects are read with their places", .fixtures)
  func legacy() throws {
    let folder = try Fixture.path("project/mpaas_legacy")
    var services = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".plist") {
      let file = try MobileRuntimeFile([UInt8](try Fixture.data("project/mpaas_legacy/\(name)")), file: name)
      services += file.services.count
      if name.hasSuffix("Launcher_MobileRuntime.plist") {
        #expect(file.launcher == "Launcher")
        let app = try #require(file.applications.first)
        #expect(app.name == "Launcher")
        #expect(app.delegate == "MPLauncherAppDelegate")
        #expect(app.title == "Launcher")
        #expect(app.place == .text(file: name, line: 17, column: 12))
        #expect(app.delegatePlace == .text(file: name, line: 13, column: 12))
      } else {
        let config = try #require(file.services.first)
        #expect(config.name == "APConfigService")
        #expect(config.className == "APConfigCenter")
        #expect(!config.isLazy)
        #expect(file.unknownKeys.contains { $0.key == "welcomPageAfterLoading" })
      }
    }
    #expect(services > 20)
  }

  @Test("BeeHive's modules and services are read, also from an array at the top")
  func beeHive() throws {
    let file = try Self.read(
      """
      <dict><key>moduleClasses</key><array><dict><key>moduleClass</key><string>HomeModule</string>
      <key>moduleLevel</key><integer>0</integer><key>modulePriority</key><string>9</string></dict></array></dict>
      """)
    #expect(file.modules.map { [$0.level, $0.priority] } == [[0, 9]])
    #expect(file.modules.first?.className == "HomeModule")
    let list = try Self.read(
      "<array><dict><key>service</key><string>Home</string><key>impl</key><string>HomeService</string></dict></array>")
    #expect(list.services.map(\.className) == ["HomeService"])
    #expect(list.services.first?.interface == "Home")
    let added = try file.adding(.init(className: "CartModule", level: 1, priority: 3))
    #expect(Self.text(added).contains("<key>moduleClass</key>"))
    #expect(added.modules.map(\.priority) == [9, 3])
  }

  @Test("entries are added once, with every other byte kept; another of the name is an error with its place", .fixtures)
  func adding() throws {
    let name = "mpaas_nebula_demo_mpaas_nebula_demo_ios_MPH5Demo_plugin_Sources_Launcher_MobileRuntime.plist"
    let file = try MobileRuntimeFile([UInt8](try Fixture.data("project/mpaas_legacy/\(name)")), file: name)
    let app = MobileRuntimeFile.Application(name: "cart", delegate: "CartApp", title: "购物车")
    let added = try file.adding(app).adding(MobileRuntimeFile.Service(name: "pay", className: "PayService"))
    let expected = Self.text(file).replacing(
      "<array/>\n\t<key>Applications",
      with: """
        <array>
        \t\t<dict>
        \t\t\t<key>name</key>
        \t\t\t<string>pay</string>
        \t\t\t<key>class</key>
        \t\t\t<string>PayService</string>
        \t\t\t<key>lazyLoading</key>
        \t\t\t<true/>
        \t\t</dict>
        \t</array>
        \t<key>Applications
        """
    ).replacing(
      "\t\t</dict>\n\t</array>\n\t<key>ServicesMap",
      with: """
        \t\t</dict>
        \t\t<dict>
        \t\t\t<key>name</key>
        \t\t\t<string>cart</string>
        \t\t\t<key>delegate</key>
        \t\t\t<string>CartApp</string>
        \t\t\t<key>description</key>
        \t\t\t<string>购物车</string>
        \t\t</dict>
        \t</array>
        \t<key>ServicesMap
        """)
    #expect(Self.text(added) == expected)
    #expect(try added.adding(app).bytes == added.bytes)
    let error = #expect(throws: ConfigError.self) { try file.adding(.init(name: "Launcher", delegate: "Other")) }
    #expect(error?.code == .runtimeNameTaken)
    #expect(error?.place == .text(file: name, line: 17, column: 12))
  }

  @Test("a new file grows from nothing, also where a section is missing")
  func empty() throws {
    let file = try MobileRuntimeFile.empty
      .adding(MobileRuntimeFile.Application(name: "a", delegate: "A"))
      .adding(MobileRuntimeFile.Service(name: "s", className: "S", interface: "P", isLazy: false, isSingleton: false))
      .adding(MobileRuntimeFile.Module(className: "M", level: 0, priority: 5)).settingLauncher("a")
    let again = try MobileRuntimeFile(file.bytes, file: "MobileRuntime.plist")
    #expect(again.launcher == "a")
    #expect(again.applications.map(\.delegate) == ["A"])
    #expect(again.services.map { [$0.isLazy, $0.isSingleton] } == [[false, false]])
    #expect(again.modules.map { [$0.level, $0.priority] } == [[0, 5]])
    #expect(again.unknownKeys.isEmpty)
  }

  @Test("entries of the wrong type or without a class are refused where they stand; unknown keys are noted")
  func malformed() throws {
    let cases: [(String, ConfigError.Code, Int)] = [
      ("<string>a</string>", .runtimeType, 2),
      ("<dict><key>Services</key>\n<dict/></dict>", .runtimeType, 3),
      ("<dict><key>Services</key><array>\n<string>a</string></array></dict>", .runtimeType, 3),
      (
        "<dict><key>Services</key><array>\n<dict><key>name</key><string>a</string></dict></array></dict>",
        .runtimeMember, 3
      ),
      ("<dict><key>Applications</key><array><dict><key>name</key>\n<true/></dict></array></dict>", .runtimeType, 3),
      ("<dict><key>Launcher</key>\n<true/></dict>", .runtimeType, 3),
    ]
    for (body, code, line) in cases {
      let error = #expect(throws: ConfigError.self) { try Self.read(body) }
      guard case .text(_, let found, _)? = error?.place else {
        Issue.record("\(body): no place")
        continue
      }
      #expect(error?.code == code, "\(body)")
      #expect(found == line, "\(body)")
    }
    let odd = try Self.read("<dict><key>Lancher</key><string>a</string></dict>")
    #expect(odd.unknownKeys.map(\.key) == ["Lancher"])
    #expect(odd.unknownKeys.first?.suggestion == "Launcher")
  }
}
