import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas runtime on MobileRuntime.plist") struct RuntimeTableTests {
  static func project() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let text = """
      <plist version="1.0">
      <dict>
        <key>Applications</key>
        <array>
          <!-- first -->
          <dict>
            <key>name</key>
            <string>home</string>
            <key>delegate</key>
            <string>HomeApp</string>
          </dict>
        </array>
        <key>Services</key>
        <array/>
        <key>Launcher</key>
        <string>home</string>
      </dict>
      </plist>

      """
    let source = """
      final class HomeApp: MicroAppDelegate { func x() { context.service(named: "a") } }
      final class A: MobileService { func x() { context.service(named: "b") } }
      final class B: MobileService { func x() { context.service(named: "a") } }
      """
    let path = folder.path + "/MobileRuntime.plist"
    try Data(text.utf8).write(to: URL(filePath: path))
    try Data(source.utf8).write(to: folder.url.appending(path: "Shop.swift"))
    return (folder, path)
  }

  @Test("add and remove are found by list, undo each other, and change nothing the second time")
  func edit() throws {
    let (folder, path) = try Self.project()
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let dry = try mpaas("runtime", "add-app", "cart", "CartApp", path, "--dry-run", "--json")
    let change = try json(dry.output)
    #expect(change["changed"] as? Bool == true)
    #expect(change["written"] as? Bool == false)
    #expect((change["diff"] as? String)?.contains("+      <string>cart</string>") == true)
    #expect(try mpaas("runtime", "add-app", path, "cart", "--delegate", "CartApp", "--launcher").status == 0)
    #expect(try mpaas("runtime", "add-app", "cart", "CartApp", path).output.contains("nothing to change"))
    #expect(try mpaas("runtime", "add-app", "cart", "Other", path).status == 65)
    let list = try json(try mpaas("runtime", "list", path, "--json").output)
    #expect(list["launcher"] as? String == "cart")
    #expect((list["applications"] as? [Any])?.count == 2)
    #expect(try mpaas("runtime", "remove-app", "cart", path).status == 65)
    #expect(try mpaas("runtime", "add-app", "home", "HomeApp", path, "--launcher").status == 0)
    #expect(try mpaas("runtime", "remove-app", "cart", path).status == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    let absent = try mpaas("runtime", "remove-service", "none", path)
    #expect(absent.status == 0)
    #expect(absent.output.contains("nothing to change"))
    #expect(absent.errors.contains("none is not in"))
    _ = folder
  }

  @Test("check finds circles and missing classes, and graph draws who asks for whom")
  func check() throws {
    let (folder, path) = try Self.project()
    #expect(try mpaas("runtime", "check", path).status == 0)
    for name in ["A", "B"] {
      #expect(try mpaas("runtime", "add-service", name.lowercased(), name, path, "--eager").status == 0)
    }
    let circle = try mpaas("runtime", "check", path)
    #expect(circle.status == 1)
    #expect(circle.output.contains("[runtime-service-circle]"))
    #expect(circle.output.contains("Shop.swift:2:"))
    #expect(try mpaas("runtime", "add-service", "far", "FarService", path).status == 0)
    let missing = try mpaas("runtime", "check", path, "--sources", folder.path, "--json")
    #expect(try json(missing.output)["errors"] as? Int == 2)
    #expect(missing.output.contains("runtime-class-missing"))
    let graph = try json(try mpaas("runtime", "graph", path, "--json").output)
    #expect((graph["edges"] as? [Any])?.count == 3)
    #expect((graph["circles"] as? [[String]])?.first == ["a", "b"])
    #expect(try mpaas("runtime", "graph", path, "--format", "dot").output.hasPrefix("digraph runtime {"))
  }

  @Test("the file is found where nobody names it, and two are told")
  func search() throws {
    let (folder, _) = try Self.project()
    let home = ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C"]
    let found = try Command.run("mpaas", ["runtime", "list"], environment: home, directory: folder.url)
    #expect(found.status == 0)
    #expect(found.output.contains("HomeApp"))
    let empty = try TemporaryFolder()
    let missing = try Command.run("mpaas", ["runtime", "list"], environment: home, directory: empty.url)
    #expect(missing.status == 66)
  }
}
