import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas hotpatch run and test") struct HotpatchRunTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String) throws -> String {
    let path = folder.url.appending(path: name).path
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private static let symbols = """
    {"app":"com.example.shop","version":"8.1.0","functions":{"Cart.total":{"parameters":["[double]","double"],
    "result":"double","async":false,"throws":false}},"exports":{},"types":{}}
    """

  @Test("a patch is run against the symbols, and what it replaced, logged and called is told")
  func run() throws {
    let file = try write(
      "main.lua", "log('here') patch('Cart.total', function(items, rate) return ORIG(items, rate) + #items end)")
    let symbols = try write("symbols.json", Self.symbols)
    let outcome = try Command.run(
      "mpaas",
      ["hotpatch", "run", file, "--symbols", symbols, "--call", "Cart.total", "--arguments", "[[1,2],1.5]", "--json"])
    #expect(outcome.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(object?["symbols"] as? [String] == ["Cart.total"])
    #expect(object?["result"] as? String == "2")
    #expect((object?["calls"] as? [[String: Any]])?.first?["arguments"] as? String == "[[1,2],1.5]")
    #expect((object?["instructions"] as? Int ?? 0) > 5)
    let text = try Command.run("mpaas", ["hotpatch", "run", file, "--symbols", symbols])
    #expect(text.output.contains("replaces Cart.total\nmain.lua:1: here\n"))
  }

  @Test("a patch that fails, is no Lua, loops or names what the app has not ends with status 1 and the line")
  func failures() throws {
    let symbols = try write("symbols.json", Self.symbols)
    for (text, words) in [
      ("\nerror('no')", "main.lua:2: no"), ("patch(", "main.lua:1:"), ("while true do end", "too many instructions"),
      ("patch('No.such', print)", "the app has no function 'No.such'"), ("os.exit(0)", "nil value (global 'os')"),
      ("patch('Cart.total', function() return 'x' end)", "double expected, got string"),
    ] {
      let outcome = try Command.run(
        "mpaas", ["hotpatch", "run", try write("main.lua", text), "--symbols", symbols, "--call", "Cart.total"])
      #expect(outcome.status == 1, "\(text)")
      #expect(outcome.output.contains(words), "\(outcome.output)")
    }
    #expect(try Command.run("mpaas", ["hotpatch", "run", folder.url.path + "/none.lua"]).status == 66)
  }

  @Test(
    "a patch that fails tells what it used, also where it failed while it was loaded",
    arguments: [
      ("while true do end", "too many instructions"), ("local s = 'x' while true do s = s .. s end", "memory"),
      ("local t = {} for i = 1, 1000 do t[i] = i end error('no')", "no"),
    ])
  func used(_ text: String, _ words: String) throws {
    let run = ["hotpatch", "run", try write("main.lua", text)]
    let outcome = try Command.run("mpaas", run + ["--json"])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let failure = (object?["failures"] as? [[String: Any]])?.first?["message"] as? String
    #expect(failure?.contains(words) == true, "\(outcome.output)")
    #expect((object?["instructions"] as? Int ?? 0) > 20)
    #expect((object?["memory"] as? Int ?? 0) > 10_000)
    #expect((object?["milliseconds"] as? Int ?? -1) >= 0)
    #expect(try Command.run("mpaas", run).output.split(separator: "\n").last?.hasSuffix(" ms") == true)
  }

  @Test("tests beside a patch are run with stand-ins, and a failing one gives status 1")
  func tests() throws {
    _ = try write("main.lua", "patch('Cart.total', function(items, rate) return ORIG(items, rate) * 0.9 end)")
    let good = try write(
      "good_test.lua",
      """
      test("ten percent", function()
        original("Cart.total", function(items, rate) return 100 end)
        expect(call("Cart.total", {1}, 2)):near(90)
        expect(calls("Cart.total")):equals(1)
        expect({1, {a = 2}}):equals({1, {a = 2}})
        expect(function() error("x") end):fails("x")
      end)
      """)
    #expect(
      try Command.run("mpaas", ["hotpatch", "test", good]).output == "TAP version 13\n1..1\nok 1 - ten percent\n")
    _ = try write(
      "bad_test.lua",
      "test('wrong', function()\n expect(1):equals(2) end) test('loops', function() while true do end end)")
    let outcome = try Command.run("mpaas", ["hotpatch", "test", folder.url.path])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("not ok 1 - wrong\n# bad_test.lua:2: expected 1 to equal 2\n"))
    #expect(outcome.output.contains("not ok 2 - loops\n# too many instructions\n"))
    let empty = try write("other.lua", "")
    #expect(try Command.run("mpaas", ["hotpatch", "test", empty]).status == 66)
  }
}
