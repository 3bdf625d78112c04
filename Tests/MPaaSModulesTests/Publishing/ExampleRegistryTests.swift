import Foundation
import MPaaSDigests
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// A program that serves files until the test is over.
private final class Server {
  private let process = Process()
  private let folder: TemporaryFolder

  init(_ program: String, _ arguments: [String]) throws {
    folder = try TemporaryFolder()
    let output = folder.url.appending(path: "out")
    try Data().write(to: output)
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
  }

  /// The first line that it prints, read as JSON.
  func line() throws -> [String: Any] {
    for _ in 0..<500 {
      let text = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
      if text.contains("\n") {
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return [:]
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}

@Suite("The example registry", .tool("python3"), .tool("cc"), .serialized) struct ExampleRegistryTests {
  private func registry() throws -> String { try ExampleRegistry.folder() }

  /// Follows the repository at `url`, and reads an index and an archive that it names.
  private func read(_ url: String) throws {
    let folder = try TemporaryFolder()
    let fetch = try RepositoryFetch(
      metadata: [url + "/metadata/"], targets: [url + "/targets/"], http: .live(userAgent: "mpaas-test"),
      scratch: folder.path)
    var client = RepositoryClient(metadataFolder: folder.path + "/metadata", fetch: fetch)
    let root = try Data(contentsOf: URL(filePath: try registry() + "/metadata/1.root.json"))
    try client.initialize(root: [UInt8](root))
    try client.refresh()
    func fetched(_ name: String) throws -> Bytes {
      let target = try #require(try client.target(name))
      let path = folder.path + "/file"
      try? FileManager.default.removeItem(atPath: path)
      #expect(try client.download(target, to: path))
      return try Bytes.mapping(path)
    }
    let index = try ModuleIndex(reading: try fetched("sdk/APLog/index.json"))
    let wanted = try #require(ModuleVersion("3.0.2.190701174234"))
    let release = try #require(index.release(wanted))
    let archive = try fetched("sdk/APLog/" + release.archive.name)
    #expect(archive.sha256.hexadecimal == release.archive.sha256)
    #expect(UInt64(archive.count) == release.archive.size)
    let check = try ModuleArchiveCheck(archive, name: release.archive.name)
    #expect(check.manifest == release.manifest)
    #expect(!check.hasErrors)
    let log = try ModuleIndex(reading: try fetched("sdk/mPaaS_Log/index.json"))
    #expect(log.newest?.manifest.dependencies.contains { $0.name == "APRemoteLogging" } == true)
    #expect(log.newest?.manifest.contents == ModuleContents())
  }

  @Test("it has at least 30 modules in several versions, among them all of the old lists", .fixtures)
  func modules() throws {
    var draft = try RepositoryEditor(try registry()).read()
    let indexes = try ModuleShelf(reading: &draft).indexes
    #expect(indexes.values.count { $0.releases.count > 1 } >= 30)
    let folder = try Fixture.path("project/mpaas_legacy")
    let lists = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".config") }
    #expect(lists.count == 2)
    for list in lists {
      let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + "/" + list)))
      let targets = try #require((document as? [String: Any])?["targets"] as? [String: [String: Any]])
      for products in targets.values.compactMap({ $0["versions"] as? [String: [String: String]] }) {
        for (product, frameworks) in products {
          #expect(indexes[product] != nil, "\(product)")
          for (name, version) in frameworks {
            let wanted = try #require(ModuleVersion(version))
            #expect(indexes[name]?.release(wanted) != nil, "\(name) \(version)")
          }
        }
      }
    }
  }

  @Test("our server serves it to our client")
  func served() throws {
    let server = try Server(
      Command.mpaas.path,
      ["registry", "serve", "--listen", "127.0.0.1:0", "--json", "--repository", try registry()])
    let url = try #require(try server.line()["url"] as? String)
    try read(url)
    withExtendedLifetime(server) {}
  }

  @Test("nginx serves it to our client", .tool("nginx"), .tool("curl"))
  func nginx() throws {
    let folder = try TemporaryFolder()
    let port = Int.random(in: 20_000..<30_000)
    let configuration = """
      daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/errors;
      events {}
      http {
        access_log off;
        client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p; fastcgi_temp_path \(folder.path)/f;
        uwsgi_temp_path \(folder.path)/u; scgi_temp_path \(folder.path)/s;
        server { listen 127.0.0.1:\(port); root \(try registry()); }
      }
      """
    try Data(configuration.utf8).write(to: folder.url.appending(path: "nginx.conf"))
    let program = try #require(Command.find("nginx"))
    let server = try Server(program, ["-p", folder.path, "-c", folder.path + "/nginx.conf", "-e", folder.path + "/e"])
    let url = "http://127.0.0.1:\(port)"
    for _ in 0..<200 {
      let answer = try Command.run("curl", ["-sf", "-o", "/dev/null", url + "/metadata/timestamp.json"])
      if answer.status == 0 { break }
      Thread.sleep(forTimeInterval: 0.02)
    }
    try read(url)
    withExtendedLifetime(server) {}
  }
}
