import Foundation
import MPaaSTestSupport
import Testing

/// Folders of a target as layers: each names types of folders below it only.
@Suite("The folders of a target") struct FolderTests {
  /// The types that a source names and declares.
  struct Names {
    var declared: Set<Substring> = []
    var named: Set<Substring> = []
  }

  /// The folder of a file within its target: the first one below it, `.` beside all folders.
  static func folder(of file: String) -> String {
    let parts = file.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : "."
  }

  /// The capitalized words of a source outside comments and texts, and those that follow a type's introducer at the
  /// start of a line.
  static func names(in text: String) -> Names {
    var names = Names()
    var isInText = false
    for line in text.split(separator: "\n") {
      let quotes = line.components(separatedBy: "\"\"\"").count - 1
      defer { if quotes % 2 == 1 { isInText.toggle() } }
      guard !isInText, line.utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5a }) else { continue }
      let words = words(of: line)
      names.named.formUnion(words.lazy.filter { $0.utf8.first.map { $0 >= 0x41 && $0 <= 0x5a } ?? false })
      guard line.first != " ", !words.contains("private"), !words.contains("fileprivate"),
        let place = words.firstIndex(where: Self.introducers.contains), place + 1 < words.count
      else { continue }
      names.declared.insert(words[place + 1])
    }
    return names
  }

  private static let introducers: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// The identifiers of a line up to its comment, without those in quotes.
  private static func words(of line: Substring) -> [Substring] {
    var words: [Substring] = []
    var start: Substring.UTF8View.Index?
    var isQuoted = false
    var last: UInt8 = 0
    let bytes = line.utf8
    for place in bytes.indices {
      let byte = bytes[place]
      let isWord = (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || byte == 0x5f || (byte >= 0x30 && byte <= 0x39)
      if isWord, !isQuoted {
        if start == nil { start = place }
      } else if let begin = start {
        words.append(line[begin..<place])
        start = nil
      }
      if byte == 0x22, last != 0x5c { isQuoted.toggle() }
      if byte == 0x2f, last == 0x2f, !isQuoted { return words }
      last = byte
    }
    if let start { words.append(line[start...]) }
    return words
  }

  /// For each folder those whose types it names.
  static func arrows(_ sources: [(file: String, text: String)]) -> [String: Set<String>] {
    let all = sources.map { (folder: Self.folder(of: $0.file), names: Self.names(in: $0.text)) }
    var homes: [Substring: Set<String>] = [:]
    for (folder, names) in all { for name in names.declared { homes[name, default: []].insert(folder) } }
    var arrows: [String: Set<String>] = [:]
    for (folder, names) in all {
      for name in names.named {
        guard let home = homes[name], home.count == 1, let target = home.first, target != folder else { continue }
        arrows[folder, default: []].insert(target)
      }
    }
    return arrows
  }

  /// The folders from which a way leads back to themselves.
  static func ring(in arrows: [String: Set<String>]) -> [String] {
    arrows.keys.filter { begin in
      var reached: Set<String> = []
      var next = Array(arrows[begin] ?? [])
      while let folder = next.popLast() {
        if reached.insert(folder).inserted { next += arrows[folder] ?? [] }
      }
      return reached.contains(begin)
    }.sorted()
  }

  @Test("form no rings")
  func layers() {
    let targets = Dictionary(grouping: PackageSource.all) { String($0.file.prefix { $0 != "/" }) }
    #expect(targets.count > 30)
    for (target, sources) in targets.sorted(by: { $0.key < $1.key }) {
      #expect(Self.ring(in: Self.arrows(sources.map { ($0.file, $0.text) })) == [], "\(target)")
    }
  }

  @Test("are found to form a ring by the types that they name, not by words in comments and texts")
  func findsRings() {
    let low = (file: "T/Low/A.swift", text: "struct A {}\n")
    let high = (file: "T/High/B.swift", text: "enum B {\n  var a: A\n}\n")
    #expect(Self.arrows([low, high]) == ["High": ["Low"]])
    #expect(Self.ring(in: Self.arrows([low, high])).isEmpty)
    let back = (file: "T/Low/C.swift", text: "extension A { var b: B? { nil } }\n")
    #expect(Self.ring(in: Self.arrows([low, high, back])) == ["High", "Low"])
    let words = (file: "T/Low/C.swift", text: "// B\nlet text = \"B \\\" B\"\nlet more = \"\"\"\n  B\n  \"\"\"\n")
    #expect(Self.ring(in: Self.arrows([low, high, words])).isEmpty)
  }
}
