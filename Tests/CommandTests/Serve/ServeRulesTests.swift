import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas serve --rules") struct ServeRulesTests {
  @Test("ends with the place of a rule that cannot be read, and where the file is missing")
  func refused() throws {
    let home = try TemporaryFolder()
    let rules = home.path + "/rules"
    try Data("# ours\nmerge 1:xyz 1:abc\n".utf8).write(to: URL(filePath: rules))
    let data = home.path + "/server"
    let wrong = try mpaas(["serve", "--data", data, "--listen", "127.0.0.1:0", "--rules", rules], home: home)
    #expect(wrong.status == 78)
    #expect(wrong.errors.contains("rules:2:7"), "\(wrong.errors)")
    #expect(wrong.output.isEmpty, "\(wrong.errors)")
    let missing = try mpaas(
      ["serve", "--data", data, "--listen", "127.0.0.1:0", "--rules", home.path + "/none"], home: home)
    #expect(missing.status == 66, "\(missing.errors)")
  }
}
