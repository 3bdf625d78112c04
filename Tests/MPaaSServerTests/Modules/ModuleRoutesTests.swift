import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Modules of apps") struct ModuleRoutesTests {
  @Test("are resolved with what they need, told with the reasons, kept, and noted in the audit log")
  func choice() async throws {
    let server = try await TestServer.offering(try .shop())
    let none = try await server.send("GET", server.modules)
    #expect(none.json["version"] as? Int == 0 && (none.json["chosen"] as? [Any])?.isEmpty == true)
    let made = try await server.chosen(#"{"modules":{"Payment":"^2"},"platform":"ios","minimum":"13.0"}"#)
    #expect(made.version == 1 && made.platform == "ios" && made.minimum == "13.0")
    #expect(made.chosen.map(\.name) == ["Network", "Payment"])
    #expect(made.chosen.map(\.version) == ["3.0.0", "2.0.0"])
    #expect(made.chosen.map(\.reasons) == [["Payment ^2 → Network ^3"], ["Payment ^2"]])
    #expect(made.chosen.allSatisfy { $0.registry == "main" && $0.sha256.count == 64 && $0.size > 0 })
    // What is there already changes nothing, and is no entry of the log.
    #expect(try await server.chosen(#"{"modules":{"Payment":"^2"},"platform":"ios","minimum":"13.0"}"#).version == 1)
    let wanted = try await server.chosen(#"{"modules":{"Payment":{"version":"^2","with":["Log"]}}}"#)
    #expect(wanted.version == 2 && wanted.chosen.map(\.name) == ["Log", "Network", "Payment"])
    let read = try await server.send("GET", server.modules)
    #expect(try JSONDecoder().decode(ModuleChoiceEntry.self, from: Data(read.body)) == wanted)
    let audit = try await server.send("GET", ConsolePaths.audit)
    #expect(audit.text.components(separatedBy: "modules.chosen").count == 3, "\(audit.text)")
    #expect(audit.text.contains("Payment ^2"))
    await server.end()
  }

  @Test("keep their versions until an update is asked for")
  func update() async throws {
    let registry = try SignedModules.shop()
    let server = try await TestServer.offering(registry)
    #expect(try await server.chosen(#"{"modules":{"Network":"*"}}"#).chosen.map(\.version) == ["3.0.0"])
    try registry.publish([SignedModules.Module("Network", "3.1.0")])
    server.services.modules?.forget()
    #expect(try await server.chosen(#"{"modules":{"Network":"^3"}}"#).chosen.map(\.version) == ["3.0.0"])
    let newer = try await server.chosen(#"{"modules":{"Network":"^3"},"update":true}"#)
    #expect(newer.chosen.map(\.version) == ["3.1.0"])
    // Who made a choice from an older one is told.
    let old = try await server.choose(#"{"modules":{},"version":1}"#)
    #expect(old.status == 409 && old.json["code"] as? String == "server-modules-changed", "\(old.text)")
    #expect(try await server.chosen(#"{"modules":{},"version":\#(newer.version)}"#).chosen.isEmpty)
    await server.end()
  }

  @Test("that do not fit together are refused with the explanation and what helps, and nothing is kept")
  func conflict() async throws {
    let server = try await TestServer.offering(try .shop())
    let refused = try await server.choose(#"{"modules":{"Payment":"^2","Network":"^2"}}"#)
    #expect(refused.status == 409 && refused.json["code"] as? String == "resolver-unsatisfiable", "\(refused.text)")
    let lines = refused.json["explanation"] as? [String] ?? []
    #expect(lines.contains { $0.contains("Payment") && $0.contains("Network ^3") }, "\(lines)")
    #expect(lines.contains("– ask for Network ^3.0.0 instead of ^2"), "\(lines)")
    #expect(!lines.contains { $0.contains("mpaas module") }, "\(lines)")
    let chinese = try await server.choose(
      #"{"modules":{"Payment":"^2","Network":"^2"}}"#, ["Accept-Language": "zh-CN"])
    #expect((chinese.json["explanation"] as? [String])?.contains { $0.contains("模块") || $0.contains("需要") } == true)
    let unknown = try await server.choose(#"{"modules":{"Paiment":"^2"}}"#)
    #expect(unknown.status == 409 && unknown.text.contains("Payment"), "\(unknown.text)")
    let option = try await server.choose(#"{"modules":{"Network":{"version":"*","with":["Log"]}}}"#)
    #expect(option.status == 400 && option.json["code"] as? String == "project-no-such-option", "\(option.text)")
    for bad in [
      #"{"modules":{"Payment":">>1"}}"#, #"{"modules":{"../x":"1"}}"#, #"{"modules":{},"platform":"beos"}"#,
      #"{"modules":{},"minimum":"x"}"#, #"{"modules":{"Log":{"registry":"/"}}}"#, #"{}"#, "x",
      #"{"modules":{"Log":"*","log":"*"}}"#, #"{"modules":{"Log":{"version":"*","registry":"other"}}}"#,
    ] {
      #expect(try await server.choose(bad).status == 400, "\(bad)")
    }
    #expect(try await server.send("GET", server.modules).json["version"] as? Int == 0)
    await server.end()
  }

  @Test("come as manifest, lock and archive, from which a project is brought into step without a network")
  func archive() async throws {
    let registry = try SignedModules.shop()
    let server = try await TestServer.offering(registry)
    for path in ["/manifest", "/lock", "/archive"] {
      #expect(try await server.send("GET", server.modules + path).status == 404, "\(path)")
    }
    _ = try await server.chosen(#"{"modules":{"Payment":{"version":"^2","with":["Log"]}},"platform":"linux"}"#)
    let manifest = try await server.send("GET", server.modules + "/manifest")
    #expect(manifest.headers["content-disposition"] == "attachment; filename=\"mpaas.toml\"")
    // A folder of the server leads nowhere from other machines.
    #expect(manifest.text.hasPrefix("# Modules come from the registries that this machine knows: main.\n[project]\n"))
    #expect(manifest.text.contains("[modules]\nPayment = { version = \"^2\", with = [\"Log\"] }\n"))
    let lock = try await server.send("GET", server.modules + "/lock")
    #expect(try ProjectLock(reading: lock.text, file: "mpaas.lock").modules.count == 3)
    let archive = try await server.send("GET", server.modules + "/archive")
    #expect(archive.status == 200 && archive.headers["content-type"] == "application/zip", "\(archive.text)")
    let project = try TemporaryFolder()
    let paths = try unpack(archive.body, into: project.path)
    #expect(paths.prefix(2) == ["mpaas.toml", "mpaas.lock"])
    #expect(paths.contains("modules/main/root.json") && paths.contains("modules/main/metadata/timestamp.json"))
    #expect(paths.count { $0.hasSuffix(".tar.zst") } == 3)
    // Somebody who knows nothing of the registry, on a machine without a network.
    let synced = try sync(project, "--offline")
    #expect(synced.status == 0, "\(synced.errors)")
    let placed = project.path + "/MPaaS/Modules/Payment/src/a.c"
    #expect(try String(contentsOfFile: placed, encoding: .utf8) == "int a; // Payment 2.0.0\n")
    #expect(FileManager.default.fileExists(atPath: project.path + "/MPaaS/Modules/Log/src/a.c"))
    #expect(try sync(project).status == 0)
    await server.end()
  }

  @Test("come as one archive for as long as nothing changes, by ranges too, and leave nothing older behind")
  func packedOnce() async throws {
    let registry = try SignedModules.shop()
    let server = try await TestServer.offering(registry)
    _ = try await server.chosen(#"{"modules":{"Payment":"^2"}}"#)
    let (one, other) = (
      try await server.send("GET", server.modules + "/archive"),
      try await server.send("GET", server.modules + "/archive")
    )
    let tag = try #require(one.headers["etag"])
    #expect(one.body == other.body && other.headers["etag"] == tag)
    let part = try await server.send("GET", server.modules + "/archive", ["Range": "bytes=2-5", "If-Range": tag])
    #expect(part.status == 206 && part.body == Array(one.body[2...5]))
    #expect(try await server.send("GET", server.modules + "/archive", ["If-None-Match": tag]).status == 304)
    let head = try await server.send("HEAD", server.modules + "/archive")
    #expect(head.status == 200 && head.headers["content-length"] == String(one.body.count))
    _ = try await server.chosen(#"{"modules":{"Log":"*"}}"#)
    let small = try await server.send("GET", server.modules + "/archive")
    #expect(small.status == 200 && small.headers["etag"] != tag)
    let packed = server.folder.path + "/data/modules/packed"
    #expect(try FileManager.default.contentsOfDirectory(atPath: packed).count == 1)
    let kept = server.folder.path + "/data/modules/data/modules/archives"
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept).filter { $0.count == 64 }.count == 1)
    // Newer metadata is in the next archive.
    try registry.publish([SignedModules.Module("Log", "1.1.0")])
    server.services.modules?.forget()
    let newer = try await server.send("GET", server.modules + "/archive")
    let files = try unpack(newer.body, into: try TemporaryFolder().path)
    #expect(files.contains("modules/main/metadata/3.targets.json"), "\(files)")
    await server.end()
  }

  @Test("are chosen by those who may, and by none on a server without registries")
  func rights() async throws {
    let server = try await TestServer.offering(try .shop())
    let access = server.services.access
    let reader = ["Authorization": "Bearer \(try await access.issue("r", [.read], lifetime: 1e6).token)"]
    let wish = #"{"modules":{"Log":"*"}}"#
    #expect(try await server.choose(wish, reader).status == 403)
    #expect(try await server.choose(wish, ["Authorization": ""]).status == 401)
    _ = try await server.chosen(wish)
    for path in ["", "/manifest", "/lock", "/archive"] {
      #expect(try await server.send("GET", server.modules + path, reader).status == 200, "\(path)")
      #expect(try await server.send("GET", server.modules + path, ["Authorization": ""]).status == 401, "\(path)")
    }
    #expect(try await server.send("GET", ConsolePaths.apps + "/nobody/modules").status == 404)
    await server.end()
    let plain = try await TestServer()
    let off = try await plain.send("GET", ConsolePaths.modules)
    #expect(off.status == 404 && off.json["code"] as? String == "server-modules-off")
    #expect(try await plain.choose(wish).json["code"] as? String == "server-modules-off")
    #expect(try await plain.send("GET", plain.modulePage).text.contains("--modules FILE"))
    await plain.end()
  }

  @Test("of registries are listed by words and pages, each verified by the role that signed it")
  func offer() async throws {
    let server = try await TestServer.offering(try .shop())
    let answer = try await server.send("GET", ConsolePaths.modules)
    let offer = try JSONDecoder().decode(ModuleOffer.self, from: Data(answer.body))
    #expect(offer.modules.map(\.name) == ["Log", "Network", "Payment"] && offer.next == nil)
    let payment = try #require(offer.modules.last)
    #expect(payment.registry == "main" && payment.role == "targets")
    #expect(payment.versions.map(\.version) == ["2.0.0", "1.3.0"])
    #expect(payment.versions.first?.needs == ["Network": "^3", "Log": "^1"])
    #expect(payment.versions.first?.optional == ["Log"] && payment.summary["en"]?.hasPrefix("Pays") == true)
    let registry = try #require(offer.registries.first)
    #expect(registry.name == "main" && registry.url.isEmpty && registry.modules == 3 && registry.root.count == 64)
    #expect(registry.expires > Date().timeIntervalSince1970)
    func names(_ query: String) async throws -> [String] {
      let answer = try await server.send("GET", "\(ConsolePaths.modules)?\(query)")
      return try JSONDecoder().decode(ModuleOffer.self, from: Data(answer.body)).modules.map(\.name)
    }
    #expect(try await names("limit=2") == ["Log", "Network"])
    #expect(try await names("limit=2&after=Network") == ["Payment"])
    #expect(try await names("text=shops") == ["Payment"])
    await server.end()
  }
}
