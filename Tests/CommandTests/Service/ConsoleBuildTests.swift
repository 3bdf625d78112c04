import Foundation
import MPaaSAppPackageTestSupport
import MPaaSArchive
import MPaaSTestSupport
import Testing

@Suite("mpaas console build") struct ConsoleBuildTests {
  private func write(_ bytes: [UInt8], _ it: ServedLogs, _ name: String) throws -> String {
    let path = it.home.path + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test("a build is added, listed, shown, linked and removed, in words and as JSON")
  func life() throws {
    let it = try ServedLogs()
    let file = try write(SampleBuild.ipa(name: "商店"), it, "商店 1.ipa")
    let added = try it.command("console", "build", "add", file, "--json")
    #expect(added.status == 0, "\(added.errors)")
    let build = try json(added.output)
    let id = try #require(build["id"] as? String)
    #expect(build["name"] as? String == "商店" && build["minimum_system"] as? String == "15.0")
    #expect(build["filename"] as? String == "商店 1.ipa" && build["kind"] as? String == "ipa")
    let again = try it.command("console", "build", "add", file, "--app", "default")
    #expect(again.status == 0 && again.output.contains(id) && again.output.contains("com.example.shop"))
    let list = try it.command("console", "build", "list")
    #expect(list.status == 0 && list.output.contains(id) && list.output.contains("1.2"))
    let link = try it.command("console", "build", "link", id, "--days", "3")
    #expect(link.status == 0 && link.output.hasPrefix(it.url + "/install/"), "\(link.output) \(link.errors)")
    let made = try json(try it.command("console", "build", "link", id, "--json").output)
    let name = try #require(made["id"] as? String)
    #expect((made["expires"] as? Double ?? 0) - (made["created"] as? Double ?? 0) == 7 * 86_400)
    #expect(try it.command("console", "build", "show", id).output.contains(name))
    #expect(try it.command("console", "build", "unlink", id, name).status == 0)
    #expect(try it.command("console", "build", "unlink", id, name).status == 66)
    let shown = try json(try it.command("console", "build", "show", id, "--json").output)
    #expect((shown["links"] as? [[String: Any]])?.count == 1 && shown["url"] == nil)
    #expect(try it.command("console", "build", "remove", id).status == 0)
    #expect(try it.command("console", "build", "show", id).status == 66)
  }

  @Test("what is no build, no file, no app or no number of days is told with the status for it")
  func refused() throws {
    let it = try ServedLogs()
    let none = try write(Array("hello".utf8), it, "none.ipa")
    let refused = try it.command("console", "build", "add", none)
    #expect(refused.status != 0 && refused.errors.contains("is no build"), "\(refused.errors)")
    #expect(try it.command("console", "build", "add", it.home.path + "/missing").status == 66)
    let file = try write(SampleBuild.apk(), it, "shop.apk")
    #expect(try it.command("console", "build", "add", file, "--app", "nobody").status != 0)
    #expect(try it.command("console", "build", "link", "x", "--days", "366").status == 64)
    #expect(try it.command("console", "build", "link", "x").status == 66)
  }

  @Test("the debug files of an archive go to the symbol store of the server's machine", .fixtures)
  func symbols() throws {
    let it = try ServedLogs()
    let dsym = "54039061-A983-3323-A49D-837A894D667F.dSYM/Contents/Resources/DWARF/CrashProbeiOS"
    let debug = Array(try Fixture.data("crash/crashprobe/release-arm64/dSYMs/" + dsym))
    let name = "Shop.xcarchive/dSYMs/CrashProbeiOS.app.dSYM/Contents/Resources/DWARF/CrashProbeiOS"
    let file = try write(
      SampleBuild.xcarchive(more: [SampleBuild.Entry(name: name, contents: debug)]), it, "Shop.xcarchive.zip")
    let added = try it.command("console", "build", "add", file, "--json")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try json(added.output)["symbols"] as? Int == 1)
    let list = try it.command("symbols", "list")
    #expect(list.output.lowercased().contains("54039061"), "\(list.output)")
  }
}
