import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas update") struct UpdateCommandTests {
  @Test("a version goes to a share of devices, to all, pauses, goes on, and is withdrawn for good")
  func life() throws {
    let it = try PublishedUpdates()
    #expect(try it.offered(to: "0.9") == "1.0")
    #expect(try it.offered(to: "1.0") == nil)
    let published = try it.publish("1.1", "--percent", "0", "--notes", "en=Faster", "--notes", "zh-Hans=更快")
    #expect(published["complete"] as? Bool == true)
    let deltas = (published["release"] as? [String: Any])?["deltas"] as? [[String: Any]]
    #expect(deltas?.map { $0["from"] as? String } == ["1.0"])
    #expect(try it.offered(to: "1.0") == nil)
    #expect(try it.change("promote", "1.1", "--percent", "100")["percent"] as? Double == 100)
    #expect(try it.check("1.0").answer["notes"] as? String == "Faster")
    #expect(try it.change("pause", "1.1")["state"] as? String == "paused")
    #expect(try it.offered(to: "1.0") == nil && it.offered(to: "0.9") == "1.0")
    #expect(try it.change("promote", "1.1")["state"] as? String == "running")
    #expect(try it.offered(to: "0.9") == "1.1")
    #expect(try it.change("withdraw", "1.1")["state"] as? String == "withdrawn")
    #expect(try it.offered(to: "1.0") == nil)
    let again = try it.command(["update", "promote", "1.1", "--key", "release"])
    #expect(again.status == 77 && again.errors.contains("update-state"), "\(again)")
    let listed = try json(try it.done("update", "list", "--json").output)["releases"] as? [[String: Any]]
    #expect(listed?.map { $0["version"] as? String } == ["1.1", "1.0"])
    #expect(listed?.map { $0["state"] as? String } == ["withdrawn", "running"])
    #expect(try it.done("update", "list", "--platform", "ios").output.contains("no versions"))
  }

  @Test("versions and deadlines force an update, and another channel is not followed")
  func force() throws {
    let it = try PublishedUpdates()
    try it.change("promote", "1.0", "--force-below", "0.9", "--deadline", "14d")
    #expect(try it.check("0.8").answer["forced"] as? Bool == true)
    #expect(try it.check("0.9").answer["forced"] as? Bool == false)
    try it.change("promote", "1.0", "--deadline", "2026-01-01", "--prompt", "once")
    let late = try it.check("0.9").answer
    #expect(late["forced"] as? Bool == true && late["asks_user"] as? Bool == true)
    try it.change("promote", "1.0", "--channel", "beta")
    #expect(try it.offered(to: "0.9") == nil)
    #expect(try it.check("0.9", "--channel", "beta").answer["update_available"] as? Bool == true)
  }

  @Test("a package is brought by its difference, and refused where the repository was changed or is older than before")
  func download() throws {
    let it = try PublishedUpdates()
    let before = it.path("before")
    try FileManager.default.copyItem(atPath: it.repository, toPath: before)
    try it.publish("1.1")
    let (answer, status) = try it.check("1.0", "--download", it.path("new"), "--package", it.path("1.0.pkg"))
    #expect(status == 0, "\(answer)")
    #expect((answer["download"] as? [String: Any])?["delta"] as? Bool == true)
    #expect(FileManager.default.contentsEqual(atPath: it.path("new"), andPath: it.path("1.1.pkg")))
    let whole = try it.check("0.9", "--download", it.path("whole")).answer
    #expect((whole["download"] as? [String: Any])?["delta"] as? Bool == false)
    // The same address with an older state, as a mirror that is stopped would have it.
    try FileManager.default.removeItem(atPath: it.repository)
    try FileManager.default.copyItem(atPath: before, toPath: it.repository)
    let older = try it.check("1.0")
    #expect(older.status == 77, "\(older)")
    #expect((older.answer["errors"] as? String)?.contains("metadata-rollback") == true, "\(older)")
    let forged = it.path("before/metadata/timestamp.json")
    let text = try String(contentsOfFile: forged, encoding: .utf8)
    try it.write(text.replacing("\"version\":3", with: "\"version\":9"), to: "before/metadata/timestamp.json")
    let refused = try it.check("1.0", "--repository", before)
    #expect(refused.status == 77, "\(refused)")
    #expect((refused.answer["errors"] as? String)?.contains("metadata-below-threshold") == true, "\(refused)")
  }

  @Test("differences are made and applied by hand, and not to another file")
  func delta() throws {
    let it = try PublishedUpdates()
    let (old, new) = (it.path("1.0.pkg"), it.path("1.1.pkg"))
    let made = try json(try it.done("update", "delta", old, new, "-o", it.path("d"), "--json").output)
    #expect(try #require(made["bytes"] as? Int) < 2000)
    try it.done("update", "delta", old, it.path("d"), "--apply", "-o", it.path("made"))
    #expect(FileManager.default.contentsEqual(atPath: it.path("made"), andPath: new))
    let other = try it.command(["update", "delta", new, it.path("d"), "--apply", "-o", it.path("wrong")])
    #expect(other.status == 77, "\(other)")
    #expect(!FileManager.default.fileExists(atPath: it.path("wrong")))
  }

  @Test("a manifest leads iOS to https addresses only, and the link to it is printed")
  func manifest() throws {
    let home = try TemporaryFolder()
    let words = [
      "update", "manifest", "--bundle-id", "com.example.shop", "--bundle-version", "1.1", "--title", "A & B",
    ]
    let printed = try mpaas(words + ["--package", "https://example.com/Shop.ipa"], home: home)
    #expect(printed.status == 0, "\(printed)")
    let list = try PropertyListSerialization.propertyList(from: Data(printed.output.utf8), format: nil)
    let item = try #require(((list as? [String: Any])?["items"] as? [[String: Any]])?.first)
    #expect((item["metadata"] as? [String: String])?["title"] == "A & B")
    #expect((item["assets"] as? [[String: String]])?.first?["url"] == "https://example.com/Shop.ipa")
    let file = home.path + "/shop.plist"
    let options = [
      "--package", "https://e.com/a.ipa", "--address", "https://e.com/s.plist?a=1&b", "-o", file, "--json",
    ]
    let written = try json(try mpaas(words + options, home: home).output)
    let link = try #require(written["link"] as? String)
    #expect(link == "itms-services://?action=download-manifest&url=https%3A%2F%2Fe.com%2Fs.plist%3Fa%3D1%26b")
    let plain = try mpaas(words + ["--package", "http://example.com/Shop.ipa"], home: home)
    #expect(plain.status == 64 && plain.errors.contains("https"), "\(plain)")
  }

  @Test(
    "an appcast is written with signatures that Sparkle's key verifies, and read to the version that it would choose")
  func appcast() throws {
    let it = try PublishedUpdates()
    try it.publish("1.1", "--percent", "50")
    let file = it.path("appcast.xml")
    let words = ["update", "appcast", "--base", "https://example.com/targets", "--sign-key", "release", "-o", file]
    let written = try it.command(words)
    #expect(written.status == 0, "\(written)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.components(separatedBy: "sparkle:edSignature=\"").count == 3, "\(text)")
    let read = try json(try it.done("update", "appcast", file, "--installed", "0.9", "--json").output)
    #expect((read["items"] as? [[String: Any]])?.map { $0["version"] as? String } == ["1.1", "1.0"])
    #expect((read["findings"] as? [String])?.isEmpty == true)
    #expect(read["best"] as? String != nil)
    #expect(try it.command(["update", "appcast"]).status == 64)
    try it.write("<rss", to: "cut.xml")
    let cut = try it.command(["update", "appcast", it.path("cut.xml")])
    #expect(cut.status == 65 && cut.errors.contains("appcast-malformed"), "\(cut)")
  }

  @Test("a version that is refused, or that nobody signed, is not published")
  func usage() throws {
    let it = try PublishedUpdates()
    let publish = ["update", "publish", it.path("1.1.pkg"), "--platform", "macos", "--app", "SHOP"]
    let cases: [(words: [String], status: Int32, code: String)] = [
      (publish + ["--app-version", "none", "--key", "release"], 64, "update-version-malformed"),
      (publish + ["--app-version", "1.0", "--key", "release"], 77, "update-version-taken"),
      (publish + ["--app-version", "1.1", "--key", "release", "--percent", "101"], 64, "update-option"),
      (publish + ["--app-version", "1.1", "--key", "release", "--prompt", "alway"], 64, "usage-near"),
      (publish + ["--app-version", "1.1", "--key", "release", "--platform", "mac"], 64, "there is macos"),
      (["update", "publish", "--app", "SHOP", "--app-version", "1.2", "--key", "release"], 66, "update-no-file"),
      (["update", "pause", "7", "--key", "release"], 66, "update-unknown"),
    ]
    for (words, status, code) in cases {
      let outcome = try it.command(words + ["--json"])
      #expect(outcome.status == status && outcome.errors.contains(code), "\(words): \(outcome)")
    }
    let unnamed = try mpaas(["update", "list"], home: it.home, environment: ["MPAAS_REPOSITORY": ""])
    #expect(unnamed.status == 64 && unnamed.errors.contains("No repository is named"), "\(unnamed)")
    // Without the key of the targets it is staged, and waits for a signature.
    let unsigned = try it.command(publish + ["--app-version", "1.1", "--json"])
    #expect(unsigned.status == 75 && unsigned.output.contains("\"complete\":false"), "\(unsigned)")
    #expect((try json(try it.done("update", "list", "--json").output)["releases"] as? [Any])?.count == 1)
  }
}
