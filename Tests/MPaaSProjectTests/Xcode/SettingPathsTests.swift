import Testing

@testable import MPaaSProject

@Suite("The paths in build settings") struct SettingPathsTests {
  private func paths(_ settings: [String: PBXValue] = [:]) -> SettingPaths {
    let members = settings.sorted { $0.key < $1.key }.map { PBXMember($0.key, $0.value) }
    return SettingPaths(members, target: "App", configuration: "Debug", bundle: "Shop.xcodeproj")
  }

  @Test(
    "hold words of the project, the target and the configuration",
    arguments: [
      ("$(SRCROOT)/a.plist", "a.plist"), ("${PROJECT_DIR}/a", "a"), ("$(SOURCE_ROOT)", ""), ("a/b.plist", "a/b.plist"),
      ("$(TARGET_NAME)/$(TARGETNAME).plist", "App/App.plist"), ("$(PROJECT_NAME)-$(CONFIGURATION)", "Shop-Debug"),
      ("/opt/$(PROJECT)", "/opt/Shop"),
    ])
  func words(text: String, path: String) {
    #expect(paths().path(text) == path)
  }

  @Test("hold what the target sets itself, through several settings")
  func ownSettings() {
    let paths = paths(["A": "$(B)/a", "B": "$(TARGET_NAME)/b"])
    #expect(paths.path("$(A)/c") == "App/b/a/c")
  }

  @Test(
    "are not known where only the build knows them",
    arguments: ["$(UNKNOWN)/a", "$(HOME)", "$A/b", "$", "a$", "$(A", "${A)", "$(SRCROOT:dir)", "$()"])
  func unknown(text: String) {
    #expect(paths().path(text) == nil)
  }

  @Test("are not known where a setting has conditions, or is a list")
  func conditions() {
    #expect(paths(["A": "a", "A[sdk=macosx*]": "b"]).path("$(A)") == nil)
    #expect(paths(["A": ["a", "b"]]).path("$(A)") == nil)
  }

  @Test("are not followed in circles")
  func circles() {
    #expect(paths(["A": "$(A)"]).path("$(A)") == nil)
    #expect(paths(["A": "$(B)", "B": "$(A)"]).path("$(A)") == nil)
  }

  @Test("do not grow without end")
  func growth() {
    var settings: [String: PBXValue] = ["S8": "x"]
    for number in 0..<8 { settings["S\(number)"] = .string("$(S\(number + 1))$(S\(number + 1))") }
    #expect((paths(settings).path("$(S1)") ?? "").utf8.count == 128)
    #expect(paths(settings).path("$(S0)") == nil)
  }

  @Test("are those of a setting under every condition, empty ones left out")
  func values() {
    let paths = paths(["A": "a", "A[sdk=macosx*]": "b", "AB": "c", "A[x]": ""])
    #expect(paths.values("A").sorted() == ["a", "b"])
    #expect(paths.values("none") == [])
  }
}
