import MPaaSSupport

extension SearchRecords {
  /// Reads the texts at a path of a JSON document, or of a JSON value in each line.
  mutating func readJSON(_ options: RecordOptions, _ file: String) throws(PinyinError) {
    let path = options.path ?? RecordPath(options.format == .json ? [.each] : [])
    if let second = options.secondaryPath, second.recordSteps != path.recordSteps {
      throw PinyinError(.recordsPaths, ["path": path.description, "secondary": second.description])
    }
    var walk = JSONWalk(path: path, secondary: options.secondaryPath)
    if options.format == .json {
      try walk.read(source.buffer, range: start..<source.count, file)
    } else {
      for line in Self.lines(of: source.buffer, from: start) where !JSONWalk.isBlank(source.buffer, line) {
        try walk.read(source.buffer, range: line, file)
      }
    }
    if walk.leadsNowhere { throw walk.nothing(file) }
    primary = walk.primary
    secondary = walk.secondary ?? []
    records = walk.records
    unescaped = walk.unescaped
  }
}

/// Goes through JSON and picks up the texts that paths lead to.
private struct JSONWalk {
  private let path: RecordPath
  private let secondPath: RecordPath?
  private(set) var primary: [SearchRecords.Span] = []
  private(set) var secondary: [SearchRecords.Span]?
  private(set) var records: [SearchRecords.Span] = []
  private(set) var unescaped: [UInt8] = []
  /// Tells whether any record had a text.
  private var hasText = false
  /// The names of members where one that the path names was not found.
  private var otherNames: [String] = []
  private var missing: String?
  private var isMalformed = false
  /// The place of an object or an array in the place of a text, and which members it has.
  private var fault: (offset: Int, kind: String, members: [String])?

  init(path: RecordPath, secondary: RecordPath?) {
    self.path = path
    secondPath = secondary
    self.secondary = secondary == nil ? nil : []
  }

  static func isBlank(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
  }

