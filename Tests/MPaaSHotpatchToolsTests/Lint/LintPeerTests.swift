import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("The linter beside its peers") struct LintPeerTests {
  static let snippets = [
    "foo()", "foo = 1", "local foo = 1 foo = 2", "local function f() foo = bar end f()", "function foo() bar() end",
    "function foo.bar() end", "function foo:bar() return self end", "local t = {foo = bar, [baz] = 1, qux} return t",
    "for i = 1, n do print(i) end", "for k, v in pairs(t) do print(k, v) end print(k)", "foo.bar.baz = qux.x",
    "local foo foo.bar = 1", "do local foo = 1 print(foo) end print(foo)", "repeat local x = 1 until x print(x)",
    "goto foo ::foo:: print(foo)", "return function(foo, ...) return foo, bar, ... end", "local x = x",
    "local function x() return x end return x", "local x = function() return x end", "foo, bar = bar, foo",
    "print(('x'):rep(foo))", "foo'x' bar{} baz[[y]]", "if foo then elseif bar then else baz() end",
    "while foo do bar = not bar end", "local a <const> = foo print(a)", "foo[bar][baz] = 1",
    "print(#foo, -bar, ~baz, not qux)",
    "local string = {} string.foo = bar", "_G = nil", "tostring = 1", "math = nil", "self.x = 1",
    "print(arg, _VERSION)",
  ]

  /// The globals that patches may name, as a peer's settings have them.
  static let known: Set<String> = [
    "assert", "error", "ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring", "type", "rawequal",
    "rawlen",
    "rawget", "rawset", "patch", "waxClass", "ORIG", "require", "log", "print", "string", "table", "math", "utf8",
  ]

  /// Names of globals that we call undeclared or forbidden.
  static func ours(_ program: String) -> Set<String> {
    let rules: Set<LintRule> = [.undeclaredGlobal, .forbidden]
    return Set(
      Shop.lint(program, symbols: nil).filter { rules.contains($0.rule) && $0.variant != "overwrites" }.compactMap {
        $0.values["name"]?.split(separator: ".").first.map(String.init)
      })
  }

  @Test("finds the globals that luac's code reads and writes", .tool("luac5.4"))
  func luac() throws {
    let folder = try TemporaryFolder()
    for (index, snippet) in Self.snippets.enumerated() {
      let file = folder.path + "/\(index).lua"
      try Data(snippet.utf8).write(to: URL(filePath: file))
      let listing = try Command.run("luac5.4", ["-l", "-p", file])
      #expect(listing.status == 0, "\(snippet)")
      var names: Set<String> = []
      for line in listing.output.split(separator: "\n") {
        guard line.contains("ETTABUP"), let name = line.firstMatch(of: /_ENV "([A-Za-z_0-9]+)"/) else { continue }
        names.insert(String(name.output.1))
      }
      #expect(Self.ours(snippet) == names.subtracting(Self.known), "\(snippet)")
    }
  }

  @Test("finds the globals that luacheck calls undefined", .tool("luacheck"))
  func luacheck() throws {
    let folder = try TemporaryFolder()
    for (index, snippet) in Self.snippets.enumerated() {
      try Data(snippet.utf8).write(to: folder.url.appending(path: "\(index).lua"))
    }
    let outcome = try Command.run(
      "luacheck",
      ["--std", "none", "--codes", "--formatter", "plain", "--no-cache", "--globals"] + Self.known.sorted()
        + ["--only", "11[1-3]", "--"] + Self.snippets.indices.map { folder.path + "/\($0).lua" })
    var names: [Int: Set<String>] = [:]
    for line in outcome.output.split(separator: "\n") {
      guard let match = line.firstMatch(of: /\/(\d+)\.lua:.*variable '([A-Za-z_0-9]+)'/),
        let index = Int(match.output.1)
      else { continue }
      names[index, default: []].insert(String(match.output.2))
    }
    #expect(names.count > 15)
    for (index, snippet) in Self.snippets.enumerated() {
      #expect(Self.ours(snippet) == names[index] ?? [], "\(snippet)")
    }
  }
}
