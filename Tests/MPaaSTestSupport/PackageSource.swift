import Foundation

/// A Swift source of the package; all are read once for the tests that look through them.
public struct PackageSource: Sendable {
  /// The path below `Sources`.
  public let file: String
  /// The text of the file.
  public let text: String

  /// All Swift files below `Sources`, by their paths, but for those that tutorials show.
  public static let all: [PackageSource] = {
    let sources = Fixture.package.appending(path: "Sources")
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
    return files.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted().compactMap { file in
      guard var text = try? String(contentsOf: sources.appending(path: file), encoding: .utf8) else { return nil }
      text.makeContiguousUTF8()
      return PackageSource(file: file, text: text)
    }
  }()

  /// Tells whether the text has one of some words, found by their bytes: a fast look before a slow pattern.
  public func has(_ words: [String]) -> Bool { words.contains { text.hasBytes(of: $0) } }

  /// The lines that have one of some words.
  public func lines(with words: [String]) -> [Substring] {
    guard has(words) else { return [] }
    return text.split(separator: "\n").filter { line in words.contains { line.hasBytes(of: $0) } }
  }
}

extension StringProtocol {
  /// Tells whether the bytes of `word` stand in the text, in its UTF-8.
  public func hasBytes(of word: String) -> Bool {
    var word = word
    return word.withUTF8 { word in
      guard let first = word.first, let wanted = word.baseAddress else { return true }
      return utf8.withContiguousStorageIfAvailable { bytes in
        guard let start = bytes.baseAddress else { return false }
        var rest = bytes.count - word.count + 1
        while rest > 0 {
          let place = start + (bytes.count - word.count + 1 - rest)
          guard let found = memchr(place, Int32(first), rest) else { return false }
          if memcmp(found, wanted, word.count) == 0 { return true }
          rest -= UnsafeRawPointer(place).distance(to: found) + 1
        }
        return false
      } ?? false
    }
  }
}
