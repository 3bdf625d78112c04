import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The source of a runtime table") struct RuntimeTableSourceTests {
  static let applications = """
    <dict>
    <key>Launcher</key><string>demo</string>
    <key>Applications</key><array>
    <dict><key>name</key><string>demo</string><key>delegate</key><string>DemoApp</string></dict>
    </array></dict>
    """

  static func table(
    _ plist: String, _ source: String, _ dependencies: [RuntimeModule] = []
  ) throws -> RuntimeTableSource {
    let module = RuntimeModule(name: "Shop", sources: [("Sources/Shop/All.swift", Array(source.utf8))])
    return RuntimeTableSource(
      files: [try MobileRuntimeFileTests.read(plist)], target: module, dependencies: dependencies)
  }

  static func service(_ type: String, _ more: String = "") -> String {
    "<dict><key>Services</key><array><dict><key>name</key><string>pay</string><key>class</key><string>\(type)</string>\(more)</dict></array></dict>"
  }

  @Test("is written as a hand would, with the lines of the file")
  func written() throws {
    let table = try Self.table(Self.applications, "final class DemoApp: MicroAppDelegate { init() {} }")
    #expect(table.findings.isEmpty)
    #expect(
      table.source == """
        // Written by the build-tool plugin RuntimeTable from MobileRuntime.plist, the sources of Shop; changes are lost.

        import MPaaSFramework

        extension RuntimeTable {
          /// The micro-apps, services and modules of Shop.
          static let mobileRuntime = RuntimeTable(
            launcher: "demo",
            applications: [
              ApplicationEntry(name: "demo", delegate: DemoApp.self, place: SourcePlace("MobileRuntime.plist", line: 5)),
            ]
          )
        }

        """)
  }

  @Test("a module's level and priority are given where the file says them, else left to what the class declares")
  func modules() throws {
    let plist = """
      <dict><key>Modules</key><array>
      <dict><key>class</key><string>Cart</string></dict>
      <dict><key>class</key><string>Pay</string><key>level</key><integer>1</integer></dict>
      </array></dict>
      """
    let table = try Self.table(plist, "class Cart: FrameworkModule {}\nclass Pay: FrameworkModule {}")
    #expect(table.source.contains("ModuleEntry(type: Cart.self, place:"))
    #expect(table.source.contains("ModuleEntry(type: Pay.self, level: 1, place:"))
  }

  @Test("controllers that attach themselves are in the table, structures too")
  func controllers() throws {
    let source =
      "struct Cart: RegisteredController {}\nfinal class Pay: RegisteredController {}\nstruct No: RegisteredModule {}"
    let table = try Self.table(Self.applications, "class DemoApp: MicroAppDelegate {}\n" + source)
    #expect(table.findings.isEmpty)
    let place = #", place: SourcePlace("Sources/Shop/All.swift", line:"#
    #expect(table.source.contains("controllers: [\n      ControllerEntry(registered: Cart.self\(place) 2)),\n"))
    #expect(table.source.contains("ControllerEntry(registered: Pay.self\(place) 3)),\n    ]"))
    #expect(!table.source.contains("No.self"))
  }

  @Test("a class that no source declares is an error where it stands, with the one that was meant")
  func missing() throws {
    let table = try Self.table(Self.service("DemoServce"), "\n\nclass DemoService: MobileService {}")
    #expect(table.hasErrors)
    #expect(
      table.findings.map(\.line) == [
        "MobileRuntime.plist:2:98: error: Class 'DemoServce' of service 'pay' is not declared in target 'Shop'. "
          + "Did you mean 'DemoService' (Sources/Shop/All.swift:3)?"
      ])
    let nested = try Self.table(Self.service("Pay"), "enum Shop { class Pay: MobileService {} }")
    #expect(nested.findings.first?.diagnostic.values["suggestion"] == "Shop.Pay")
    let other = RuntimeModule(name: "Other", sources: [("O.swift", Array("public class Pay: MobileService {}".utf8))])
    let foreign = try Self.table(Self.service("Pay"), "", [other])
    #expect(foreign.findings.first?.diagnostic.values["suggestion"] == "Other.Pay")
  }

  @Test("classes are found by their Objective-C name, their module and the types around them")
  func names() throws {
    let source = "@objc(SHPay) public final class Pay: MobileService {}\nenum In { actor Ner: MobileService {} }"
    for (name, expected) in [("SHPay", "Pay.self"), ("Shop.Pay", "Pay.self"), ("In.Ner", "In.Ner.self")] {
      let table = try Self.table(Self.service(name), source)
      #expect(table.findings.isEmpty, "\(table.findings)")
      #expect(table.source.contains("type: \(expected)"), "\(table.findings)")
    }
    let other = RuntimeModule(
      name: "Other",
      sources: [("O.swift", Array("public class Pay: MobileService {}\nclass Hid: MobileService {}".utf8))])
    let foreign = try Self.table(Self.service("Other.Pay"), "", [other])
    #expect(foreign.source.contains("import MPaaSFramework\nimport Other\n"))
    #expect(foreign.source.contains("type: Other.Pay.self"))
    #expect(
      try Self.table(Self.service("Other.Hid"), "", [other]).findings.map(\.diagnostic.id.name) == [
        "runtime-class-private"
      ])
    let known = RuntimeModule(name: "Far", types: [], isComplete: false)
    #expect(try Self.table(Self.service("Far.Pay"), "", [known]).findings.isEmpty)
    #expect(try Self.table(Self.service("Near.Pay"), "", [known]).hasErrors)
  }

  static let wrong: [(String, String, String)] = [
    ("struct Pay: MobileService {}", "runtime-class-kind", "a struct"),
    ("class Pay<T>: MobileService {}", "runtime-class-kind", "generic"),
    ("private class Pay: MobileService {}", "runtime-class-private", "private"),
    ("class Pay: Codable {}", "runtime-class-conformance", "MobileService"),
    ("class Pay {}", "runtime-class-conformance", "MobileService"),
  ]

  @Test("what cannot be a service is told", arguments: wrong)
  func kinds(source: String, id: String, word: String) throws {
    let table = try Self.table(Self.service("Pay"), source)
    #expect(table.findings.map(\.diagnostic.id.name) == [id])
    #expect(table.findings.first?.line.contains(word) == true)
    #expect(table.hasErrors == (id != "runtime-class-conformance"))
  }

  static let right = [
    "class Pay: MobileService {}", "class Pay: Paying {}\nprotocol Paying: Sendable, MobileService {}",
    "class Base: MPaaSFramework.MobileService {}\nfinal class Pay: Base, @unchecked Sendable {}",
    "class Pay {}\nextension Pay: MobileService {}", "class Pay: Unknown {}", "@Service class Pay {}",
    "class Pay: RegisteredServiceX & MobileService {}",
  ]

  @Test("nothing is said where a class may well conform", arguments: right)
  func conforming(source: String) throws {
    #expect(try Self.table(Self.service("Pay"), source).findings.isEmpty)
  }

  @Test("services say what is not usual, and their protocol")
  func services() throws {
    let more =
      "<key>protocol</key><string>Paying</string><key>lazyLoading</key><string>NO</string><key>singleton</key><false/>"
    let table = try Self.table(Self.service("Pay", more), "protocol Paying {}\nclass Pay: MobileService {}")
    #expect(table.source.contains("interface: (any Paying).self, isLazy: false, isSingleton: false,"))
    let missing = try Self.table(Self.service("Pay", more), "protocol Payin {}\nclass Pay: MobileService {}")
    #expect(
      missing.findings.first?.line.contains(
        "Protocol 'Paying' of service 'pay' is not declared in target 'Shop'. Did you mean 'Payin'") == true)
  }

  @Test("types that register themselves are added with their line; a private one cannot be")
  func registered() throws {
    let source = """
      final class Cart: RegisteredApplication {}
      class Pay {}
      extension Pay: @unchecked Sendable, MPaaSFramework.RegisteredService {}
      class Log: RegisteredModule {}
      protocol Own: RegisteredModule {}
      fileprivate class Hidden: RegisteredModule {}
      """
    let table = try Self.table("<dict><key>Launcher</key><string>any</string></dict>", source)
    #expect(table.findings.map(\.diagnostic.id.name) == ["runtime-class-private"])
    for line in [
      "ApplicationEntry(registered: Cart.self, place: SourcePlace(\"Sources/Shop/All.swift\", line: 1))",
      "ServiceEntry(registered: Pay.self, place: SourcePlace(\"Sources/Shop/All.swift\", line: 2))",
      "ModuleEntry(registered: Log.self, place: SourcePlace(\"Sources/Shop/All.swift\", line: 4))",
    ] {
      #expect(table.source.contains(line))
    }
    let twice = try Self.table(Self.service("Pay"), "class Pay: RegisteredService {}")
    #expect(
      twice.findings.map(\.line) == [
        "Sources/Shop/All.swift:1:7: warning: 'Pay' registers itself and stands in MobileRuntime.plist too; the entry there counts."
      ])
    #expect(twice.source.contains("registered:") == false)
  }

  @Test("types that exist under a condition are in the table under it")
  func conditions() throws {
    let source = "#if os(iOS)\nclass DemoApp: MicroAppDelegate {}\n#endif"
    let table = try Self.table(Self.applications, source)
    #expect(table.findings.isEmpty)
    #expect(
      table.source.contains(
        "    #if os(iOS)\n      table.applications.append(\n        ApplicationEntry(name: \"demo\""))
    #expect(table.source.contains("    return table\n  }()\n"))
    let both = try Self.table(
      Self.applications, source.replacing("#endif", with: "#else\nclass DemoApp: MicroAppDelegate {}\n#endif"))
    #expect(!both.source.contains("#if"))
  }

  @Test("names are unique, the launcher is a micro-app, unknown keys are warned of")
  func names_and_launcher() throws {
    let entry = "<dict><key>name</key><string>demo</string><key>delegate</key><string>DemoApp</string></dict>"
    let twice = try Self.table(
      Self.applications.replacing("</array>", with: entry + "</array>"), "class DemoApp: MicroAppDelegate {}")
    #expect(
      twice.findings.first?.line.hasSuffix(
        "error: application 'demo' is registered already, at MobileRuntime.plist:5:30.") == true)
    let launcher = try Self.table(
      Self.applications.replacing("<string>demo</string>\n", with: "<string>dmo</string>\n"),
      "class DemoApp: MicroAppDelegate {}")
    #expect(
      launcher.findings.map(\.line) == [
        "MobileRuntime.plist:3:28: error: No application is called 'dmo', which is to be started first. Did you mean 'demo'?"
      ])
    let odd = try Self.table("<dict><key>Servces</key><array/></dict>", "")
    #expect(
      odd.findings.map(\.line) == [
        "MobileRuntime.plist:2:7: warning: The key 'Servces' says nothing to the framework. Did you mean 'Services'?"
      ])
    #expect(odd.source.contains("  static let mobileRuntime = RuntimeTable()\n"))
  }

  @Test("names with quotes, backslashes and controls are written as literals")
  func literals() throws {
    let plist = Self.applications.replacing("<string>demo</string>", with: "<string>a\"b\\(c)&#10;&#8;d</string>")
    let table = try Self.table(plist, "class DemoApp: MicroAppDelegate {}")
    #expect(table.source.contains(#"launcher: "a\"b\\(c)\n\u{8}d""#))
  }

  @Test("says in English what the catalogue says")
  func sentences() throws {
    let path = "Sources/MPaaSTerminal/Catalogue/Texts/config.en.json"
    let data = try Data(contentsOf: Fixture.package.appending(path: path))
    let texts = try JSONDecoder().decode([String: String].self, from: data)
    for (id, sentence) in EnglishSentences.all { #expect(texts["diagnostic.\(id)"] == sentence) }
    let ids = texts.keys.filter { $0.split(separator: ".").count == 2 }.map { String($0.dropFirst(11)) }
    #expect(Set(ids) == Set(EnglishSentences.all.keys))
  }
}
