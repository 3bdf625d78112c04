import Foundation
import MPaaSHotpatch
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("The linter's mends") struct LintFixerTests {
  static let mends: [(String, String)] = [
    ("function f()\n  n = 1\n  log(n)\nend\nf()\n", "local function f()\n  local n = 1\n  log(n)\nend\nf()\n"),
    ("local a = 1\nlog(2)\n", "log(2)\n"),
    ("local a = 1\nlocal b = a\nlocal function c() return b end\nlog(2)\n", "log(2)\n"),
    ("log(1) local a = 1 log(2)\n", "log(1) ; log(2)\n"), ("local a = 1;\n;(log)(1)\n", ";(log)(1)\n"),
    ("local b = log\nlocal a = 1\n(b)(1)\n", "local b = log\n;\n(b)(1)\n"),
    ("log(1)  \n\nlog(2)\t\n", "log(1)\n\nlog(2)\n"),
    ("if a != b && !c || d then log(1) end", "if a ~= b and not c or d then log(1) end"),
    ("log(1!=2)", "log(1~=2)"), ("log('!=', 1 != 2) -- !=", "log('!=', 1 ~= 2) -- !="),
    ("log(a&&b)", "log(a and b)"),
    // Used before it is written, and kept by a function that outlives the call: only `f` may be local.
    (
      "function f() return g() end\nfunction g() end\nf()\n",
      "local function f() return g() end\nfunction g() end\nf()\n"
    ),
    (
      "function f() n = 1 return function() return n end end\nf()\n",
      "local function f() n = 1 return function() return n end end\nf()\n"
    ),
  ]

  @Test("mend what is meant", arguments: mends)
  func changed(program: String, result: String) {
    #expect(Shop.mended(program) == result)
    #expect(Shop.mended(result) == result)
  }

  static let kept = [
    // Something happens where the value is computed, or may.
    "local a = log(1)\n", "local a = b.c\n", "local a <close> = nil\n", "local a, b = 1, 2\nlog(b)\n",
    // The global is used where a local would not be seen, or lives longer than it.
    "log(n)\nn = 1\n", "do n = 1 end log(n)\n",
    "if x then n = 1 end\n", "n = (n or 0) + 1\n",
    // Blanks that are content.
    "log([[a  \nb]])\n", "-- mpaas: ignore lua-unused-local\nlocal a = 1\n",
    // No other language's sign is the error.
    "x = 1 +\n", "log('a' != )\n",
  ]

  @Test("leave alone what might change its meaning", arguments: kept)
  func unchanged(program: String) {
    let known = program.replacingOccurrences(of: "x then", with: "log then")
    #expect(Shop.mended(known) == known)
  }

  /// Programs that print all that they do.
  private static func program(_ random: inout SeededRandom) -> String {
    let names = ["a", "b", "c", "d"]
    func name(_ random: inout SeededRandom) -> String { names.randomElement(using: &random) ?? "a" }
    var text = ""
    for _ in 0..<Int.random(in: 2...9, using: &random) {
      let (first, second) = (name(&random), name(&random))
      switch Int.random(in: 0..<9, using: &random) {
      case 0: text += "\(first) = 1  \n"
      case 1: text += "local \(first) = \(second)\n"
      case 2: text += "function \(first)() \(second) = 2 print(\(second)) end\n"
      case 3: text += "print(type(\(first)))\n"
      case 4: text += "do local \(first) = 3; \(second) = \(first) end\n"
      case 5: text += "if type(\(first)) == 'function' then \(first)() end\n"
      case 6: text += "local function \(first)() return \(second) end print(type(\(first)()))\n"
      case 7: text += "local \(first); (print)(type(\(second)))\n"
      default: text += "for i = 1, 2 do \(first) = i print(\(first)) local \(second) = i end\n"
      }
    }
    return text
  }

  @Test("keep what a program does, and mend nothing a second time", .tool("lua5.4"))
  func meaning() throws {
    var random = SeededRandom(seed: 7)
    var programs: [String] = []
    for _ in 0..<SeededRandom.rounds(or: 150) {
      let program = Self.program(&random)
      let mended = Shop.mended(program)
      #expect(Shop.mended(mended) == mended)
      programs += [program, mended]
    }
    let folder = try TemporaryFolder()
    for (index, program) in programs.enumerated() {
      try Data(program.utf8).write(to: folder.url.appending(path: "\(index).lua"))
    }
    let script = """
      for index = 0, tonumber(arg[1]) - 1 do
        local out = {}
        local env = {type = type, print = function(...) out[#out + 1] = table.concat({tostring((...))}) end}
        local run, problem = loadfile(arg[2] .. "/" .. index .. ".lua", "t", env)
        local ok = run and pcall(run)
        print(problem or tostring(ok) .. ":" .. table.concat(out, ","):gsub("0x%x+", ""))
      end
      """
    try Data(script.utf8).write(to: folder.url.appending(path: "run.txt"))
    let outcome = try Command.run("lua5.4", [folder.path + "/run.txt", "\(programs.count)", folder.path])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == programs.count)
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      #expect(lines[index] == lines[index + 1], "\(programs[index])\n---\n\(programs[index + 1])")
    }
  }
}
