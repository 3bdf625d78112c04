import MPaaSSupport

/// The words of a command on a file that need not be named: one that ends in `.plist` is the file, wherever it stands.
struct ConfigFileWords {
  let file: String
  /// The other words, in their order.
  let rest: [String]

  /// - Parameters:
  ///   - words: What was typed.
  ///   - option: The file, where an option names it.
  ///   - name: What the file is called where nobody names it: it is looked for in the current folder and below.
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
    let found = Self.search(name)
    guard let first = found.first else {
      throw Diagnostic("config-file-missing", ["name": name], exit: .inputMissing)
    }
    guard found.count == 1 else {
      let list = found.prefix(5).joined(separator: ", ")
      throw Diagnostic("config-file-ambiguous", ["name": name, "files": list], exit: .usage)
    }
    file = first
  }

  /// The files of a name in the current folder and four levels below it; built and fetched things do not count.
  private static func search(_ name: String) -> [String] {
    var found: [String] = []
    var folders: [(path: String, depth: Int)] = [("", 0)]
    var looked = 0
    while let (prefix, depth) = folders.popLast(), looked < 5000 {
      looked += 1
      for (entry, kind) in (try? FileSystem.entries(in: prefix.isEmpty ? "." : prefix)) ?? [] {
        guard !entry.hasPrefix("."), !["Pods", "build", "DerivedData", "Carthage"].contains(entry) else { continue }
        let path = prefix + entry
        if kind == .file, entry == name {
          found.append(path)
        } else if kind == .folder, depth < 4, FileStatus(ofLink: path)?.kind == .folder {
          folders.append((path + "/", depth + 1))
        }
      }
    }
    return found.sorted()
  }

  /// The most bytes that such a file may have.
  static let largest = 1 << 26

  static func read(_ path: String) throws -> [UInt8] { try Bytes.reading(path, limit: largest).array }
}
