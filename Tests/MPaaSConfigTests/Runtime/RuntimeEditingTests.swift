import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Editing a runtime table") struct RuntimeEditingTests {
  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>Launcher</key>
      <string>home</string>
      <key>Applications</key>
      <array>
        <!-- the first one -->
        <dict>
          <key>name</key><string>home</string>
          <key>delegate</key><string>HomeApp</string>
        </dict>
        <dict>
          <key>name</key><string>cart</string>
          <key>delegate</key><string>CartApp</string>
        </dict>
      </array>
      <key>Services</key>
      <array>
        <dict>
          <key>name</key><string>pay</string>
          <key>class</key><string>PayService</string>
          <key>protocol</key><string>PayProtocol</string>
        </dict>
      </array>
    </dict>
    </plist>

    """

  static func file(_ text: String = Self.text) throws -> MobileRuntimeFile {
    try MobileRuntimeFile(Array(text.utf8), file: "MobileRuntime.plist")
  }

  @Test("what is added and removed again leaves the file byte for byte as it was")
  func roundTrip() throws {
    let file = try Self.file()
    let app = try file.adding(MobileRuntimeFile.Application(name: "mine", delegate: "MineApp", title: "Mine"))
    #expect(app.applications.count == 3)
    #expect(try app.removingApplication("mine").bytes == file.bytes)
    let service = try file.adding(MobileRuntimeFile.Service(name: "log", className: "LogService"))
    #expect(try service.removingService("log").bytes == file.bytes)
  }

  @Test("removing what is not there changes nothing, and comments stay")
  func absent() throws {
    let file = try Self.file()
    #expect(try file.removingApplication("none").bytes == file.bytes)
    #expect(try file.removingService("none").bytes == file.bytes)
    let removed = try file.removingApplication("cart")
    #expect(removed.applications.map(\.name) == ["home"])
    #expect(String(decoding: removed.bytes, as: UTF8.self).contains("<!-- the first one -->"))
  }

  @Test("the launcher goes only by force, and its key with it")
  func launcher() throws {
    let file = try Self.file()
    let error = #expect(throws: ConfigError.self) { try file.removingApplication("home") }
    #expect(error?.code == .runtimeLauncherNeeded)
    #expect(error?.place == .text(file: "MobileRuntime.plist", line: 5, column: 11))
    let forced = try file.removingApplication("home", force: true)
    #expect(forced.launcher == nil)
    #expect(forced.applications.map(\.name) == ["cart"])
  }

  @Test("entries that stand there twice go together, in BeeHive's file too")
  func twice() throws {
    let entry = "<dict><key>service</key><string>P</string><key>impl</key><string>C</string></dict>"
    let file = try Self.file("<plist><array>\(entry)\(entry)</array></plist>")
    #expect(try file.removingService("P").services.isEmpty)
  }

  @Test("old files of the kit are edited too", .fixtures)
  func legacy() throws {
    let folder = try Fixture.path("project/mpaas_legacy")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix("MobileRuntime.plist")
    }
    #expect(names.count >= 5)
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder).appending(path: name)))
      let file = try MobileRuntimeFile(bytes, file: name)
      let added = try file.adding(MobileRuntimeFile.Application(name: "mine", delegate: "MineApp"))
      let removed = try added.removingApplication("mine")
      #expect(
        removed.applications == file.applications || removed.applications.map(\.name) == file.applications.map(\.name))
      for service in file.services {
        #expect(try !file.removingService(service.name).services.contains { $0.name == service.name })
      }
      _ = RuntimeCheck.findings(in: [file], target: "App", sources: [])
    }
  }
}

@Suite("The check of runtime tables") struct RuntimeCheckTests {
  static let sources: [(file: String, bytes: [UInt8])] = [
    (
      "Home.swift",
      Array(
        """
        final class HomeApp: MicroAppDelegate {
          // context.service(named: "log")
          func open() { context.start(application: "cart") }
        }
        final class CartApp: MicroAppDelegate {
          func pay() throws { try context.service(for: (any PayProtocol).self) }
        }
        protocol PayProtocol {}
        final class PayService: MobileService {
          init(services: ServiceRegistry) throws { log = try services.service(named: "log") }
        }
        """.utf8)
    ),
    (
      "Log.m",
      Array(
        """
        @interface LogService : NSObject <DTService>
        @end
        @implementation LogService
        - (void)start {
          id pay = [[BeeHive shareInstance] createService:@protocol(PayProtocol)];
        }
        @end
        """.utf8)
    ),
  ]

  static func file() throws -> MobileRuntimeFile {
    try RuntimeEditingTests.file().adding(MobileRuntimeFile.Service(name: "log", className: "LogService"))
  }

  @Test("finds services that ask for each other, by name and by protocol, in Swift and Objective-C")
  func circle() throws {
    let findings = RuntimeCheck.findings(in: [try Self.file()], target: "Shop", sources: Self.sources)
    #expect(findings.map(\.diagnostic.id.name) == ["runtime-service-circle"])
    #expect(findings.first?.diagnostic.place == .text(file: "Home.swift", line: 10, column: 78))
    #expect(findings.first?.diagnostic.values["path"] == "pay (Home.swift:10:78) → log (Log.m:5:61) → pay")
  }

  @Test("finds duplicates, missing classes and a launcher that does not exist")
  func table() throws {
    var file = try Self.file().adding(MobileRuntimeFile.Application(name: "far", delegate: "FarApp"))
    file = try file.settingLauncher("hoem")
    let names = RuntimeCheck.findings(in: [file], target: "Shop", sources: Self.sources).map(\.diagnostic.id.name)
    #expect(Set(names) == ["runtime-launcher", "runtime-class-missing", "runtime-service-circle"])
    let twice = RuntimeCheck.findings(in: [try Self.file(), try Self.file()], target: "Shop", sources: [])
    #expect(Set(twice.map(\.diagnostic.id.name)) == ["runtime-duplicate"])
    #expect(twice.count == 4)
  }

  @Test("draws who asks for whom, comments left out")
  func graph() throws {
    let graph = RuntimeGraph(files: [try Self.file()], sources: Self.sources)
    let edges = graph.edges.map { "\(graph.nodes[$0.from].name) \(graph.nodes[$0.to].name)" }
    #expect(edges == ["home cart", "cart pay", "pay log", "log pay"])
    #expect(graph.nodes.filter { !$0.isKnown }.isEmpty)
    #expect(graph.nodes.first?.isLauncher == true)
    #expect(graph.circles.count == 1)
    #expect(graph.dot.hasPrefix("digraph runtime {\n"))
    #expect(graph.dot.contains("n0 -> n1"))
    #expect(graph.dot.contains("color=red"))
  }

  @Test("survives any source")
  func mutations() throws {
    var random = SeededRandom(seed: 3)
    let file = try Self.file()
    for _ in 0..<SeededRandom.rounds(or: 500) {
      let sources = Self.sources.map { source in
        var bytes = source.bytes
        for _ in 0..<5 {
          let at = Int.random(in: 0..<bytes.count, using: &random)
          if Bool.random(using: &random) {
            bytes.remove(at: at)
          } else {
            bytes[at] = UInt8.random(in: 0...255, using: &random)
          }
        }
        return (file: source.file, bytes: bytes)
      }
      _ = RuntimeGraph(files: [file], sources: sources).circles
    }
  }
}
