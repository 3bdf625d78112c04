import MPaaSModules
import MPaaSTestSupport
import Testing

@Suite("Versions of modules") struct VersionTests {
  @Test("versions order as Semantic Versioning says, over four numbers")
  func order() throws {
    let texts = [
      "0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
      "1.0.0.1", "3.0.2.190701174234", "3.0.2.190701174235", "3.0.3",
    ]
    let versions = try texts.map { try #require(ModuleVersion($0)) }
    #expect(versions.reversed().sorted().map(\.text) == texts)
    #expect(ModuleVersion("1") == ModuleVersion("1.0.0.0+build"))
  }

  @Test(
    "what is no version is refused", arguments: ["", ".", "1.", "1.2.3.4.5", "v1", "1.-1", "1.0-", "1.0-a..b", "1 .0"])
  func noVersion(_ text: String) { #expect(ModuleVersion(text) == nil) }

  @Test(
    "a requirement holds what its text says and nothing else",
    arguments: [
      (">=1.2,<2", ["1.2", "1.99.9"], ["1.1.9", "2.0", "2.1"]),
      ("==1.0", ["1", "1.0.0"], ["1.0.1"]),
      ("1.4.2", ["1.4.2"], ["1.4.3"]),
      ("^1.2.3", ["1.2.3", "1.9"], ["1.2.2", "2.0.0", "2.0.0-beta"]),
      ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "1.0"]),
      ("^0.0.3", ["0.0.3", "0.0.3.7"], ["0.0.4"]),
      ("~1.2.3", ["1.2.3", "1.2.9"], ["1.3"]),
      ("~1", ["1.0", "1.9"], ["2.0"]),
      ("~>1.2.3", ["1.2.9"], ["1.3"]),
      ("~>1.2", ["1.9"], ["2.0"]),
      ("1.2.*", ["1.2", "1.2.7"], ["1.3"]),
      ("!=1.4", ["1.3", "1.5"], ["1.4.0"]),
      ("^1 || ^3", ["1.5", "3.2"], ["2.0", "4"]),
      ("*", ["0", "99"], []),
      ("^3.0.2.190701174234", ["3.0.2.190701174234", "3.1"], ["3.0.2.190701174233", "4"]),
    ])
  func requirement(_ text: String, _ inside: [String], _ outside: [String]) throws {
    let requirement = try #require(VersionRequirement(text))
    for text in inside { #expect(requirement.contains(try #require(ModuleVersion(text))), "\(text)") }
    for text in outside { #expect(!requirement.contains(try #require(ModuleVersion(text))), "\(text)") }
  }

  @Test("what is no requirement is refused", arguments: [">", ">=", "^", "1..2", ">=1,", "1.2.3.4.*", "|", "~x"])
  func noRequirement(_ text: String) { #expect(VersionRequirement(text) == nil) }
}