  /// Reads the JSON value of a range, and nothing behind it but white space.
  mutating func read(_ bytes: UnsafeRawBufferPointer, range: Range<Int>, _ file: String) throws(PinyinError) {
    var skim = JSONSkim(UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), at: range.lowerBound)
    let isRead = visit(path.recordSteps, &skim)
    if let fault { throw notText(fault, bytes, file) }
    if isRead, skim.isAtEnd() { return }
    throw malformed(bytes, range, at: skim.offset, file)
  }

  /// Goes past the value that is next, and takes the records in it that the steps lead to.
  private mutating func visit(_ steps: ArraySlice<RecordPath.Step>, _ skim: inout JSONSkim) -> Bool {
    skim.skipSpace()
    guard let step = steps.first else { return record(&skim) }
    let rest = steps.dropFirst()
    switch (step, skim.next) {
    case (.member(let name), UInt8(ascii: "{")):
      var names: [String] = []
      var isFound = false
      let isRead = skim.object { range, skim in
        guard matches(range, name, skim) else {
          if !hasText, names.count < 20, let other = skim.text(range) { names.append(other) }
          return skim.skip()
        }
        isFound = true
        return visit(rest, &skim)
      }
      if !isFound { remember(missing: name, among: names) }
      return isRead
    case (.element(let wanted), UInt8(ascii: "[")):
      return skim.array { index, skim in index == wanted ? visit(rest, &skim) : skim.skip() }
    case (.each, UInt8(ascii: "[")):
      return skim.array { _, skim in visit(rest, &skim) }
    default:
      remember(missing: step)
      return skim.skip()
    }
  }

  /// Tells whether the path fits no value of the file.
  var leadsNowhere: Bool { !hasText && missing != nil }

  private func matches(_ range: Range<Int>, _ name: String, _ skim: JSONSkim) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: skim.bytes[range])
    return bytes.elementsEqual(name.utf8) || bytes.contains(UInt8(ascii: "\\")) && skim.text(range) == name
  }

  private mutating func remember(missing name: String, among names: [String]) {
    guard otherNames.isEmpty else { return }
    missing = RecordPath([.member(name)]).description
    otherNames = names
  }

  private mutating func remember(missing step: RecordPath.Step) {
    if missing == nil { missing = RecordPath([step]).description }
  }

  /// Takes the value that is next as a record.
  private mutating func record(_ skim: inout JSONSkim) -> Bool {
    let start = skim.offset
    var text = skim
    let found = find(path.textSteps, &text)
    if found != nil { hasText = true }
    var second: SearchRecords.Span?
    if let secondPath {
      var text = skim
      second = find(secondPath.textSteps, &text)
    }
    guard fault == nil, !isMalformed, skim.skip() else { return false }
    primary.append(found ?? .nothing)
    secondary?.append(second ?? .nothing)
    records.append(SearchRecords.Span(start..<skim.offset))
    return true
  }

  /// The text that the steps lead to in the value that is next; nil where there is none.
  private mutating func find(_ steps: ArraySlice<RecordPath.Step>, _ skim: inout JSONSkim) -> SearchRecords.Span? {
    skim.skipSpace()
    guard let step = steps.first else { return span(&skim) }
    let rest = steps.dropFirst()
    var found: SearchRecords.Span?
    switch (step, skim.next) {
    case (.member(let name), UInt8(ascii: "{")):
      var names: [String] = []
      var isFound = false
      _ = skim.object { range, skim in
        guard matches(range, name, skim) else {
          if !hasText, names.count < 20, let other = skim.text(range) { names.append(other) }
          return skim.skip()
        }
        var value = skim
        found = find(rest, &value)
        isFound = true
        return skim.skip()
      }
      if !isFound { remember(missing: name, among: names) }
    case (.element(let wanted), UInt8(ascii: "[")):
      _ = skim.array { index, skim in
        var value = skim
        if index == wanted { found = find(rest, &value) }
        return skim.skip()
      }
    case (_, UInt8(ascii: "n")): break
    default: remember(missing: step)
    }
    return found
  }

  /// The text of the value that is next: a string, or a number or word as it is spelled; nil for null.
  private mutating func span(_ skim: inout JSONSkim) -> SearchRecords.Span? {
    let start = skim.offset
    switch skim.next {
    case UInt8(ascii: "\""):
      guard let range = skim.stringRange() else { return nil }
      guard UnsafeRawBufferPointer(rebasing: skim.bytes[range]).contains(UInt8(ascii: "\\")) else {
        return SearchRecords.Span(range)
      }
      let begin = unescaped.count
      unescaped += (skim.text(range) ?? "").utf8
      return SearchRecords.Span(unescaped: begin..<unescaped.count)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = skim.next == UInt8(ascii: "{")
      var names: [String] = []
      guard isObject else {
        fault = fault ?? (start, "array", [])
        return nil
      }
      let isRead = skim.object { range, skim in
        if names.count < 20, let name = skim.text(range) { names.append(name) }
        return skim.skip()
      }
      guard isRead else { return nil }
      fault = fault ?? (start, "object", names)
      return nil
    default:
      // A number or a word.
      guard let value = skim.value() else {
        isMalformed = true
        return nil
      }
      return value == .null ? nil : SearchRecords.Span(start..<skim.offset)
    }
  }

  // MARK: What is wrong

  private func position(of offset: Int, in bytes: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (line, offset - start + 1)
  }

  private func notText(
    _ fault: (offset: Int, kind: String, members: [String]), _ bytes: UnsafeRawBufferPointer, _ file: String
  ) -> PinyinError {
    let (line, column) = position(of: fault.offset, in: bytes)
    let base = path.description == "." ? "" : path.description
    let next = fault.members.first.map { RecordPath([.member($0)]).description } ?? "[]"
    return PinyinError(
      .recordsNotText,
      [
        "file": file, "path": path.description, "kind": fault.kind, "suggestion": base + next,
        "members": fault.members.isEmpty ? "[]" : fault.members.joined(separator: ", "),
      ], at: .text(file: file, line: line, column: column))
  }

  private func malformed(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, at offset: Int, _ file: String
  ) -> PinyinError {
    var place = offset
    do throws(JSONError) {
      _ = try JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[range]))
    } catch {
      place = range.lowerBound + error.offset
    }
    let (line, column) = position(of: place, in: bytes)
    return PinyinError(
      .recordsJSON, ["file": file, "line": "\(line)", "column": "\(column)"],
      at: .text(file: file, line: line, column: column))
  }

  /// The error for a path that leads nowhere in all of the file.
  func nothing(_ file: String) -> PinyinError {
    PinyinError(
      .recordsNothing,
      [
        "file": file, "path": path.description, "missing": missing ?? path.description,
        "members": otherNames.isEmpty ? "–" : otherNames.joined(separator: ", "),
      ], at: .file(file))
  }
}
