import MPaaSCrashReport

/// The layout of a text report: the lines, and what each of them is.
///
/// Source: "Examining the fields in a crash report", developer.apple.com; TN2123 and TN2151 for older forms.
struct AppleCrashLayout {
  /// A row of the header with its value, or a section with the lines below its title.
  struct Field {
    let key: String
    var value: String
  }

  /// A line of a backtrace, by its place in the text.
  struct FrameRow {
    let line: Range<Int>
    let frame: AppleFrameLine
  }

  struct Stack {
    var number = 0
    var name: String?
    var queue: String?
    var isCrashed = false
    var cut: CrashReport.StackCut?
    var rows: [FrameRow] = []
  }

  let bytes: [UInt8]
  var fields: [Field] = []
  var threads: [Stack] = []
  /// "Last Exception Backtrace:" with a frame a line.
  var exception = Stack()
  /// The same as addresses in parentheses, and where they stand.
  var exceptionAddresses: [UInt64] = []
  var exceptionRange: Range<Int>?
  /// "Application Specific Backtrace 1:" and so on.
  var specific: [Stack] = []
  /// The title line of the thread state, such as `Thread 0 crashed with ARM Thread State (64-bit)`.
  var stateTitle: String?
  var registers: [AppleRegister] = []
  var images: [AppleImageLine] = []
  /// The JSON below "Full Report".
  var json: Range<Int>?

