import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas gateway env") struct GatewayCommandTests {
  static func file(_ rpc: String = "https://gateway.shop.cn/mgw.htm") throws -> (folder: TemporaryFolder, path: String)
  {
    let folder = try TemporaryFolder()
    let text = """
      <plist version="1.0">
      <dict>
        <!-- kept -->
        <key>Debug</key>
        <dict>
          <key>mPaasRpcGateway</key>
          <string>http://127.0.0.1:1/mgw.htm</string>
        </dict>
        <key>Release</key>
        <dict>
          <key>mPaasRpcGateway</key>
          <string>\(rpc)</string>
        </dict>
      </dict>
      </plist>

      """
    let path = folder.path + "/GatewayConfig.plist"
    try Data(text.utf8).write(to: URL(filePath: path))
    return (folder, path)
  }

  @Test("list and show tell what there is")
  func list() throws {
    let (folder, path) = try Self.file()
    let list = try json(try mpaas("gateway", "env", "list", path, "--json").output)
    let names = (list["environments"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["Debug", "Release"])
    let show = try mpaas("gateway", "env", "show", "release", "--file", path)
    #expect(show.status == 0)
    #expect(show.output.contains("https://gateway.shop.cn/mgw.htm"))
    #expect(try mpaas("gateway", "env", "show", "Relase", path).status == 66)
    #expect(try mpaas("gateway", "env", "show", path).status == 64)
    _ = folder
  }

  @Test("use and set keep all else, show a diff with --dry-run, and change nothing the second time")
  func edit() throws {
    let (folder, path) = try Self.file()
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let dry = try mpaas("gateway", "env", "use", "Debug", path, "--dry-run")
    #expect(dry.status == 0)
    #expect(dry.output.contains("+  <key>Selected</key>"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(try mpaas("gateway", "env", "use", "Debug", path).output.contains("changed"))
    let again = try mpaas("gateway", "env", "use", "debug", path, "--json")
    #expect(try json(again.output)["changed"] as? Bool == false)
    #expect(try mpaas("gateway", "env", "list", path).output.contains("*  Debug"))
    #expect(try mpaas("gateway", "env", "set", path, "Debug", "mPaasRpcGateway", "https://new.shop.cn").status == 0)
    #expect(
      try mpaas("gateway", "env", "set", path, "Sit", "mPaasRpcGateway=https://sit.shop.cn", "--create").status == 0)
    #expect(try mpaas("gateway", "env", "set", path, "Debug", "mPaasRpcGateway", "nowhere").status == 65)
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(after.contains("<!-- kept -->"))
    #expect(after.contains("https://sit.shop.cn"))
    #expect(after.contains("new.shop.cn"))
    _ = folder
  }

  @Test("check exits with 1 for malformed addresses, and with --online for those at which nobody answers")
  func check() throws {
    let good = try Self.file()
    #expect(try mpaas("gateway", "env", "check", good.path).status == 0)
    let bad = try Self.file("https://gateway.shop.cn:99999")
    let outcome = try mpaas("gateway", "env", "check", bad.path)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("GatewayConfig.plist:12:"))
    #expect(outcome.output.contains("[gateway-url-port]"))
    let online = try mpaas("gateway", "env", "check", "Debug", good.path, "--online", "--timeout", "2", "--json")
    let codes = (try json(online.output)["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(online.status == 1)
    #expect(codes == ["gateway-unreachable"])
  }

  @Test("check --online is content with any answer")
  func online() throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("404 Not Found") }
    let file = try Self.file()
    #expect(
      try mpaas("gateway", "env", "set", file.path, "Debug", "mPaasRpcGateway", server.url + "/mgw.htm").status == 0)
    let outcome = try mpaas("gateway", "env", "check", "Debug", file.path, "--online", "--timeout", "10")
    #expect(outcome.status == 0, "\(outcome.output)")
  }
}
