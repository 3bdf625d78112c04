import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("The sandbox") struct SandboxTests {
  private static func sandbox(_ home: String, _ more: [String: String] = [:]) throws -> MPaaSStorage.Sandbox {
    try MPaaSStorage.Sandbox(app: "orderbook", environment: ["HOME": home].merging(more) { $1 })
  }

  @Test("has the folders of the XDG specification, below them one of the app's name")
  func folders() throws {
    let plain = try Self.sandbox("/home/ann")
    #expect(plain.library == "/home/ann/.local/share/orderbook")
    #expect(plain.documents == "/home/ann/.local/share/orderbook/Documents")
    #expect(plain.preferences == "/home/ann/.config/orderbook")
    #expect(plain.caches == "/home/ann/.cache/orderbook")
    #expect(plain.temporary == "/home/ann/.cache/orderbook/tmp")
    #expect(FileManager.default.fileExists(atPath: plain.app))
    let chosen = try Self.sandbox(
      "/home/ann",
      [
        "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative", "XDG_CACHE_HOME": "/cache",
        "XDG_RUNTIME_DIR": "/run/u",
      ])
    #expect(chosen.library == "/data/orderbook")
    #expect(chosen.preferences == "/home/ann/.config/orderbook")
    #expect(chosen.caches == "/cache/orderbook")
    #expect(chosen.temporary == "/run/u/orderbook")
  }

  @Test("takes the home of the account where HOME is missing, and refuses names that lead elsewhere")
  func names() throws {
    let found = try MPaaSStorage.Sandbox(app: "a", environment: [:], accountHome: { "/home/of/account" })
    #expect(found.caches == "/home/of/account/.cache/a")
    #expect(throws: StorageError.self) { try MPaaSStorage.Sandbox(app: "a", environment: [:], accountHome: { nil }) }
    for name in ["", ".", "..", "a/b", "/a", "a\n"] {
      #expect(throws: StorageError.self) { try MPaaSStorage.Sandbox(app: name, environment: ["HOME": "/h"]) }
    }
  }

  @Test("makes folders and files for their owner alone, and removes what is in it")
  func touch() throws {
    let folder = try TemporaryFolder()
    let sandbox = try Self.sandbox(folder.path)
    let deep = sandbox.caches + "/a/b"
    #expect(try sandbox.touch(deep) == deep)
    #expect(try sandbox.touch(deep) == deep)
    let file = try sandbox.touch(file: deep + "/f")
    try sandbox.touch(file: file)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try sandbox.remove(sandbox.caches + "/a")
    #expect(!FileManager.default.fileExists(atPath: deep))
    try sandbox.remove(sandbox.caches + "/a")
  }

  @Test("refuses paths outside of it, and to remove its own folders")
  func outside() throws {
    let folder = try TemporaryFolder()
    let sandbox = try Self.sandbox(folder.path)
    try sandbox.touch(sandbox.library)
    for path in [
      folder.path, "/etc/passwd", sandbox.caches + "/../x", sandbox.caches + "x", "", sandbox.library + "/..",
      sandbox.library, sandbox.documents,
    ] {
      let error = #expect(throws: StorageError.self) { try sandbox.remove(path) }
      #expect(error?.identifier == "storage-path-outside")
      if path != sandbox.library, path != sandbox.documents {
        #expect(throws: StorageError.self) { try sandbox.touch(path) }
      }
      #expect(throws: StorageError.self) { try sandbox.touch(file: path) }
    }
    #expect(FileManager.default.fileExists(atPath: sandbox.library))
  }
}
