import MPaaSSupport

/// The way to a value as a person writes it: `a.b.0.c`, `a[0].b`, or `:a:b:0` as PlistBuddy has it.
///
/// A word of digits is an index where it meets an array, and a key otherwise; below 0 it counts from the end. `\`
/// before a sign takes it as a part of the key. Nothing, `.` or `:` is the root.
package struct PropertyListPath: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case word(String)
    case index(Int)
  }

  package let parts: [Part]

  package init(_ parts: [Part]) {
    self.parts = parts
  }

  /// - Throws: `plist-path-syntax`
  package init(_ text: String) throws(ConfigError) {
    if text.isEmpty || text == "." || text == ":" {
      parts = []
      return
    }
    parts = text.hasPrefix(":") ? try Self.words(text.dropFirst(), ":") : try Self.words(text[...], ".")
  }

  private static func words(_ text: Substring, _ separator: Character) throws(ConfigError) -> [Part] {
    let fault = ConfigError(.plistPathSyntax, ["path": String(text)])
    var parts: [Part] = []
    var word = ""
    var hasWord = false
    var rest = text
    func finish() {
      if hasWord { parts.append(.word(word)) }
      (word, hasWord) = ("", false)
    }
    var isBehindIndex = false
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.popFirst() else { throw fault }
        word.append(next)
        hasWord = true
      case separator:
        guard hasWord || isBehindIndex, !rest.isEmpty else { throw fault }
        finish()
        isBehindIndex = false
        continue
      case "[" where separator == ".":
        guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]) else { throw fault }
        finish()
        parts.append(.index(index))
        rest = rest[rest.index(after: end)...]
        guard rest.isEmpty || rest.first == "." || rest.first == "[" else { throw fault }
        isBehindIndex = true
        continue
      default:
        word.append(character)
        hasWord = true
      }
      isBehindIndex = false
    }
    finish()
    return parts
  }

  /// The way as it is written.
  package static func text(_ steps: some Sequence<PropertyListStep>) -> String {
    let words = steps.map { step in
      switch step {
      case .index(let index): return "\(index)"
      case .key(let key):
        var word = ""
        for character in key {
          let isSign = character == "." || character == "[" || character == "\\" || (character == ":" && word.isEmpty)
          word += isSign ? "\\\(character)" : "\(character)"
        }
        return word
      }
    }
    return words.isEmpty ? "." : words.joined(separator: ".")
  }
}

/// The value that a path leads to in a property list.
package struct PropertyListTarget: Sendable {
  /// The steps to what there is.
  package let steps: [PropertyListStep]
  /// The value that is there.
  package let value: PropertyListValue
  /// The parts of the path for which nothing is there.
  package let missing: [PropertyListPath.Part]
}

extension PropertyListFile {
  /// Follows a path as far as it leads.
  package func follow(_ path: PropertyListPath) -> PropertyListTarget {
    var value = root
    var steps: [PropertyListStep] = []
    for (offset, part) in path.parts.enumerated() {
      guard let step = value.step(part), let next = value[step] else {
        return PropertyListTarget(steps: steps, value: value, missing: Array(path.parts[offset...]))
      }
      steps.append(step)
      value = next
    }
    return PropertyListTarget(steps: steps, value: value, missing: [])
  }

  /// The value that a path leads to, and the way there.
  ///
  /// - Throws: `plist-no-key`, `plist-no-index`, `plist-no-container`
  package func target(_ path: PropertyListPath) throws(ConfigError) -> PropertyListTarget {
    let target = follow(path)
    if let part = target.missing.first { throw missing(part, in: target) }
    return target
  }

  /// The reason why a path leads no further.
  package func missing(_ part: PropertyListPath.Part, in target: PropertyListTarget) -> ConfigError {
    let name =
      switch part {
      case .word(let word): word
      case .index(let index): "\(index)"
      }
    let path = PropertyListPath.text(target.steps)
    let place = place(of: target.value)
    var values = ["file": file, "path": path, "part": name, "element": target.value.element]
    if let array = target.value.values {
      values["count"] = "\(array.count)"
      return ConfigError(.plistNoIndex, values, at: place)
    }
    guard let members = target.value.members else { return ConfigError(.plistNoContainer, values, at: place) }
    if name.count > 2, let near = closestMatch(to: name, among: members.map(\.key)) {
      values["suggestion"] = PropertyListPath.text([.key(near)])
      return ConfigError(.plistNoKeyNear, values, at: place)
    }
    return ConfigError(.plistNoKey, values, at: place)
  }
}

extension PropertyListValue {
  /// The step that a part of a path means here; nil where it can mean none.
  func step(_ part: PropertyListPath.Part) -> PropertyListStep? {
    switch (content, part) {
    case (.dictionary, .word(let word)): return .key(word)
    case (.array(let values), .index(let index)): return .index(index < 0 ? values.count + index : index)
    case (.array(let values), .word(let word)):
      return Int(word).map { .index($0 < 0 ? values.count + $0 : $0) }
    default: return nil
    }
  }
}
