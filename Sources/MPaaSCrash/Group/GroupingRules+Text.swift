package import MPaaSSupport

/// The reason why a line of a rules file is none, and where.
package struct GroupingRulesError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// A word that begins no rule and is no matcher.
    case word = "grouping-rule-word"
    /// A rule without a matcher or without what is to be done.
    case incomplete = "grouping-rule-incomplete"
    /// Something else than the name of a group where one must stand.
    case group = "grouping-rule-group"
    /// A split by something that groups are not split by.
    case split = "grouping-rule-split"
    /// A quotation mark that is never closed.
    case quote = "grouping-rule-quote"
  }

  package let code: Code
  /// The word that stood there.
  package let word: String
  /// From 1.
  package let line: Int
  /// From 1, in bytes.
  package let column: Int
  package var path = "-"
}

extension GroupingRulesError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    Diagnostic(
      DiagnosticID(code.rawValue), ["word": word, "path": path],
      at: .text(file: path, line: line, column: column), exit: .badConfiguration)
  }
}

extension GroupingRules {
  /// Reads the text of a rules file.
  package init(_ text: String) throws(GroupingRulesError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = try Self.words(line, number: index + 1)
      guard let first = words.first else { continue }
      switch first.text {
      case "merge": try readMerge(words)
      case "split": try readSplit(words)
      default: rules.append(try Self.rule(words))
      }
    }
  }

  /// Reads the text of the rules file at `path`, which errors name.
  package init(_ text: String, path: String) throws(GroupingRulesError) {
    do throws(GroupingRulesError) {
      try self.init(text)
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  struct Word {
    let text: String
    let line: Int
    let column: Int

    func error(_ code: GroupingRulesError.Code) -> GroupingRulesError {
      GroupingRulesError(code: code, word: text, line: line, column: column)
    }
  }

  /// The words of a line up to a comment; blanks inside quotation marks belong to the word.
  static func words(_ line: Substring, number: Int) throws(GroupingRulesError) -> [Word] {
    var words: [Word] = []
    var word: [UInt8] = []
    var start: Int?
    var quote: Int?
    for (index, byte) in line.utf8.enumerated() {
      if byte == UInt8(ascii: "\"") {
        quote = quote == nil ? index : nil
        start = start ?? index
      } else if quote == nil, byte == UInt8(ascii: "#"), start == nil {
        break
      } else if quote == nil, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        if let begin = start {
          words.append(Word(text: String(decoding: word, as: UTF8.self), line: number, column: begin + 1))
        }
        word = []
        start = nil
      } else {
        start = start ?? index
        word.append(byte)
      }
    }
    if let quote {
      throw GroupingRulesError(
        code: .quote, word: String(decoding: word, as: UTF8.self), line: number, column: quote + 1)
    }
    if let begin = start {
      words.append(Word(text: String(decoding: word, as: UTF8.self), line: number, column: begin + 1))
    }
    return words
  }

  private static func rule(_ words: [Word]) throws(GroupingRulesError) -> Rule {
    var rest = words[...]
    var action: Action?
    if let verb = rest.first.flatMap({ Action(rawValue: $0.text) }), verb != .app, verb != .notApp {
      action = verb
      rest = rest.dropFirst()
    } else if let last = rest.last.flatMap({ Action(rawValue: $0.text) }), last == .app || last == .notApp {
      action = last
      rest = rest.dropLast()
    }
    var matchers: [Matcher] = []
    for word in rest { matchers.append(try matcher(word)) }
    guard let action, !matchers.isEmpty, let first = words.first else {
      throw (words.last ?? Word(text: "", line: 1, column: 1)).error(.incomplete)
    }
    return Rule(matchers: matchers, action: action, line: first.line)
  }

  private static func matcher(_ word: Word) throws(GroupingRulesError) -> Matcher {
    let isNegated = word.text.hasPrefix("!")
    let text = isNegated ? word.text.dropFirst() : word.text[...]
    guard let colon = text.firstIndex(of: ":"), let subject = Matcher.Subject(rawValue: String(text[..<colon])) else {
      throw word.error(.word)
    }
    let pattern = String(text[text.index(after: colon)...])
    guard !pattern.isEmpty else { throw word.error(.incomplete) }
    return Matcher(subject: subject, pattern: Glob(pattern, hasQuestionMark: true), isNegated: isNegated)
  }

  private mutating func readMerge(_ words: [Word]) throws(GroupingRulesError) {
    var ids: [GroupID] = []
    for word in words.dropFirst() { ids.append(try Self.group(word)) }
    guard let first = ids.first, ids.count > 1 else { throw words[0].error(.incomplete) }
    for id in ids.dropFirst() where merged(id) != merged(first) { merges[merged(id)] = merged(first) }
  }

  private mutating func readSplit(_ words: [Word]) throws(GroupingRulesError) {
    guard words.count >= 4 else { throw words[0].error(.incomplete) }
    let id = try Self.group(words[1])
    guard words[2].text == "by" else { throw words[2].error(.split) }
    guard let key = Split.Key(words[3...].map(\.text)) else { throw words[3].error(.split) }
    splits.append(Split(group: id, key: key, line: words[0].line))
  }

  private static func group(_ word: Word) throws(GroupingRulesError) -> GroupID {
    guard let id = GroupID(word.text) else { throw word.error(.group) }
    return id
  }
}

extension GroupingRules.Split.Key {
  /// Reads `version`, `os`, `device`, or `frame` and a number from 1 to 100.
  package init?(_ words: [String]) {
    switch words.first {
    case "version" where words.count == 1: self = .version
    case "os" where words.count == 1: self = .system
    case "device" where words.count == 1: self = .device
    case "frame" where words.count == 2:
      guard let number = Int(words[1]), (1...100).contains(number) else { return nil }
      self = .frame(number)
    default: return nil
    }
  }

  package var words: String {
    switch self {
    case .version: "version"
    case .system: "os"
    case .device: "device"
    case .frame(let number): "frame \(number)"
    }
  }
}

extension GroupingRules {
  /// The text of a rules file with a merge of groups put in; its comments and the order of its lines stay.
  ///
  /// - Parameter ids: At least two; the first stands for all.
  package static func merging(_ ids: [GroupID], in text: String) -> String {
    appending("merge " + ids.map(\.description).joined(separator: " "), to: text)
  }

  /// The text of a rules file in which a group is split; a split of the same group that was there is replaced.
  package static func splitting(_ id: GroupID, by key: Split.Key, in text: String) -> String {
    let line = "split \(id) by \(key.words)"
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    let old = lines.firstIndex { line in
      let words = try? words(line[...], number: 1)
      return words?.first?.text == "split" && words?.dropFirst().first?.text == id.description
    }
    guard let old else { return appending(line, to: text) }
    lines[old] = line
    return lines.joined(separator: "\n")
  }

  private static func appending(_ line: String, to text: String) -> String {
    text + (text.isEmpty || text.last?.isNewline == true ? "" : "\n") + line + "\n"
  }
}
