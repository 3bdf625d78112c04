import MPaaSFramework
import Testing

@Suite("The runtime table") struct RuntimeTableTests {
  @Test("a place is told as file and line")
  func place() {
    #expect("\(SourcePlace("MobileRuntime.plist", line: 12))" == "MobileRuntime.plist:12")
  }
}

@Suite("Joined runtime tables") @MainActor struct JoinedTableTests {
  final class Other: MicroAppDelegate { init() {} }

  @Test("give one context; the same entry in two of them counts once")
  func joined() throws {
    let home = ApplicationEntry(name: "home", delegate: Probe.self, place: place(1))
    let context = try MobileContext(
      RuntimeTable(launcher: "home", applications: [home], services: [ServiceEntry(name: "g", type: Greeter.self)]),
      RuntimeTable(
        launcher: "home", applications: [home, ApplicationEntry(name: "cart", delegate: Other.self)],
        services: [ServiceEntry(name: "g", type: Greeter.self)]))
    #expect(context.applications.map(\.name) == ["home", "cart"])
    #expect(context.services.entries.count == 1)
  }

  @Test("that disagree are refused with both lines")
  func disagree() throws {
    let first = RuntimeTable(
      launcher: "home", applications: [ApplicationEntry(name: "home", delegate: Probe.self, place: place(1))])
    let second = RuntimeTable(
      applications: [
        ApplicationEntry(name: "home", delegate: Other.self, place: SourcePlace("Other.plist", line: 5))
      ])
    let twice = #expect(throws: FrameworkError.self) { try MobileContext(first, second) }
    #expect(twice?.code == .applicationRegisteredTwice)
    #expect(twice?.place == place(1))
    #expect(twice?.description.contains("Other.plist:5") == true)
    let launchers = #expect(throws: FrameworkError.self) { try MobileContext(first, RuntimeTable(launcher: "cart")) }
    #expect(launchers?.code == .launcherAmbiguous)
  }

  final class Named: RegisteredApplication {
    static let registration = ApplicationRegistration(name: "named", title: "Named")
    init() {}
  }

  @Test("take a micro-app that registers itself with what it says, else with its type's name")
  func registered() {
    final class Plain: RegisteredApplication { init() {} }
    let entry = ApplicationEntry(registered: Named.self, place: place(3))
    #expect(entry.name == "named")
    #expect(entry.title == "Named")
    #expect(entry.place == place(3))
    #expect(ApplicationEntry(registered: Plain.self).name == "Plain")
  }

  @Test(
    "a language is chosen by the locale",
    arguments: [
      ("zh_CN.UTF-8", TextLanguage.simplifiedChinese), ("zh-Hans", .simplifiedChinese), ("zh_TW", .english),
      ("en_GB", .english), ("zha", .english), ("", .english),
    ])
  func language(_ locale: String, _ language: TextLanguage) { #expect(TextLanguage(locale: locale) == language) }
}
