import MPaaSSupport

/// The way to texts in a JSON value: `.contacts[].name`.
///
/// `.name` and `["name"]` go to a member, `[2]` to an element (from 0), `[]` to each element; `.` alone is the value
/// itself. A `$` before it, `[*]` for `[]`, and a first member without its dot are understood too.
package struct RecordPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case member(String)
    case element(Int)
    case each
  }

  package let steps: [Step]

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  /// - Throws: `pinyin-records-path` with the place in the text, from 1, that cannot be there.
  package init(parsing text: String) throws(PinyinError) {
    var parser = Parser(text)
    steps = try parser.steps()
  }

  /// The steps to the records: those up to the last `[]`.
  package var recordSteps: ArraySlice<Step> {
    steps.lastIndex(of: .each).map { steps[...$0] } ?? []
  }

  /// The steps from a record to its text.
  package var textSteps: ArraySlice<Step> { steps[recordSteps.endIndex...] }

  private struct Parser {
    let text: String
    var rest: Substring

    init(_ text: String) {
      self.text = text
      rest = text[...]
    }

    func failure() -> PinyinError {
      let column = text.distance(from: text.startIndex, to: rest.startIndex) + 1
      return PinyinError(.recordsPath, ["path": text, "column": "\(column)"])
    }

    mutating func take(_ prefix: String) -> Bool {
      guard rest.hasPrefix(prefix) else { return false }
      rest = rest.dropFirst(prefix.count)
      return true
    }

    mutating func steps() throws(PinyinError) -> [Step] {
      guard !text.isEmpty else { throw failure() }
      _ = take("$")
      var steps: [Step] = []
      if rest == "." { return steps }
      if let first = rest.first, !".[".contains(first) { steps.append(.member(try name())) }
      while !rest.isEmpty {
        if take(".") {
          // jq writes `.[]` where others write `[]`.
          if rest.first != "[" { steps.append(.member(try name())) }
        } else if take("[") {
          steps.append(try bracket())
        } else {
          throw failure()
        }
      }
      return steps
    }

    mutating func name() throws(PinyinError) -> String {
      if rest.first == "\"" { return try quoted() }
      let name = rest.prefix { !".[]\"".contains($0) }
      guard !name.isEmpty else { throw failure() }
      rest = rest[name.endIndex...]
      return String(name)
    }

    mutating func quoted() throws(PinyinError) -> String {
      let start = rest
      rest = rest.dropFirst()
      var name = ""
      while let character = rest.popFirst() {
        if character == "\"" { return name }
        if character == "\\", let next = rest.popFirst() { name.append(next) } else { name.append(character) }
      }
      rest = start
      throw failure()
    }

    mutating func bracket() throws(PinyinError) -> Step {
      if take("]") || take("*]") { return .each }
      let step: Step
      if rest.first == "\"" {
        step = .member(try quoted())
      } else {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { throw failure() }
        rest = rest[digits.endIndex...]
        step = .element(number)
      }
      guard take("]") else { throw failure() }
      return step
    }
  }
}

extension RecordPath: CustomStringConvertible {
  package var description: String {
    let text = steps.map { step in
      switch step {
      case .member(let name):
        name.isEmpty || name.contains { ".[]\"\\".contains($0) }
          ? "[\"\(name.replacing(each: "\\", with: "\\\\").replacing(each: "\"", with: "\\\""))\"]" : ".\(name)"
      case .element(let number): "[\(number)]"
      case .each: "[]"
      }
    }.joined()
    return text.hasPrefix(".") ? text : "." + text
  }
}
