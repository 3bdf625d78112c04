import MPaaSConfig
import MPaaSSupport
import Testing

@Suite("Errors with codes") struct ConfigErrorTests {
  @Test("an error of another part keeps its word, its values and its exit status")
  func wrapped() {
    let code = ConfigError.Code("sample-word", exit: .notPermitted)
    #expect(ConfigError(ConfigError(code, ["name": "a"])) == ConfigError(code, ["name": "a"]))
  }
}
