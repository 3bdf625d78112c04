import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas module init") struct ModuleInitTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write("CartKit/include/cart.h", "int cart(void);\n")
    try write("CartKit/LICENSE", "MIT License\n\nCopyright …\n")
  }

  private func write(_ path: String, _ text: String) throws {
    let url = folder.url.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private var manifest: String {
    get throws { try String(contentsOfFile: folder.path + "/CartKit/module.toml", encoding: .utf8) }
  }

  @Test("writes what it finds, never over what is there, and the result can be packed")
  func written() throws {
    let made = try mpaas("module", "init", folder.path + "/CartKit")
    #expect(made.status == 0, "\(made)")
    let text = try manifest
    for line in [
      "name = \"CartKit\"", "version = \"0.1.0\"", "license = \"MIT\"", "headers = [\"include\"]", "# summary",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    let again = try mpaas("module", "init", folder.path + "/CartKit", "--name", "Other")
    #expect(again.status == 73, "\(again)")
    #expect(try manifest == text)
    let packed = try mpaas("registry", "pack", folder.path + "/CartKit", "--output", folder.path + "/dist")
    #expect(packed.status == 0, "\(packed)")
  }

  @Test("is done by registry pack --init where a folder has no manifest")
  func packing() throws {
    let refused = try mpaas("registry", "pack", folder.path + "/CartKit", "--output", folder.path + "/dist")
    #expect(refused.status != 0)
    let packed = try mpaas("registry", "pack", "--init", folder.path + "/CartKit", "--output", folder.path + "/dist")
    #expect(packed.status == 0, "\(packed)")
    #expect(packed.errors.contains("module.toml"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/dist/CartKit-0.1.0.tar.zst"))
  }

  @Test("refuses a name that no module can have")
  func name() throws {
    let refused = try mpaas("module", "init", folder.path + "/CartKit", "--name", "a b")
    #expect(refused.status == 65, "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/CartKit/module.toml"))
  }
}
