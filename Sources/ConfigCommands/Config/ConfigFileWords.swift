import MPaaSConfig
import MPaaSSupport

/// The words of a command on a file that need not be named: one that ends in `.plist` is the file, wherever it stands.
struct ConfigFileWords {
  let file: String
  /// The other words, in their order.
  let rest: [String]

  /// - Parameters:
  ///   - words: As they were typed.
  ///   - option: The file, where an option names it.
  ///   - name: The name of the file that is looked for where none is named.
  /// - Throws: `config-file-missing`, `config-file-ambiguous`.
  init(_ words: [String], option: String?, name: String) throws {
    if let option {
      (file, rest) = (option, words)
      return
    }
    if let index = words.firstIndex(where: { $0.hasSuffix(".plist") }) {
      file = words[index]
      rest = words.enumerated().filter { $0.offset != index }.map(\.element)
      return
    }
    rest = words
    file = try ConfigFileSearch.live.file(named: name)
  }

  /// The most bytes that such a file may have.
  static let largest = 1 << 26

  static func read(_ path: String) throws -> [UInt8] { try Bytes.reading(path, limit: largest).array }
}
