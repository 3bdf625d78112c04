package import MPaaSHotpatch
import MPaaSSupport

/// The Lua files of a patch and the files of tests beside them, by path.
package struct PatchSources: Sendable {
  package private(set) var files: [String: String] = [:]
  package private(set) var tests: [String: String] = [:]

  private static let largest = 1 << 20
  private static let most = 1000

  /// Reads the files at a path.
  ///
  /// - Parameter path: A Lua file, with its test `NAME_test.lua` beside it; a file of tests; or a folder.
  /// - Throws: `FileError`.
  package init(_ path: String) throws {
    if FileStatus(path)?.kind == .folder {
      try add(folder: path, prefix: "", depth: 0)
    } else if LuaSource.isTest(path) {
      try add(folder: path.contains("/") ? FileSystem.folder(of: path) : ".", prefix: "", depth: 16)
      tests = tests.filter { $0.key == FileSystem.name(of: path) }
    } else {
      let name = FileSystem.name(of: path)
      files[name.hasSuffix(".lua") ? name : name + ".lua"] = try Self.text(path)
      let test = path.hasSuffix(".lua") ? path.dropLast(4) + "_test.lua" : ""
      if FileStatus(String(test)) != nil { tests[FileSystem.name(of: String(test))] = try Self.text(String(test)) }
    }
  }

  /// Takes the files of a bundle, and reads the tests beside it.
  ///
  /// - Parameters:
  ///   - bundle: The files of a bundle that passed all checks.
  ///   - path: Where it lies: the tests of `cart.mpatch` are `cart_test.lua` beside it.
  package init(_ bundle: [PayloadFile], at path: String) throws {
    for file in bundle where file.isLua {
      let text = file.contents.text
      if LuaSource.isTest(file.path) { tests[file.path] = text } else { files[file.path] = text }
    }
    let test = (path.hasSuffix(".mpatch") ? String(path.dropLast(7)) : path) + "_test.lua"
    if FileStatus(test) != nil { tests[FileSystem.name(of: test)] = try Self.text(test) }
  }

  /// Adds the tests of a file or a folder.
  package mutating func addTests(_ path: String) throws {
    tests.merge(try PatchSources(path).tests) { $1 }
  }

  private mutating func add(folder: String, prefix: String, depth: Int) throws {
    for (name, kind) in try FileSystem.entries(in: folder).sorted(by: { $0.name < $1.name }) {
      guard files.count + tests.count < Self.most, !name.hasPrefix(".") else { continue }
      let path = folder + "/" + name
      if kind == .folder, depth < 16 {
        try add(folder: path, prefix: prefix + name + "/", depth: depth + 1)
      } else if LuaSource.isTest(name) {
        tests[prefix + name] = try Self.text(path)
      } else if name.hasSuffix(".lua") {
        files[prefix + name] = try Self.text(path)
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Bytes.reading(path, limit: largest).array, as: UTF8.self)
  }
}
