import Foundation
import MPaaSTestSupport

@testable import MPaaSHotpatchTools

/// The answers of the reference implementation about programs.
enum LuaPeer {
  /// Tells whether `luac5.4` takes a program.
  static func accepts(_ program: [UInt8]) throws -> Bool {
    let folder = try TemporaryFolder()
    try Data(program).write(to: folder.url.appending(path: "program.lua"))
    return try Command.run("luac5.4", ["-p", folder.path + "/program.lua"]).status == 0
  }

  /// Tells whether `lua5.4` can load each of many programs, in one process.
  static func verdicts(_ programs: [[UInt8]]) throws -> [Bool] {
    let folder = try TemporaryFolder()
    for (index, program) in programs.enumerated() {
      try Data(program).write(to: folder.url.appending(path: "\(index).lua"))
    }
    let script = """
      for index = 0, tonumber(arg[1]) - 1 do
        io.write(loadfile(arg[2] .. "/" .. index .. ".lua", "t") and "1" or "0")
      end
      """
    try Data(script.utf8).write(to: folder.url.appending(path: "check.lua"))
    let outcome = try Command.run("lua5.4", [folder.path + "/check.lua", "\(programs.count)", folder.path])
    return outcome.output.map { $0 == "1" }
  }

  /// The answer of our parser; nil where it takes the program.
  static func ours(_ program: [UInt8]) -> LuaSyntaxError? {
    do throws(LuaSyntaxError) {
      _ = try LuaChunk(LuaSource(program, name: "program.lua"))
      return nil
    } catch {
      return error
    }
  }
}
