import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Registries that are not to be trusted: the reason is told, and nothing is offered.
@Suite("Registries of modules") struct ModuleTrustTests {
  /// Asks for everything that is offered; the codes of the refusals.
  private func refusals(_ server: TestServer, _ status: Int, isChosen: Bool = true) async throws -> Set<String> {
    var codes: Set<String> = []
    let paths =
      [ConsolePaths.modules] + (isChosen ? ["/manifest", "/lock", "/archive"].map { server.modules + $0 } : [])
    for path in paths {
      let answer = try await server.send("GET", path)
      #expect(answer.status == status, "\(path): \(answer.text)")
      codes.insert(answer.json["code"] as? String ?? "")
    }
    let choice = try await server.choose(#"{"modules":{"Network":"*"}}"#)
    #expect(choice.status == status, "\(choice.text)")
    let page = try await server.send("GET", server.modulePage)
    #expect(page.status == 200 && page.text.contains("role=alert") && page.text.contains("Nothing is offered now:"))
    #expect(!page.text.contains("name=use") && !page.text.contains("modules.zip"), "\(page.text)")
    return codes
  }

  private func change(_ file: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
    body(&bytes)
    try Data(bytes).write(to: URL(filePath: file))
  }

  @Test("that are damaged offer nothing, and go on when they are mended")
  func damaged() async throws {
    let registry = try SignedModules.shop()
    let server = try await TestServer.offering(registry)
    _ = try await server.chosen(#"{"modules":{"Payment":"^2"}}"#)
    let timestamp = registry.path + "/metadata/timestamp.json"
    let whole = try Data(contentsOf: URL(filePath: timestamp))
    try change(timestamp) { $0[$0.count / 2] ^= 1 }
    server.services.modules?.forget()
    let codes = try await refusals(server, 502)
    #expect(codes.count == 1 && codes.first?.hasPrefix("metadata-") == true, "\(codes)")
    // The choice itself is still told, with the reason.
    let told = try await server.send("GET", server.modules)
    #expect((told.json["problem"] as? [String: Any])?["code"] as? String == codes.first, "\(told.text)")
    #expect((told.json["chosen"] as? [Any])?.count == 2)
    try whole.write(to: URL(filePath: timestamp))
    server.services.modules?.forget()
    #expect(try await server.send("GET", server.modules + "/archive").status == 200)
    await server.end()
  }

  @Test("that have expired offer nothing, though they were right a moment ago")
  func expired() async throws {
    let start = Date().timeIntervalSince1970.rounded()
    let time = Time(start)
    let registry = try SignedModules.shop(days: ["timestamp": 1], made: Date(timeIntervalSince1970: start - 86_000))
    let server = try await TestServer.offering(registry, time: time)
    _ = try await server.chosen(#"{"modules":{"Log":"*"}}"#)
    time.now = start + 500
    let codes = try await refusals(server, 502)
    #expect(codes == ["timestamp-frozen"])
    await server.end()
  }

  @Test("that another root is pinned for, that are of another key, or that do not answer offer nothing")
  func others() async throws {
    let (registry, other) = (try SignedModules.shop(), try SignedModules.shop())
    let foreign = try await TestServer.offering(registry, root: other.root)
    let codes = try await refusals(foreign, 502, isChosen: false)
    #expect(codes.count == 1 && codes.first?.contains("threshold") == true, "\(codes)")
    await foreign.end()
    let gone = try await TestServer.offering(registry, at: ["http://127.0.0.1:1/registry"])
    _ = try await refusals(gone, 503, isChosen: false)
    await gone.end()
  }

  @Test("whose archives are damaged give no archive, and what an app chose but is offered no more can be done without")
  func archives() async throws {
    let registry = try SignedModules.shop()
    let server = try await TestServer.offering(registry)
    _ = try await server.chosen(#"{"modules":{"Log":"*","Network":"^3"}}"#)
    let folder = registry.path + "/targets/sdk/Log"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix("Log-1.0.0.tar.zst") })
    let whole = try Data(contentsOf: URL(filePath: folder + "/" + name))
    try FileManager.default.removeItem(atPath: folder + "/" + name)
    try Data(whole.reversed()).write(to: URL(filePath: folder + "/" + name))
    let refused = try await server.send("GET", server.modules + "/archive")
    #expect(refused.status == 502 && refused.json["code"] as? String == "archive-digest-mismatch", "\(refused.text)")
    let packed = server.folder.path + "/data/modules/packed"
    #expect(((try? FileManager.default.contentsOfDirectory(atPath: packed)) ?? []).isEmpty)
    // A module that its registry takes away.
    try registry.remove("Log")
    server.services.modules?.forget()
    let gone = try await server.send("GET", server.modules + "/archive")
    #expect(gone.status == 404 && gone.json["code"] as? String == "locked-version-gone", "\(gone.text)")
    let page = try await server.send("GET", server.modulePage)
    #expect(page.text.contains("What is chosen cannot be downloaded:") && !page.text.contains("modules.zip"))
    #expect(
      page.text.contains("No registry offers it any more.") && page.text.contains("name=use value=\"Log\" checked"))
    #expect(try await server.chosen(#"{"modules":{"Network":"^3"}}"#).chosen.map(\.name) == ["Network"])
    #expect(try await server.send("GET", server.modules + "/archive").status == 200)
    await server.end()
  }

  @Test("with an address stand in the manifest, without names and passwords, and are asked over it")
  func address() async throws {
    let registry = try SignedModules.shop()
    let web = try ModulesServer(registry.path)
    let secret = web.url.replacingOccurrences(of: "http://", with: "http://user:word@")
    let server = try await TestServer.offering(registry, at: [web.url, secret])
    _ = try await server.chosen(#"{"modules":{"Payment":"^2"}}"#)
    let manifest = try await server.send("GET", server.modules + "/manifest")
    #expect(manifest.text.contains("[registries.main]\nurl = \"\(web.url)\"\nmirrors = [\"\(web.url)\"]\n"))
    #expect(!manifest.text.contains("word"))
    let page = try await server.send("GET", server.modulePage)
    #expect(page.text.contains("mpaas sdk registry add main \(web.url) --fingerprint "), "\(page.text)")
    #expect(!page.text.contains("word@"))
    // Asked once, whoever looks within a minute.
    let asked = web.requests(ending: "timestamp.json")
    for _ in 0..<3 { _ = try await server.send("GET", ConsolePaths.modules) }
    #expect(web.requests(ending: "timestamp.json") == asked)
    let archive = try await server.send("GET", server.modules + "/archive")
    let project = try TemporaryFolder()
    try unpack(archive.body, into: project.path)
    let synced = try sync(project, "--offline")
    #expect(synced.status == 0, "\(synced.errors)")
    await server.end()
  }

  @Test("are read from a file with a root for each, else the server does not begin")
  func file() async throws {
    let registry = try SignedModules.shop()
    let folder = try TemporaryFolder()
    func fault(_ text: String) async -> String {
      let file = folder.path + "/modules.toml"
      try? Data(text.utf8).write(to: URL(filePath: file))
      do {
        let server = try await TestServer { $0.modules = file }
        await server.end()
        return ""
      } catch let error as ModuleError {
        return error.code.id.name
      } catch let error as ServerError {
        return error.code.id.name
      } catch {
        return "\(error)"
      }
    }
    #expect(await fault("") == "server-modules-file")
    #expect(await fault("[registries.main]\nurl = \"\(registry.path)\"\n") == "registry-no-root")
    #expect(await fault("[registries.main]\nroot = \"\(registry.root)\"\n") == "project-key-missing")
    #expect(await fault("[registries.main") == "toml-malformed")
    #expect(await fault("[registries.main]\nurl = \"\(registry.path)\"\nroot = \"\(registry.root)\"\n") == "")
    await #expect(throws: (any Error).self) { try await TestServer { $0.modules = folder.path + "/none" } }
  }
}
