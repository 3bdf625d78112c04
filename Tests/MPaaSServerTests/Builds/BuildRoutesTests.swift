import Foundation
import MPaaSAppPackageTestSupport
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Builds of a console") struct BuildRoutesTests {
  private static let api = ConsolePaths.builds

  @Test("are kept with their facts, listed, read in ranges, and removed with their file")
  func life() async throws {
    let server = try await TestServer()
    let bytes = SampleBuild.ipa(name: "商店")
    let disposition = ["Content-Disposition": "attachment; filename*=UTF-8''%E5%95%86/../shop.ipa"]
    let build = try await server.build(bytes, disposition)
    #expect(build.kind == "ipa" && build.name == "商店" && build.identifier == "com.example.shop")
    #expect(build.version == "1.2" && build.build == "34" && build.minimumSystem == "15.0")
    #expect(build.size == Int64(bytes.count) && build.sha256 == bytes.sha256.hexadecimal)
    #expect(build.filename == "shop.ipa" && build.app == server.run.ready.appKey)
    #expect(server.unfinished == [])
    let apk = try await server.build(SampleBuild.apk())
    #expect(apk.kind == "apk" && apk.minimumSystem == "24" && apk.filename == "com.example.shop-1.2-34.apk")
    let list = try await server.send("GET", Self.api)
    let page = try JSONDecoder().decode(BuildPage.self, from: Data(list.body))
    #expect(page.builds.map(\.id) == [apk.id, build.id] || page.builds.map(\.added) == [apk.added, build.added])
    let path = "\(Self.api)/\(build.id)"
    let one = try JSONDecoder().decode(BuildEntry.self, from: Data(try await server.send("GET", path).body))
    #expect(one.links == [] && one.sha256 == build.sha256)
    let file = try await server.send("GET", path + "/file")
    #expect(file.status == 200 && file.body == bytes && file.headers["content-security-policy"] == "sandbox")
    #expect(file.headers["content-disposition"] == "attachment; filename=\"shop.ipa\"")
    let part = try await server.send("GET", path + "/file", ["Range": "bytes=4-9"])
    #expect(part.status == 206 && part.body == Array(bytes[4...9]))
    #expect(try await server.send("DELETE", path).status == 204)
    #expect(try await server.send("GET", path).status == 404)
    #expect(try await server.send("DELETE", path).status == 404)
    #expect(try await server.services.blobs.size(of: build.sha256) == nil)
    #expect(try await server.services.blobs.size(of: apk.sha256) != nil)
    await server.end()
  }

  @Test("that come again are the same; a file of two apps stays until both are gone")
  func again() async throws {
    let server = try await TestServer()
    try await server.services.store.write { try $0.run("INSERT INTO apps VALUES ('second', 'second', 2e9)") }
    try await server.services.access.begin()
    let bytes = SampleBuild.ipa()
    // Two apps: which one is not guessed.
    let unnamed = try await server.addBuild(bytes)
    #expect(unnamed.status == 400 && unnamed.json["code"] as? String == "server-bad-request")
    let first = try await server.build(bytes, query: "?app=default")
    let answer = try await server.addBuild(bytes, query: "?app=default")
    #expect(answer.status == 200 && answer.json["id"] as? String == first.id)
    let second = try await server.build(bytes, query: "?app=second")
    #expect(second.id != first.id && second.sha256 == first.sha256)
    #expect(try await server.send("DELETE", "\(Self.api)/\(first.id)").status == 204)
    #expect(try await server.send("GET", "\(Self.api)/\(second.id)/file").body == bytes)
    #expect(try await server.send("DELETE", "\(Self.api)/\(second.id)").status == 204)
    #expect(try await server.services.blobs.size(of: first.sha256) == nil)
    await server.end()
  }

  @Test("that are none are refused with a word, in both languages, and nothing of them is left")
  func refused() async throws {
    let server = try await TestServer()
    let list = SampleBuild.entry("Payload/A.app/Info.plist", SampleBuild.list(["CFBundleIdentifier": "a"]))
    let cases: [([UInt8], String)] = [
      ([], "server-build-unknown"), (Array("hello".utf8), "server-build-unknown"),
      (SampleBuild.zip([SampleBuild.entry("Payload/A.app/Info.plist", "<plist>")]), "server-build-damaged"),
      (Array(SampleBuild.apk().prefix(1000)), "server-build-damaged"),
      (SampleBuild.zip([list, SampleBuild.entry("../x", "x")]), "server-build-unsafe"),
    ]
    for (bytes, code) in cases {
      let answers = [
        try await server.addBuild(bytes), try await server.addBuild(bytes, ["Accept-Language": "zh-CN"]),
      ]
      #expect(answers.map { $0.text.contains("构建") || $0.text.contains("文件") } == [false, true], "\(answers[1].text)")
      for answer in answers {
        #expect(answer.status == 400 && answer.json["code"] as? String == code, "\(code): \(answer.text)")
      }
    }
    let digest = Data(Array("another".utf8).sha256).base64EncodedString()
    let other = try await server.addBuild(SampleBuild.ipa(), ["Repr-Digest": "sha-256=:\(digest):"])
    #expect(other.status == 460 && other.json["code"] as? String == "server-digest-mismatch")
    let rows = try await server.services.store.read { database in
      try ["builds", "uploads", "blob_removals"].map { table in
        try database.row("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0
      }
    }
    #expect(rows[0] == 0 && rows[1] == 0)
    #expect(server.unfinished == [])
    await server.end()
  }

  @Test("larger than an upload may be are refused before their body comes")
  func large() async throws {
    let server = try await TestServer { $0.limits.upload = 500 }
    let answer = try await server.addBuild(SampleBuild.ipa())
    #expect(answer.status == 413 && answer.json["code"] as? String == "server-too-large")
    await server.end()
  }

  @Test("are read by readers, and changed by those alone who may operate")
  func permissions() async throws {
    let server = try await TestServer()
    let build = try await server.build(SampleBuild.ipa())
    let path = "\(Self.api)/\(build.id)"
    let page = "/apps/\(build.app)/builds"
    let reads = [Self.api, path, path + "/file", "/builds/\(build.id)", "/builds/\(build.id)/file", page]
    let writes = [
      ("POST", Self.api), ("POST", path + "/links"), ("DELETE", path + "/links/x"), ("POST", page),
      ("POST", "/builds/\(build.id)/link"), ("POST", "/builds/\(build.id)/revoke"),
      ("POST", "/builds/\(build.id)/remove"), ("DELETE", path),
    ]
    for scope in MPaaSServer.Scope.allCases where scope != .own {
      let token = try await server.services.access.issue("t", [scope], lifetime: 1e6).token
      let own = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
      for read in reads {
        let status = try await server.send("GET", read, own).status
        #expect(status == ([.read, .admin].contains(scope) ? 200 : 403), "\(scope) \(read) \(status)")
      }
      guard ![.operate, .admin].contains(scope) else { continue }
      for (method, write) in writes {
        #expect(try await server.send(method, write, own, body: Array("{}".utf8)).status == 403, "\(scope) \(write)")
      }
    }
    let none = ["Authorization": ""]
    for read in reads.prefix(3) { #expect(try await server.send("GET", read, none).status == 401) }
    for read in reads.dropFirst(3) { #expect(try await server.send("GET", read, none).headers["location"] == "/login") }
    for (method, write) in writes { #expect(try await server.send(method, write, none).status == 401, "\(write)") }
    // The key that devices have sends no builds.
    #expect(try await server.addBuild(SampleBuild.ipa(), ["Authorization": "Bearer \(build.app)"]).status == 403)
    #expect(try await server.send("GET", path).status == 200)
    await server.end()
  }

  @Test("leave notes of who added, linked and removed them, without the secret of a link")
  func audit() async throws {
    let server = try await TestServer()
    let build = try await server.build(SampleBuild.ipa())
    let (link, path) = try await server.linkBuild(build)
    #expect(try await server.send("DELETE", "\(Self.api)/\(build.id)/links/\(link.id)").status == 204)
    #expect(try await server.send("DELETE", "\(Self.api)/\(build.id)").status == 204)
    let log = try await server.send("GET", ConsolePaths.audit)
    let entries = (log.json["entries"] as? [[String: Any]] ?? []).compactMap { $0["action"] as? String }
    #expect(
      entries.filter { $0.hasPrefix("build.") }
        == ["build.added", "build.linked", "build.link-revoked", "build.removed"])
    #expect(!entries.contains("POST") && !entries.contains("DELETE"))
    #expect(!log.text.contains(path.split(separator: "/").last ?? ""))
    await server.end()
  }

  @Test("count against the quotas of their app and token")
  func quota() async throws {
    let server = try await TestServer()
    let quota = #"{"hour":{"events":1}}"#
    #expect(try await server.send("PUT", ConsolePaths.quotas, body: Array(quota.utf8)).status < 300)
    _ = try await server.build(SampleBuild.ipa())
    let answer = try await server.addBuild(SampleBuild.apk())
    #expect(answer.status == 429 && answer.json["code"] as? String == "server-quota", "\(answer.text)")
    await server.end()
  }

  @Test("go where the disk's budget is used up, the oldest first")
  func budget() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false) { $0.limits.disk = 1 << 20 }
    var random = SystemRandomNumberGenerator()
    var builds: [BuildEntry] = []
    for _ in 0..<6 {
      time.now += 3600
      let noise = (0..<150_000).map { _ in String(UInt8.random(in: 0...255, using: &random), radix: 16) }
      builds.append(try await server.build(SampleBuild.ipa(salt: noise.joined())))
    }
    time.now += 3600
    await DiskBudget(server.services).keep()
    let list = try await server.send("GET", Self.api)
    let left = try JSONDecoder().decode(BuildPage.self, from: Data(list.body)).builds.map(\.id)
    #expect(!left.isEmpty && left.count < 6 && left == Array(builds.reversed().prefix(left.count)).map(\.id))
    #expect(server.services.counts["evicted.build"] == Int64(6 - left.count))
    #expect(try await server.services.blobs.size(of: builds[0].sha256) == nil)
    await server.end()
  }

  @Test("are in backups with their files", .inFile, .inFolder)
  func backup() async throws {
    let server = try await TestServer()
    let bytes = SampleBuild.ipa()
    let build = try await server.build(bytes)
    let file = server.folder.path + "/console.tar.zst"
    func configuration(_ name: String) -> ServerConfiguration {
      ServerConfiguration(data: "\(server.folder.path)/\(name)", listen: "127.0.0.1:0")
    }
    let written = try ServerBackup(configuration("data"), known: Schema.steps.count).write(to: file, at: 1_790_000_000)
    #expect(written.blobs == 1)
    _ = try ServerRestoration(configuration("again"), known: Schema.steps.count).restore(file)
    let again = try await ServerRun(configuration("again"))
    #expect(try await again.services.blobs.bytes(of: build.sha256) == bytes)
    let kept = try await again.services.store.read { try BuildStore.build(build.id, app: nil, in: $0) }
    #expect(kept?.identifier == "com.example.shop")
    await again.end()
    await server.end()
  }
}
