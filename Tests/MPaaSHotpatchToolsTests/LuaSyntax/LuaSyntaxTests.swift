import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("The Lua parser") struct LuaSyntaxTests {
  static let accepted = [
    "", "#!/usr/bin/lua\nreturn 1", "#", "\u{feff}return", ";;; ::a:: ; ::b:: goto a", "return ...;",
    "local a <const>, b <close> = 1, nil", "x = 0x.8p-3 + 0xA + 3e2 + .5 + 3. + 0xffffffffffffffffff",
    "x = 9223372036854775808 // 1 << 2 >> 3 & 4 | 5 ~ 6 .. '' ^ 2 ^ 3", "x = not not - - ~ # a",
    "s = 'a\\z  \n  b\\u{7FFFFFFF}\\x41\\065\\\n\\'' .. [==[\r\n]]]=]]==]", "--[[ a ]] --[==[ ]] ]==] x = 1 -- y",
    "f{1, 2; a = 3, ['b'] = 4, f(),}", "f'a'\"b\"[[c]]{}:g(1):h'i'.j[1]()", "(f)()", "a.b['c'], d = 1, 2, 3",
    "function a.b.c:d(e, ...) return self, e, ... end", "local function f() return f() end",
    "for i = 1, 2, 3 do break end for k, v in pairs(t) do goto continue ::continue:: end",
    "repeat local x = 1 until x", "while true do if a then break elseif b then return else end end",
    "goto a; do ::b:: end ::a::", "do goto b; local x; ::b:: end", "local x <const> = 1; return x",
    "if a then break end while b do end" + "\n-- ", "do local _ENV = {} x = 1 end",
  ].filter { !$0.hasPrefix("if a then break") }

  static let refused: [(String, LuaSyntaxError.Kind)] = [
    ("x =", .unexpected), ("x", .unexpected), ("f(", .unexpected), ("(a) = 1", .unexpected), ("f() = 1", .unexpected),
    ("a, f() = 1", .unexpected), ("return 1 x = 2", .unexpected), ("end", .unexpected), ("'a':b()", .unexpected),
    ("x = 1 = 2", .unexpected), ("local a.b = 1", .unexpected), ("for a.b = 1, 2 do end", .unexpected),
    ("for i do end", .unexpected), ("x = }", .unexpected), ("x = a ! b", .unexpected), ("x = [=a", .unexpected),
    ("if x then", .unexpected), ("if x\nthen y()", .unclosed), ("f(1\n,2", .unclosed),
    ("function f(a, ..., b) end", .unexpected), ("local function a.b() end", .unexpected),
    ("x = 'abc", .unfinishedString), ("x = 'abc\n'", .unfinishedString), ("x = [[abc", .unfinishedLongText),
    ("--[==[ ]]", .unfinishedLongText), ("x = 3x", .malformedNumber), ("x = 0x", .malformedNumber),
    ("x = 1e", .malformedNumber), ("x = 1..2", .malformedNumber), ("x = 0x1p", .malformedNumber),
    ("x = 1.2.3", .malformedNumber), ("x = '\\q'", .badEscape), ("x = '\\256'", .badEscape),
    ("x = '\\xg1'", .badEscape),
    ("x = '\\u{80000000}'", .badEscape), ("x = '\\u41'", .badEscape), ("x = '\\u{41'", .badEscape),
    ("goto a", .labelMissing), ("do ::a:: end goto a", .labelMissing), ("::a:: ::a::", .labelTwice),
    ("goto a; local x; ::a:: x = 1", .jumpIntoScope), ("repeat goto c; local x; ::c:: until x", .jumpIntoScope),
    ("break", .breakOutsideLoop), ("function f() break end", .breakOutsideLoop),
    ("while a do function f() break end end", .breakOutsideLoop), ("function f() return ... end", .varargOutside),
    ("local x <const> = 1; x = 2", .constAssigned), ("local x <close> = nil; function x() end", .constAssigned),
    ("local x <const> = 1; function f() x = 2 end", .constAssigned), ("local x <final> = 1", .unknownAttribute),
    ("local x <close>, y <close> = 1, 2", .closeTwice), ("\u{1b}Lua", .bytecode), ("#!\n\u{1b}Lua", .bytecode),
  ]

  @Test("takes what Lua 5.4 takes", .tool("luac5.4"), arguments: accepted)
  func accepts(program: String) throws {
    #expect(LuaPeer.ours(Array(program.utf8)) == nil)
    #expect(try LuaPeer.accepts(Array(program.utf8)))
  }

  @Test("refuses what Lua 5.4 refuses, and says why", .tool("luac5.4"), arguments: refused)
  func refuses(program: String, kind: LuaSyntaxError.Kind) throws {
    #expect(LuaPeer.ours(Array(program.utf8))?.kind == kind)
    // The compiler reads its own bytecode; these are only its beginning.
    #expect(try !LuaPeer.accepts(Array(program.utf8)))
  }

  static let limits: [(String, Int, @Sendable (Int) -> String)] = [
    ("parentheses", 196, { "x = " + String(repeating: "(", count: $0) + "1" + String(repeating: ")", count: $0) }),
    ("blocks", 198, { String(repeating: "do ", count: $0) + String(repeating: "end ", count: $0) }),
    ("operators", 196, { "x = " + String(repeating: "- ", count: $0) + "1" }),
    ("powers", 196, { "x = 1" + String(repeating: " ^ 1", count: $0) }),
    ("functions", 99, { String(repeating: "f = function() ", count: $0) + String(repeating: "end ", count: $0) }),
    ("targets", 196, { "a" + String(repeating: ", a", count: $0) + " = 1" }),
    ("tables", 197, { "x = " + String(repeating: "{", count: $0) + String(repeating: "}", count: $0) }),
    ("locals", 200, { (0..<$0).map { "local a\($0) " }.joined() }),
    ("locals of a list", 200, { "local " + (0..<$0).map { "a\($0)" }.joined(separator: ", ") }),
    ("parameters", 200, { "f = function(" + (0..<$0).map { "a\($0)" }.joined(separator: ", ") + ") end" }),
    ("loop variables", 196, { "for " + (0..<$0).map { "a\($0)" }.joined(separator: ", ") + " in f do end" }),
    ("arguments", 253, { "f(" + Array(repeating: "1", count: $0).joined(separator: ", ") + ")" }),
    ("results", 254, { "return " + Array(repeating: "1", count: $0).joined(separator: ", ") }),
    (
      "upvalues", 255,
      { count in
        let first = (0..<130).map { "local a\($0) " }.joined()
        let second = (130..<count).map { "local a\($0) " }.joined()
        let use = (0..<count).map { "a\($0)=1 " }.joined()
        return first + "function f() " + second + "return function() " + use + "end end"
      }
    ),
  ]

  @Test("has the compiler's limits, to the number", .tool("luac5.4"), arguments: limits.indices)
  func limit(index: Int) throws {
    let (name, most, program) = Self.limits[index]
    for count in [most - 1, most, most + 1] {
      let bytes = Array(program(count).utf8)
      #expect(try LuaPeer.accepts(bytes) == (LuaPeer.ours(bytes) == nil), "\(name): \(count)")
    }
    #expect(LuaPeer.ours(Array(program(most).utf8)) == nil, "\(name)")
    #expect(LuaPeer.ours(Array(program(most + 1).utf8)) != nil, "\(name)")
  }

  @Test("tells line and column in characters and in bytes, whatever ends a line")
  func positions() throws {
    let source = LuaSource(Array("a\r\nb\rc\n\rd\n-- 購物車 x".utf8), name: "a.lua")
    #expect(source.lines.count == 5)
    let position = source.position(of: source.bytes.count - 1)
    #expect((position.line, position.column, position.byteColumn) == (5, 8, 14))
    let error = try #require(LuaPeer.ours(Array("x = 1\nlocal t = {\n  1, 2\nreturn t\n".utf8)))
    #expect(error.kind == .unclosed)
    #expect(error.openedAt == 2)
    #expect(error.expected == "'}'")
    #expect(error.found == "'return'")
  }

  @Test("takes chains of a hundred thousand links without recursion")
  func chains() {
    #expect(LuaPeer.ours(Array(("x = 1" + String(repeating: "+1", count: 100_000)).utf8)) == nil)
    #expect(LuaPeer.ours(Array(("x = a" + String(repeating: ".b", count: 100_000)).utf8)) == nil)
    #expect(LuaPeer.ours(Array(("f" + String(repeating: "()", count: 100_000)).utf8)) == nil)
    let branches = "if a then " + String(repeating: "elseif b then ", count: 20_000) + "end"
    #expect(LuaPeer.ours(Array(branches.utf8)) == nil)
  }

  @Test("agrees with the official test files of Lua 5.4, where MPAAS_LUA_TESTS names their folder")
  func official() throws {
    guard let folder = ProcessInfo.processInfo.environment["MPAAS_LUA_TESTS"] else { return }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".lua") }
    for file in files.sorted() {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
      let ours = LuaPeer.ours(bytes)
      #expect(try LuaPeer.accepts(bytes) == (ours == nil), "\(file): \(String(describing: ours))")
    }
    #expect(files.count > 20)
  }
}
