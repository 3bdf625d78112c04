import Foundation
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatchTools

@Suite("The linter of patches") struct PatchLinterTests {
  static let clean = [
    #"patch("Cart.total", function(items, rate) return ORIG(items, rate) * 0.9 end)"#,
    #"patch("Cart.total", function(...) return ORIG(...) end)"#,
    #"patch("Cart.clear", function() log("cleared") end)"#,
    #"patch("Cart.clear", function() return ORIG() end)"#,
    #"patch("Cart.title", function(count, name) return ("%d × %s"):format(count, name or "?") end)"#,
    #"patch("Feed.find", function(text) if text == "" then return nil end return ORIG(text) end)"#,
    #"patch("Feed.find", function(text) local item = ORIG(text) if item then item:rename("x") end return item end)"#,
    #"patch("Cart.first", function(item) if item:price() > 3 then return item end return ORIG(item) end)"#,
    #"patch("Cart.total", function(_, rate) while true do if rate > 1 then return rate end rate = rate + 1 end end)"#,
    #"patch("Cart.total", function(items) for _, price in ipairs(items) do log(price) end error("no") end)"#
      .replacingOccurrences(of: "(items)", with: "(items, _)").replacingOccurrences(
        of: "ipairs(items, _)", with: "ipairs(items)"),
    "waxClass{\"Cart\"}\nfunction total(self, items, rate) return self:ORIGtotal(items, rate) end",
    "waxClass{\"Cart\"}\nfunction load(self) end -- mpaas: ignore lua-symbol-unknown",
    "waxClass({\"Cart\"})\ntotal = function(self, items, rate) return self.ORIGtotal(self, items, rate) end",
    #"Analytics.track("opened") Analytics.track("opened", {screen = Shop.currency()})"#,
    "local f = string.rep; log(f('x', 3), math.huge, #table.pack(select(2, ...)), utf8.char(65), _VERSION)"
      .replacingOccurrences(of: ", _VERSION", with: ""),
    "local total <const> = 3; return function() return total end",
    "for i = 1, 3 do local ok, err = pcall(log, i) if not ok then goto done end log(err) ::done:: end",
    "log(1 == 1.5, 'a' == 'b', nil == 1, 'a' < 'b', 1 < 2.5)",
    "local x = 1 -- mpaas: ignore lua-unused-local", "-- mpaas: ignore-file lua-unused-local\nlocal x = 1",
    "-- mpaas: ignore lua-undeclared-global: it is the test's\nlog(somewhere)",
  ]

  @Test("has nothing to say of what is right", arguments: clean)
  func nothing(program: String) {
    #expect(Shop.found(program) == [])
  }

