import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A project of the old kit that gets an mpaas.toml") struct ImportedManifestTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Directories.create(folder.path + "/MPaaS")
    let text = #"{"project":"Shop","targets":{"App":{"versions":{"Log":{"APLog":"1.0.0"}}}}}"#
    try Data(text.utf8).write(to: folder.url.appending(path: "MPaaS/mpaas_sdk.config"))
  }

  @Test("is found in its folder, and asks for the frameworks that it had")
  func read() throws {
    let made = try ImportedManifest(reading: nil, in: folder.path)
    #expect(made.file == folder.path + "/MPaaS/mpaas_sdk.config")
    #expect(made.modules.count == 1)
    #expect(made.text.contains("APLog = \"==1.0.0\""))
    #expect(FileStatus(made.path) == nil)
  }

  @Test("does not lose a manifest that is there")
  func exists() throws {
    let made = try ImportedManifest(reading: nil, in: folder.path)
    try made.write(force: false)
    #expect(try ProjectFiles(in: folder.path).manifest.name == "Shop")
    let error = #expect(throws: ModuleError.self) { try made.write(force: false) }
    #expect(error?.code.id == "project-exists")
    try made.write(force: true)
  }

  @Test("has to be there")
  func missing() throws {
    let empty = try TemporaryFolder()
    let error = #expect(throws: ModuleError.self) { try ImportedManifest(reading: nil, in: empty.path) }
    #expect(error?.code.id == "legacy-missing")
  }
}
