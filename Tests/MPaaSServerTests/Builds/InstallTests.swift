import Foundation
import MPaaSAppPackageTestSupport
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Links that phones install builds by") struct InstallTests {
  private static let anybody = ["Authorization": ""]

  @Test("lead to a page without login, without script, in the phone's language")
  func page() async throws {
    let server = try await TestServer()
    let build = try await server.build(SampleBuild.ipa())
    let (_, path) = try await server.linkBuild(build)
    let page = try await server.send("GET", path, Self.anybody)
    #expect(page.status == 200 && page.headers["cache-control"] == "no-store")
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(!page.text.contains("<script") && !page.text.contains("<nav"))
    for part in ["Shop", "1.2 (34)", "iOS 15.0", "com.example.shop", "width=device-width", "color-scheme:light dark"] {
      #expect(page.text.contains(part), "\(part)")
    }
    let list = PercentEncoding.encode(server.run.ready.url + path + "/manifest.plist")
    #expect(page.text.contains("itms-services://?action=download-manifest&amp;url=\(list)"))
    // The server of this test has no TLS, and the app no profile.
    #expect(page.text.contains("iOS installs over https alone") && page.text.contains("no provisioning profile"))
    let chinese = try await server.send("GET", path, ["Authorization": "", "Accept-Language": "zh-CN"])
    #expect(chinese.text.contains("lang=\"zh-Hans\"") && chinese.text.contains(">安装</a>"))
    #expect(try await server.send("HEAD", path, Self.anybody).status == 200)
    await server.end()
  }

  @Test("warn of nothing where the address is of https, and the profile is good")
  func secure() {
    var signature = BuildEntry.Signature()
    (signature.distribution, signature.expires) = ("ad-hoc", 2000)
    let build = BuildEntry(
      id: "x", app: "a", kind: "ipa", name: "Shop", identifier: "com.example.shop", version: "1", build: "2",
      minimumSystem: "15.0", filename: "a.ipa", size: 1, sha256: "", signature: signature, author: "", added: 1)
    var subject = InstallPages.Subject(
      build: build, url: "https://console.example.com/install/x", expires: 9, now: 1999)
    let pages = InstallPages(frame: PageFrame(catalogue: Catalogue(language: .english)))
    #expect(!pages.page(subject).contains("class=bad"))
    #expect(pages.page(subject).contains("url=https%3A%2F%2Fconsole.example.com%2Finstall%2Fx%2Fmanifest.plist"))
    subject.now = 2000
    #expect(pages.page(subject).contains("profile has ended"))
    subject.build.signature?.distribution = "store"
    #expect(pages.page(subject).contains("App Store"))
  }

  @Test("give iOS the list of what it installs, and both systems the file")
  func files() async throws {
    let server = try await TestServer()
    let bytes = SampleBuild.ipa(name: "A & <B>")
    let (_, path) = try await server.linkBuild(try await server.build(bytes))
    let list = try await server.send("GET", path + "/manifest.plist", Self.anybody)
    #expect(list.status == 200 && list.headers["content-type"] == "application/xml")
    let root = try PropertyListSerialization.propertyList(from: Data(list.body), format: nil) as? [String: Any]
    let item = try #require((root?["items"] as? [[String: Any]])?.first)
    let metadata = try #require(item["metadata"] as? [String: String])
    #expect(metadata["bundle-identifier"] == "com.example.shop" && metadata["bundle-version"] == "34")
    #expect(metadata["title"] == "A & <B>" && metadata["kind"] == "software")
    let asset = try #require((item["assets"] as? [[String: String]])?.first)
    #expect(asset["kind"] == "software-package" && asset["url"] == server.run.ready.url + path + "/app.ipa")
    let file = try await server.send("GET", path + "/app.ipa", Self.anybody)
    #expect(file.status == 200 && file.body == bytes)
    let part = try await server.send("GET", path + "/app.ipa", ["Authorization": "", "Range": "bytes=-4"])
    #expect(part.status == 206 && part.body == Array(bytes.suffix(4)))
    #expect(try await server.send("GET", path + "/app.apk", Self.anybody).status == 404)
    let apk = SampleBuild.apk()
    let (_, other) = try await server.linkBuild(try await server.build(apk))
    let page = try await server.send("GET", other, Self.anybody)
    #expect(
      page.text.contains("href=\"\(server.run.ready.url)\(other)/app.apk\"") && !page.text.contains("itms-services"))
    #expect(page.text.contains("Android API 24"))
    let android = try await server.send("GET", other + "/app.apk", Self.anybody)
    #expect(android.body == apk && android.headers["content-type"] == "application/vnd.android.package-archive")
    #expect(try await server.send("GET", other + "/manifest.plist", Self.anybody).status == 404)
    await server.end()
  }

  @Test("end after their days, when they are revoked, and with their build")
  func ends() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false)
    let build = try await server.build(SampleBuild.ipa())
    let (usual, path) = try await server.linkBuild(build)
    #expect(usual.expires == 1_790_000_000 + 7 * 86_400)
    let (_, long) = try await server.linkBuild(build, days: 30)
    let (revoked, gone) = try await server.linkBuild(build, days: 30)
    func statuses(_ path: String) async throws -> [Int] {
      var found: [Int] = []
      for end in ["", "/manifest.plist", "/app.ipa"] {
        found.append(try await server.send("GET", path + end, Self.anybody).status)
      }
      return found
    }
    #expect(try await statuses(path) == [200, 200, 200])
    time.now += 7 * 86_400 - 1
    #expect(try await statuses(path) == [200, 200, 200])
    time.now += 1
    #expect(try await statuses(path) == [404, 404, 404])
    #expect(try await statuses(long) == [200, 200, 200])
    #expect(try await server.send("DELETE", "\(ConsolePaths.builds)/\(build.id)/links/\(revoked.id)").status == 204)
    #expect(try await server.send("DELETE", "\(ConsolePaths.builds)/\(build.id)/links/\(revoked.id)").status == 404)
    #expect(try await statuses(gone) == [404, 404, 404])
    // Those that ended are listed for a week, and then forgotten.
    #expect(try await links(of: build, server) == 2)
    time.now += 8 * 86_400
    await BuildRoutes(server.services).tidy()
    #expect(try await links(of: build, server) == 1)
    #expect(try await server.send("DELETE", "\(ConsolePaths.builds)/\(build.id)").status == 204)
    #expect(try await statuses(long) == [404, 404, 404])
    let unknown = try await server.send("GET", "/install/" + String(repeating: "0", count: 48), Self.anybody)
    #expect(unknown.status == 404 && unknown.text.contains("This link leads nowhere"))
    await server.end()
  }

  private func links(of build: BuildEntry, _ server: TestServer) async throws -> Int? {
    let answer = try await server.send("GET", "\(ConsolePaths.builds)/\(build.id)")
    return try JSONDecoder().decode(BuildEntry.self, from: Data(answer.body)).links?.count
  }

  @Test("have secrets of which the server keeps the digest alone, each another one")
  func secrets() async throws {
    let server = try await TestServer()
    let build = try await server.build(SampleBuild.ipa())
    var secrets: Set<String> = []
    for _ in 0..<20 { secrets.insert(String(try await server.linkBuild(build).path.dropFirst("/install/".count))) }
    #expect(secrets.count == 20 && secrets.allSatisfy { $0.count == 48 })
    let rows = try await server.services.store.read { database in
      try database.tables().flatMap { table in
        try database.rows("SELECT * FROM \(table)") { row in (0..<row.count).map { "\(row[$0])" }.joined(separator: " ")
        }
      }
    }
    for secret in secrets { #expect(!rows.contains { $0.contains(secret) }) }
    let one = try await server.send("GET", "\(ConsolePaths.builds)/\(build.id)")
    #expect(!one.text.contains("url") && !one.text.contains("hash"))
    // A word that is near one leads nowhere.
    let near = String(secrets.first?.dropLast() ?? "") + "z"
    #expect(try await server.send("GET", "/install/\(near)", Self.anybody).status == 404)
    await server.end()
  }

  @Test("are for builds that phones install, and for days that there are")
  func refused() async throws {
    let server = try await TestServer()
    let archive = try await server.build(SampleBuild.xcarchive())
    let answer = try await server.send("POST", "\(ConsolePaths.builds)/\(archive.id)/links", body: Array("{}".utf8))
    #expect(answer.status == 400 && answer.json["code"] as? String == "server-build-not-installable")
    let build = try await server.build(SampleBuild.ipa())
    for days in [0, -1, 366] {
      let wish = Array("{\"days\":\(days)}".utf8)
      #expect(try await server.send("POST", "\(ConsolePaths.builds)/\(build.id)/links", body: wish).status == 400)
    }
    await server.end()
  }
}
