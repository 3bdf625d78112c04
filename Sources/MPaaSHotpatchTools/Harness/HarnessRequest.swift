import MPaaSHotpatch
package import MPaaSSupport

/// A request to try a patch in a process of its own: one JSON document.
package struct HarnessRequest: Codable, Sendable, Equatable {
  /// The text of each Lua file by its path.
  package var files: [String: String]
  /// The same for files of tests.
  package var tests: [String: String]
  /// The text of a list of symbols; nil where every name is taken.
  package var symbols: String?
  /// A function to call, and its arguments as the JSON of an array.
  package var call: String?
  package var arguments: String?
  package var instructions: Int
  package var milliseconds: Int
  package var memory: Int

  package init(
    files: [String: String], tests: [String: String] = [:], symbols: String? = nil, call: String? = nil,
    arguments: String? = nil, instructions: Int, milliseconds: Int, memory: Int
  ) {
    self.files = files
    self.tests = tests
    self.symbols = symbols
    self.call = call
    self.arguments = arguments
    self.instructions = instructions
    self.milliseconds = milliseconds
    self.memory = memory
  }
}

extension HarnessRequest {
  /// Asks to try some files under limits, none of which is taken lower or higher than makes sense.
  ///
  /// - Parameters:
  ///   - list: The file of the app's symbols; nil where every name is taken.
  ///   - milliseconds: At most a minute.
  ///   - memory: Bytes, 64 KiB to 256 MiB.
  /// - Throws: `FileError`.
  package init(
    trying files: [String: String], symbols list: String?, instructions: Int, milliseconds: Int, memory: Int
  ) throws(FileError) {
    var symbols: String?
    if let list { symbols = String(decoding: try Bytes.reading(list, limit: SymbolList.largest).array, as: UTF8.self) }
    self.init(
      files: files, symbols: symbols, instructions: max(1, instructions),
      milliseconds: max(1, min(milliseconds, 60_000)), memory: max(1 << 16, min(memory, 1 << 28)))
  }
}
