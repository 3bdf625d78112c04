import MPaaSCrashReport
import MPaaSSupport
import Testing

@testable import MPaaSCrash

@Suite("The Lua stack of a report") struct LuaStackTests {
  @Test("it stands in the text, and comes back from .ips")
  func roundTrip() throws {
    var report = CrashReport()
    report.luaStack = [
      .init(patch: "checkout-fix", file: "shop/cart.lua", line: 12, function: "half"),
      .init(patch: "checkout-fix", file: "main.lua", line: nil, function: ""),
    ]
    let bytes = IPSWriter.bytes(of: report)
    let again = try bytes.withUnsafeBytes { try IPSReader.read($0) }
    #expect(again.luaStack == report.luaStack)
    let lines = AppleText(report).lines.map(\.text)
    let heading = try #require(lines.firstIndex(of: "Lua Stack:"))
    #expect(lines[heading + 1] == "0  checkout-fix  shop/cart.lua:12  half")
    #expect(lines[heading + 2] == "1  checkout-fix  main.lua")
  }
}