  private enum State {
    case head, section, stack, specific, exception, registers, images, tail
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var state = State.head
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
      let line = bytes[start..<end]
      if line.first == 0x7b, state == .tail, fields.last?.key == "Full Report" {
        json = start..<bytes.count
        return
      }
      take(line.last == 0x0d ? line.dropLast() : line, &state)
      start = end + 1
    }
  }

  private mutating func take(_ line: TextBytes, _ state: inout State) {
    // A section's text may look like a title; it ends at an empty line.
    if state != .section, takeTitle(line, &state) { return }
    switch state {
    case .head: takeField(line, &state)
    case .section:
      if line.isBlank { state = .head } else { append(line) }
    case .tail: append(line)
    case .stack:
      if line.isBlank { return }
      if !takeFrame(line, into: \.threads) { takeField(line, &state) }
    case .specific:
      if line.isBlank { return }
      if !takeFrame(line, into: \.specific) { takeField(line, &state) }
    case .exception: takeException(line, &state)
    case .registers:
      if line.isBlank { state = registers.isEmpty ? .registers : .head } else { registers += AppleRegister.row(line) }
    case .images:
      if let image = AppleImageLine(line) { images.append(image) } else if !line.isBlank { takeField(line, &state) }
    }
  }

  /// Takes the title of a thread, of its state or of another part; false where the line is none.
  private mutating func takeTitle(_ line: TextBytes, _ state: inout State) -> Bool {
    if let rest = line.after("Thread "), takeThread(rest, &state) { return true }
    if line.has(prefix: "Application Specific Backtrace "), line.trimmed.last == 0x3a {
      specific.append(Stack())
      state = .specific
      return true
    }
    if line.has(prefix: "Last Exception Backtrace:") {
      state = .exception
      return true
    }
    if line.has(prefix: "Binary Images:") {
      state = .images
      return true
    }
    let isRule = line.count > 5 && line.trimmed.allSatisfy { $0 == 0x2d }
    if isRule, state != .section, state != .tail { state = .head }
    if line.trimmed.elementsEqual("Full Report".utf8) {
      fields.append(Field(key: "Full Report", value: ""))
      state = .tail
      return true
    }
    let isTail = ["External Modification Summary:", "VM Region Summary:", "Extra Information:"].contains(
      line.trimmed.text)
    if isTail {
      fields.append(Field(key: line.trimmed.dropLast().text, value: ""))
      state = .tail
    }
    return isTail || isRule
  }

  /// `0 name:  …`, `0 Crashed:: name  Dispatch queue: …`, `0 crashed with …`: what follows "Thread ".
  private mutating func takeThread(_ text: TextBytes, _ state: inout State) -> Bool {
    var rest = text
    guard let number = rest.takeNumber() else { return false }
    if rest.has(prefix: " crashed with ") || rest.has(prefix: " State") {
      stateTitle = "Thread " + text.text
      state = .registers
      return true
    }
    if let name = rest.after(" name:") {
      takeNames(name, into: stack(number))
      state = .stack
      return true
    }
    let isCrashed = rest.has(prefix: " Crashed")
    if isCrashed { rest = rest.dropFirst(8) }
    guard let colon = rest.firstIndex(of: 0x3a), colon - rest.startIndex < 16 else { return false }
    let index = stack(number)
    threads[index].isCrashed = threads[index].isCrashed || isCrashed
    takeNames(rest[(colon + 1)...].drop { $0 == 0x3a }, into: index)
    state = .stack
    return true
  }

  /// The index of the thread that the lines which follow belong to: the last one where it has no frames yet.
  private mutating func stack(_ number: Int) -> Int {
    if let last = threads.indices.last, threads[last].number == number, threads[last].rows.isEmpty { return last }
    var stack = Stack()
    stack.number = number
    threads.append(stack)
    return threads.count - 1
  }

  private mutating func takeNames(_ text: TextBytes, into index: Int) {
    var name = text
    if let queue = text.range(of: "Dispatch queue: ") {
      threads[index].queue = text[queue.upperBound...].trimmed.text
      name = text[..<queue.lowerBound]
    }
    if !name.isBlank { threads[index].name = name.trimmed.text }
  }

  private mutating func takeFrame(_ line: TextBytes, into path: WritableKeyPath<Self, [Stack]>) -> Bool {
    guard let last = self[keyPath: path].indices.last else { return false }
    if let cut = CrashReport.StackCut(line: line.text) {
      self[keyPath: path][last].cut = cut
      return true
    }
    guard let frame = AppleFrameLine(line) else { return false }
    self[keyPath: path][last].rows.append(FrameRow(line: line.startIndex..<line.endIndex, frame: frame))
    return true
  }

  private mutating func takeException(_ line: TextBytes, _ state: inout State) {
    if let frame = AppleFrameLine(line) {
      exception.rows.append(FrameRow(line: line.startIndex..<line.endIndex, frame: frame))
    } else if line.trimmed.first == 0x28 || (exceptionRange != nil && line.trimmed.has(prefix: "0x")) {
      exceptionRange = (exceptionRange?.lowerBound ?? line.startIndex)..<line.endIndex
      for word in line.trimmed.split(whereSeparator: { $0 == 0x20 || $0 == 0x28 || $0 == 0x29 }) {
        var word = word
        if let address = word.takeAddress() { exceptionAddresses.append(address) }
      }
    } else if !line.isBlank {
      takeField(line, &state)
    }
  }

  /// `Key: value`, the title of a section, or more of the value before.
  private mutating func takeField(_ line: TextBytes, _ state: inout State) {
    if line.isBlank || line.elementsEqual("EOF".utf8) { return }
    state = .head
    guard let colon = line.firstIndex(of: 0x3a), line.first != 0x20, line.first != 0x09,
      colon - line.startIndex <= 40, line[(colon + 1)...].first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true
    else { return append(line) }
    let value = line[(colon + 1)...].trimmed
    fields.append(Field(key: line[..<colon].text, value: value.text))
    // A row without a value has spaces behind its colon, a section's title has not.
    if value.isEmpty, colon + 1 == line.endIndex { state = .section }
  }

  private mutating func append(_ line: TextBytes) {
    guard let last = fields.indices.last else { return }
    let isFirst = fields[last].value.isEmpty
    fields[last].value += (isFirst ? "" : "\n") + line.text
  }

  /// The value of the first field with one of the names.
  subscript(_ keys: String...) -> String? {
    for key in keys {
      if let field = fields.first(where: { $0.key == key }), !field.value.isEmpty { return field.value }
    }
    return nil
  }
}
