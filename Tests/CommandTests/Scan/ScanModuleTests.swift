import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas scan with a project's lock", .tool("python3"), .tool("cc")) struct ScanModuleTests {
  @Test("names parts by the modules that they are code of, and lists those that are not there")
  func lock() throws {
    let project = try SampleProject("[modules]\n")
    #expect(try project.module("add", "Tally", "Slug").status == 0)
    // A finished app has the library stripped, and at another place.
    let app = project.folder.appending(path: "App")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    let placed = project.path + "/MPaaS/Modules/Tally/lib/libtally.so"
    try FileManager.default.copyItem(atPath: placed, toPath: app.path + "/libother.so")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: app.path + "/libother.so")
    if Command.find("strip") != nil { _ = try Command.run("strip", [app.path + "/libother.so"]) }
    let outcome = try Command.run(
      "mpaas", ["scan", "sbom", "App", "--lock", "mpaas.lock", "--json"], environment: ["MPAAS_HOME": project.home],
      directory: project.folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let bill = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let parts = try #require(bill?["components"] as? [[String: Any]])
    func source(_ name: String) -> String? {
      let part = parts.first { $0["name"] as? String == name }
      let properties = part?["properties"] as? [[String: String]]
      return properties?.first { $0["name"] == "mpaas:source" }?["value"]
    }
    #expect(source("Tally") == "module" && source("Slug") == "mpaas.lock")
    let broken = try Command.run(
      "mpaas", ["scan", "sbom", "App", "--lock", "mpaas.toml"], directory: project.folder)
    #expect(broken.status == 65 && broken.output.isEmpty)
  }
}
