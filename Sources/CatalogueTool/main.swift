#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// CatalogueTool OUTPUT (TOPIC.LANGUAGE.json | SOURCE.swift | NOUN.txt)…: the texts of each language as one sorted literal of
// Swift, for the plug-in of plugins/CatalogueTexts; of a source those of the errors that it declares, of a .txt the examples
// of a noun's commands. The form of a literal is told at `CatalogueTexts`.

func fail(_ words: String) -> Never {
  let line = Array("CatalogueTool: \(words)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(1)
}

/// The texts of a file by their languages and keys.
func texts(of path: String) -> [String: [String: String]] {
  do {
    let content = try Data(contentsOf: URL(filePath: path))
    if path.hasSuffix(".swift") { return ErrorTexts(in: String(decoding: content, as: UTF8.self)).texts }
    if path.hasSuffix(".txt") { return ExampleTexts(in: String(decoding: content, as: UTF8.self)).texts }
    let parts = path.split(separator: "/").last.map { $0.split(separator: ".") } ?? []
    guard parts.count == 3 else { fail("\(path) is not named TOPIC.LANGUAGE.json") }
    return [String(parts[1]): try JSONDecoder().decode([String: String].self, from: content)]
  } catch {
    fail("\(path): \(error)")
  }
}

/// A number with leading zeros.
func digits(_ number: Int) -> String {
  let text = String(number)
  guard text.count <= 8 else { fail("more than 99,999,999 bytes of text") }
  return String(repeating: "0", count: 8 - text.count) + text
}

/// One language's texts: how many there are, where each entry begins, and the entries by their keys' bytes.
func literal(_ texts: [String: String]) -> String {
  var offsets = digits(texts.count)
  var entries = ""
  var offset = 8 + 8 * (texts.count + 1)
  for key in texts.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
    let entry = "\(key)\t\(texts[key] ?? "")\n"
    // Swift reads a carriage return in a literal as a line break, which is one byte where two were counted.
    if key.contains("\t") || entry.utf8.contains(13) || entry.contains("\"\"\"") { fail("\(key) cannot be a literal") }
    offsets += digits(offset)
    entries += entry
    offset += entry.utf8.count
  }
  return offsets + digits(offset) + entries
}

guard let output = CommandLine.arguments.dropFirst().first else { fail("usage: CatalogueTool OUTPUT FILE…") }
var languages: [String: [String: String]] = [:]
for path in CommandLine.arguments.dropFirst(2) {
  for (language, texts) in texts(of: path) {
    languages[language, default: [:]].merge(texts) { _, _ in fail("\(path) has a key of another file") }
  }
}
var source = """
  enum CatalogueLiterals {
    static func texts(_ language: String) -> StaticString {
      switch language {

  """
for (language, texts) in languages.sorted(by: { $0.key < $1.key }) {
  source += "    case \"\(language)\":\n####\"\"\"\n\(literal(texts))\n\"\"\"####\n"
}
source += "    default: \"\(digits(0))\(digits(16))\"\n    }\n  }\n}\n"
do {
  try Data(source.utf8).write(to: URL(filePath: output))
} catch {
  fail("\(output): \(error)")
}
