package import MPaaSSupport

extension PropertyListFile {
  /// The root with a value put where a path leads.
  ///
  /// - Parameters:
  ///   - creates: Makes what is missing on the way; the last key may be new without it.
  ///   - value: Makes the value, given the one that stands there.
  /// - Throws: Errors of `target`, errors of `value`.
  package func setting(
    at path: PropertyListPath, creates: Bool, _ value: (PropertyListValue?) throws -> PropertyListValue
  ) throws -> PropertyListValue {
    let target = follow(path)
    if target.missing.count > 1 && !creates, let part = target.missing.first { throw missing(part, in: target) }
    let new = try value(target.missing.isEmpty ? target.value : nil)
    guard let changed = root.setting(new, at: path.parts) else {
      throw missing(target.missing.first ?? .word(""), in: target)
    }
    return changed
  }

  /// The root with one value more: in the array that a path leads to, at the path's place in an array, or under a new key.
  ///
  /// - Parameters:
  ///   - index: The place in the array that the path leads to; nil for its end.
  ///   - value: Makes the value, given the last one of the array.
  /// - Throws: `plist-there-already`, errors of `target`, errors of `value`.
  package func inserting(
    at path: PropertyListPath, index: Int?, _ value: (PropertyListValue?) throws -> PropertyListValue
  ) throws -> PropertyListValue {
    let target = follow(path)
    if target.missing.isEmpty, let values = target.value.values {
      let new = try value(values.last)
      guard let changed = root.inserting(new, into: target.steps, at: index) else {
        throw missing(.index(index ?? 0), in: target)
      }
      return changed
    }
    if index == nil, let last = path.parts.last {
      let parent = try self.target(PropertyListPath(Array(path.parts.dropLast())))
      if let values = parent.value.values {
        let new = try value(values.last)
        guard let place = Self.index(last, values.count),
          let changed = root.inserting(new, into: parent.steps, at: place)
        else { throw missing(last, in: parent) }
        return changed
      }
      if parent.value.members != nil, !target.missing.isEmpty {
        guard let changed = root.setting(try value(nil), at: path.parts) else { throw missing(last, in: parent) }
        return changed
      }
    }
    if let part = target.missing.first { throw missing(part, in: target) }
    throw ConfigError(
      .plistThereAlready, ["file": file, "path": PropertyListPath.text(target.steps)], at: place(of: target.value))
  }

  private static func index(_ part: PropertyListPath.Part, _ count: Int) -> Int? {
    switch part {
    case .index(let index): index < 0 ? count + index : index
    case .word(let word): Int(word).map { $0 < 0 ? count + $0 : $0 }
    }
  }

  /// The root without the values that paths lead to.
  ///
  /// - Parameters:
  ///   - paths: As a command's words have them.
  ///   - ignoresMissing: Passes over paths that lead nowhere.
  /// - Throws: `plist-path-syntax`, `plist-root`, errors of `target`.
  package func removing(_ paths: [String], ignoresMissing: Bool) throws(ConfigError) -> PropertyListValue {
    var steps: [[PropertyListStep]] = []
    for path in paths {
      let path = try PropertyListPath(path)
      if ignoresMissing, !follow(path).missing.isEmpty { continue }
      let target = try target(path)
      guard !target.steps.isEmpty else { throw ConfigError(.plistRoot, ["file": file]) }
      steps.append(target.steps)
    }
    // From behind, so that indexes before them stay what they are.
    return steps.sorted(by: Self.isBehind).reduce(root) { $0.removing($1) }
  }

  private static func isBehind(_ left: [PropertyListStep], _ right: [PropertyListStep]) -> Bool {
    for (one, other) in zip(left, right) where one != other {
      if case (.index(let first), .index(let second)) = (one, other) { return first > second }
      return PropertyListPath.text([one]) > PropertyListPath.text([other])
    }
    return left.count > right.count
  }
}

extension ConfigError.Code {
  /// A key that is to be new and is there.
  package static var plistThereAlready: Self { ConfigError.Code("plist-there-already", exit: .negative) }
  /// A root that is to be removed.
  package static var plistRoot: Self { ConfigError.Code("plist-root", exit: .usage) }
}