  static let wrong: [(String, [String])] = [
    ("log(somewhere)", ["undeclared-global@1:5"]),
    ("somewhere = 1 log(somewhere)", ["undeclared-global/write@1:1"]),
    ("logg('x')", ["undeclared-global/near@1:1"]),
    ("log(unpack({}))", ["undeclared-global/renamed@1:5"]),
    ("log(null)", ["undeclared-global/renamed@1:5"]),
    ("log(string.trim('x'))", ["undeclared-global@1:5"]),
    ("log(string.uper('x'))", ["undeclared-global/near@1:5"]),
    ("string.trim = log", ["undeclared-global/overwrites@1:1"]),
    ("print = log", ["undeclared-global/overwrites@1:1"]),
    ("os.exit()", ["forbidden/os@1:1"]), ("io.open('x')", ["forbidden/io@1:1"]),
    ("load('x')()", ["forbidden/load@1:1"]), ("log(string.dump(log))", ["forbidden/load@1:5"]),
    ("setmetatable({}, {__gc = log})", ["forbidden/metatable@1:1"]), ("_G.x = 1", ["forbidden/environment@1:1"]),
    ("rawset(_G, 'x', 1)", ["forbidden/environment@1:8"]), ("collectgarbage()", ["forbidden/memory@1:1"]),
    ("coroutine.wrap(log)", ["forbidden/coroutine@1:1"]), ("xpcall(log, log)", ["forbidden/xpcall@1:1"]),
    ("require('nothing')", ["module-unknown@1:9"]),
    (#"patch("Cart.sum", log)"#, ["symbol-unknown@1:7"]), (#"patch("Cart.totl", log)"#, ["symbol-unknown/near@1:7"]),
    (#"patch("Cart.tota" .. "l", log)"#, ["symbol-unknown/dynamic@1:7"]),
    ("waxClass{\"Kart\"}", ["symbol-unknown/class-near@1:1"]),
    ("Analytics.trak('x')", ["symbol-unknown/export-near@1:1"]), ("Shop.sell()", ["symbol-unknown/export@1:1"]),
    (#"patch("Feed.find", function(t) return ORIG(t):cost() end)"#, ["symbol-unknown/method@1:39"]),
    (#"patch("Cart.total", function(items) return 1.5 end)"#, ["signature-mismatch/parameters@1:30"]),
    (#"patch("Cart.clear", function(a) log(a) end)"#, ["signature-mismatch/parameters@1:30"]),
    (
      #"patch("Cart.total", function(items, rate) return ORIG(items) end)"#, ["signature-mismatch/arguments@1:50"]
    ),
    (
      #"patch("Cart.total", function(items, rate) return ORIG(rate, items) end)"#,
      ["signature-mismatch/argument-type@1:55", "signature-mismatch/argument-type@1:61"]
    ),
    (#"patch("Cart.total", function(items, rate) return "free" end)"#, ["signature-mismatch/result-type@1:50"]),
    (#"patch("Cart.total", function(items, rate) return end)"#, ["signature-mismatch/result-type@1:43"]),
    (#"patch("Cart.total", function(items, rate) return 1, 2 end)"#, ["signature-mismatch/results@1:43"]),
    (#"patch("Cart.clear", function() return 1 end)"#, ["signature-mismatch/result-ignored@1:32"]),
    (#"Analytics.track(3)"#, ["signature-mismatch/argument-type@1:17"]),
    (#"local n = Shop.currency() Analytics.track("x", n)"#, ["signature-mismatch/argument-type@1:48"]),
    (
      #"patch("Cart.first", function(item) item:rename(3) return item end)"#,
      ["signature-mismatch/argument-type@1:48"]
    ),
    (
      #"patch("Cart.title", function(n, s) Analytics.track(1.5 .. s) return n end)"#,
      ["signature-mismatch/result-type@1:69"]
    ),
    (#"patch("Cart.total", function(items, rate) log(rate) end)"#, ["missing-return@1:53"]),
    (
      #"patch("Cart.total", function(items, rate) if rate > 1 then return rate end end)"#,
      ["missing-return/some@1:76"]
    ),
    ("ORIG()", ["wax-misuse/original-outside@1:1"]), ("patch('Cart.total')", ["wax-misuse/patch-arguments@1:1"]),
    ("waxClass{\"Cart\"} function total(items, rate) return 1 end", ["wax-misuse/self@1:27"]),
    ("waxClass{\"Cart\"} function clear(self) self:ORIGclean() end", ["wax-misuse/original-name@1:39"]),
    ("waxClass{\"Cart\"} function clear(self) self:origclear() end", ["wax-misuse/original-name@1:39"]),
    ("waxClass{\"Cart\"} function clear(self) self.ORIGclear() end", ["wax-misuse/dot-call@1:39"]),
    ("waxClass{\"Cart\"} function sum(self) end", ["symbol-unknown@1:27"]),
    (
      "waxClass{\"Cart\"} function total(self, a) return self:ORIGtotal(a) end",
      ["signature-mismatch/parameters@1:33", "signature-mismatch/arguments@1:49"]
    ),
    ("local a = 1", ["unused-local@1:7"]), ("local a a = 1", ["unused-local/written@1:7"]),
    ("local a = 1 do local a = 2 log(a) end log(a)", ["shadowed-local@1:22"]),
    ("do return end log(1)", ["unreachable@1:15"]), ("error('x') log(1)", ["unreachable@1:12"]),
    ("while true do end", ["endless-loop@1:1"]), ("repeat log(1) until false", ["endless-loop/calls@1:1"]),
    ("log(1 == '1')", ["compare-types@1:5"]), ("log(1 < '1')", ["compare-types/order@1:5"]),
    ("log(1)  \nlog(2)\t", ["trailing-space@1:7", "trailing-space@2:7"]),
    ("log([[a  \nb]])", []), ("log('a  \\\nb')", []),
    ("x = = 1", ["syntax@1:5"]), ("goto a", ["syntax/label-missing@1:1"]), ("\u{1b}Lua", ["bytecode@1:1"]),
  ]

  @Test("finds what is wrong, and where", arguments: wrong)
  func findings(program: String, found: [String]) {
    // Parameters that tests do not use are not what they are about.
    #expect(Shop.found(program).filter { !$0.hasPrefix("unused-local@1:30") } == found)
  }

  @Test("takes globals that another file of the patch requires from it, and modules by their path")
  func modules() {
    let files = [
      LuaSource(Array("local prices = require('shop.prices') log(prices.of(1))".utf8), name: "main.lua"),
      LuaSource(
        Array("return {of = function(n) return n end}".utf8), name: "x/shop/prices.lua", path: "shop/prices.lua"),
    ]
    #expect(PatchLinter(symbols: Shop.symbols).check(files).isEmpty)
    #expect(PatchLinter(symbols: Shop.symbols).check([files[0]]).map(\.rule) == [.moduleUnknown])
    #expect(PatchLinter(symbols: Shop.symbols, modules: nil).check([files[0]]).isEmpty)
  }

  private func expectRefusal(_ id: String, of program: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: TrustError.self, sourceLocation: location) {
      try PatchLinter(symbols: Shop.symbols).requireClean([LuaSource(program, name: "main.lua")])
    }
    #expect(error?.identifier == id, sourceLocation: location)
    #expect(error?.diagnostic.exit.rawValue == 65, sourceLocation: location)
    #expect(error?.place?.description.hasPrefix("main.lua:1:") == true, sourceLocation: location)
  }

  @Test("refusal 51: bytecode", arguments: ["\u{1b}Lua", "\u{1b}LuaS\0", "#!/usr/bin/lua\n\u{1b}Lua"])
  func bytecode(program: String) {
    let error = #expect(throws: TrustError.self) {
      try PatchLinter(symbols: Shop.symbols).requireClean([LuaSource(Array(program.utf8), name: "main.lua")])
    }
    #expect(error?.identifier == "lua-bytecode")
    #expect(error?.diagnostic.exit.rawValue == 65)
  }

  @Test("refusal 52: what is no Lua", arguments: ["local x = = 1", "if x then", "x = 'open", "goto nowhere"])
  func syntax(program: String) {
    expectRefusal("lua-syntax", of: Array(program.utf8))
  }

  @Test(
    "refusal 53: a global that nobody declared, read or written",
    arguments: ["log(somewhere)", "function leak() leaked = 1 end", "math.cosine(1)"])
  func undeclared(program: String) {
    expectRefusal("lua-undeclared-global", of: Array(program.utf8))
  }

  @Test(
    "refusal 54: a function that the app does not offer",
    arguments: [#"patch("Cart.steal", function() end)"#, "waxClass{\"Cart\"} function steal(self) end"])
  func unknownSymbol(program: String) {
    expectRefusal("lua-symbol-unknown", of: Array(program.utf8))
  }

  @Test(
    "refusal 55: parameters or a result that the app's function has not",
    arguments: [
      #"patch("Cart.total", function(a) return 1 end)"#, #"patch("Cart.total", function(a, b) return "x" end)"#,
    ])
  func otherSignature(program: String) {
    expectRefusal("lua-signature-mismatch", of: Array(program.utf8))
  }

  @Test("refusal 56: a source above 1 MiB, and one that is nested too deep")
  func tooMuch() {
    expectRefusal("lua-too-large", of: Array(repeating: UInt8(ascii: ";"), count: (1 << 20) + 1))
    expectRefusal("lua-too-deep", of: Array(("x = " + String(repeating: "(", count: 500_000)).utf8))
    expectRefusal("lua-too-deep", of: Array(String(repeating: "do ", count: 100_000).utf8))
  }

  @Test("takes a file of exactly 1 MiB, and knows what files patch")
  func largest() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: ";"), count: 1 << 20)
    try PatchLinter().requireClean([LuaSource(bytes, name: "main.lua")])
    let files = [
      #"patch("Feed.find", log)"#, "waxClass{\"Cart\"} function total(self) end patch('Cart.clear', function() end)",
      "x =",
    ].map { LuaSource(Array($0.utf8), name: "a.lua") }
    #expect(PatchLinter.patchedSymbols(files) == ["Cart.clear", "Cart.total", "Feed.find"])
  }
}
