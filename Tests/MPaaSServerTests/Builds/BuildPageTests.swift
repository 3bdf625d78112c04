import Foundation
import MPaaSAppPackageTestSupport
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Pages of builds") struct BuildPageTests {
  private static let evil = #"<script>alert("x")</script>&'"#

  private func form(_ bytes: [UInt8], name: String = "file") -> (type: String, body: [UInt8]) {
    let head =
      "--cut\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.ipa\"\r\nContent-Type: x/y\r\n\r\n"
    return ("multipart/form-data; boundary=cut", Array(head.utf8) + bytes + Array("\r\n--cut--\r\n".utf8))
  }

  private func post(
    _ server: TestServer, _ path: String, _ type: String, _ body: [UInt8], site: String = "same-origin"
  ) async throws -> TestAnswer {
    try await server.send(
      "POST", path,
      [
        "Authorization": "", "Cookie": "mpaas_token=\(server.token)", "Sec-Fetch-Site": site, "Content-Type": type,
      ], body: body)
  }

  private func post(_ server: TestServer, _ path: String, _ form: String) async throws -> TestAnswer {
    try await post(server, path, "application/x-www-form-urlencoded", Array(form.utf8))
  }

  @Test("take a file by a form, from their own site alone, and lead to its page")
  func upload() async throws {
    let server = try await TestServer()
    let list = "/apps/\(server.run.ready.appKey)/builds"
    #expect(try await server.send("GET", "/builds").headers["location"] == list)
    let empty = try await server.send("GET", list)
    #expect(empty.status == 200 && empty.text.contains("enctype=\"multipart/form-data\""))
    let bytes = SampleBuild.ipa()
    let (type, body) = form(bytes)
    #expect(try await post(server, list, type, body, site: "cross-site").status == 403)
    let made = try await post(server, list, type, body)
    #expect(made.status == 303, "\(made.text)")
    let page = try #require(made.headers["location"])
    #expect(page.hasPrefix("/builds/"))
    let shown = try await server.send("GET", page)
    for part in ["com.example.shop", "1.2 (34)", "a.ipa", "iOS 15.0"] { #expect(shown.text.contains(part), "\(part)") }
    #expect(try await server.send("GET", page + "/file").body == bytes)
    #expect(try await server.send("GET", list).text.contains(page))
    #expect(server.unfinished == [])
    // What is none is told on the page.
    let (otherType, other) = form(Array("hello".utf8))
    let refused = try await post(server, list, otherType, other)
    #expect(refused.status == 400 && refused.text.contains("role=alert") && refused.text.contains("is no build"))
    let (_, unnamed) = form(bytes, name: "other")
    #expect(try await post(server, list, type, unnamed).status == 400)
    #expect(try await post(server, list, type, Array(body.dropLast(12))).status == 400)
    #expect(try await post(server, list, "text/plain", body).status == 400)
    #expect(server.unfinished == [])
    await server.end()
  }

  @Test("make a link with a code to scan, revoke it, and remove the build")
  func links() async throws {
    let server = try await TestServer()
    let build = try await server.build(SampleBuild.apk())
    let path = "/builds/\(build.id)"
    let made = try await post(server, path + "/link", "days=3")
    #expect(made.status == 201 && made.text.contains("<svg class=qr role=img"))
    #expect(made.text.contains("<title>QR code of the link to install Shop</title>"))
    let url = try #require(made.text.firstMatch(of: /http:[^<"]*\/install\/[0-9a-f]{48}/)?.output)
    let link = String(url.dropFirst(server.run.ready.url.count))
    #expect(try await server.send("GET", link, ["Authorization": ""]).status == 200)
    // It is shown this once.
    let again = try await server.send("GET", path)
    #expect(!again.text.contains("/install/") && again.text.contains(path + "/revoke"))
    let id = try #require(again.text.firstMatch(of: /name=link value="([0-9a-f]+)"/)?.output.1)
    #expect(try await post(server, path + "/revoke", "link=\(id)").status == 303)
    #expect(try await server.send("GET", link, ["Authorization": ""]).status == 404)
    #expect(try await post(server, path + "/link", "days=x").status == 400)
    #expect(try await post(server, path + "/remove", "").status == 400)
    #expect(try await post(server, path + "/remove", "sure=1").status == 303)
    #expect(try await server.send("GET", path).status == 404)
    await server.end()
  }

  @Test("show names that a hostile file brings as text, in every place")
  func hostile() async throws {
    let server = try await TestServer()
    let bytes = SampleBuild.ipa(name: Self.evil, identifier: Self.evil, version: Self.evil, build: Self.evil)
    let name = PercentEncoding.encode(Self.evil)
    let build = try await server.build(bytes, ["Content-Disposition": "attachment; filename*=UTF-8''\(name)"])
    let (_, link) = try await server.linkBuild(build)
    let made = try await post(server, "/builds/\(build.id)/link", "days=3")
    let pages = [
      made.text, try await server.send("GET", "/apps/\(build.app)/builds").text,
      try await server.send("GET", "/builds/\(build.id)").text,
      try await server.send("GET", link, ["Authorization": ""]).text,
      try await server.send("GET", link + "/manifest.plist", ["Authorization": ""]).text,
    ]
    for (place, page) in pages.enumerated() {
      #expect(
        page.contains("&lt;script&gt;") && !page.contains("<script") && !page.contains("alert(\"x\")"), "\(place)")
    }
    let file = try await server.send("GET", link + "/app.ipa", ["Authorization": ""])
    #expect(file.headers["content-disposition"]?.contains("<") == false)
    await server.end()
  }

  @Test("of several apps are one list, with the name of each")
  func several() async throws {
    let server = try await TestServer()
    try await server.services.store.write { try $0.run("INSERT INTO apps VALUES ('second', 'zweite', 2e9)") }
    try await server.services.access.begin()
    _ = try await server.build(SampleBuild.ipa(), query: "?app=default")
    _ = try await server.build(SampleBuild.apk(), query: "?app=second")
    let all = try await server.send("GET", "/builds")
    #expect(all.status == 200 && all.text.contains("href=\"/apps/second/builds\"") && all.text.contains("zweite"))
    let one = try await server.send("GET", "/apps/second/builds")
    #expect(one.text.contains("Android app") && !one.text.contains("iOS app"))
    let token = try await server.services.access.issue("t", [.read], app: "second", lifetime: 1e6).token
    let own = ["Authorization": "Bearer \(token)"]
    #expect(try await server.send("GET", "/builds", own).headers["location"] == "/apps/second/builds")
    #expect(try await server.send("GET", "/apps/\(server.run.ready.appKey)/builds", own).status == 404)
    await server.end()
  }
}
