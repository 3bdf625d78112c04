package import MPaaSSupport

extension TOMLDocument {
  /// The document with one value changed, or with a new key, and every other byte as it was.
  ///
  /// A value is replaced where it stands, the comment behind it stays. A new key comes into its table where the table's
  /// keys are sorted, else behind its last; a table that is not there is made behind the one that is nearest of kin.
  ///
  /// - Throws: `TOMLEditError` where the text would not say what is wanted then.
  package func setting(_ path: [String], to value: JSONValue) throws(TOMLEditError) -> TOMLDocument {
    guard let written = TOMLKey.value(value), let wanted = Self.setting(values, path[...], value) else {
      throw TOMLEditError(path: path, file: file)
    }
    if wanted == values { return self }
    let steps = path.map(TOMLOutline.Step.key)
    if outline.value(of: steps) == nil, !outline.indices(within: steps).isEmpty {
      // A table of several lines gives way to a value on one.
      return try removing(path).setting(path, to: value)
    }
    return try checked(TOMLEdit(text, outline).setting(steps, written), path, [wanted])
  }

  /// The document without what `path` leads to; the same where it leads to nothing.
  ///
  /// Comments above what is removed stay, those behind it on its lines go with it.
  ///
  /// - Throws: `TOMLEditError` where the text would say more or less than that then.
  package func removing(_ path: [String]) throws(TOMLEditError) -> TOMLDocument {
    guard let wanted = Self.removing(values, path[...]) else { return self }
    let text = TOMLEdit(text, outline).removing(path.map(TOMLOutline.Step.key))
    // Tables that had no line of their own are gone with the last that was in them.
    var allowed = [wanted]
    for count in stride(from: path.count - 1, to: 0, by: -1) {
      guard let value = allowed.last, Self.value(value, path.prefix(count)) == .object([:]) else { break }
      if let less = Self.removing(value, path.prefix(count)) { allowed.append(less) }
    }
    return try checked(text, path, allowed)
  }

  /// Checks that the text that an edit gave reads as what was wanted.
  private func checked(
    _ text: String?, _ path: [String], _ allowed: [JSONValue.Object]
  ) throws(TOMLEditError) -> TOMLDocument {
    guard let text, let edited = try? TOMLDocument(text, file: file), allowed.contains(edited.values) else {
      throw TOMLEditError(path: path, file: file)
    }
    return edited
  }

  // MARK: - Values

  /// The value that `path` leads to; nil where it leads to nothing.
  package func value(_ path: [String]) -> JSONValue? { Self.value(values, path[...]) }

  private static func value(_ object: JSONValue.Object, _ path: ArraySlice<String>) -> JSONValue? {
    guard let key = path.first else { return .object(object) }
    guard let value = object[key], path.count > 1 else { return object[key] }
    return value.object.flatMap { self.value($0, path.dropFirst()) }
  }

  /// nil where something that is no table stands in the way.
  private static func setting(
    _ object: JSONValue.Object, _ path: ArraySlice<String>, _ value: JSONValue
  ) -> JSONValue.Object? {
    guard let key = path.first else { return nil }
    var object = object
    if path.count == 1 {
      object[key] = value
      return object
    }
    guard let inner = (object[key] ?? .object([:])).object else { return nil }
    guard let changed = setting(inner, path.dropFirst(), value) else { return nil }
    object[key] = .object(changed)
    return object
  }

  /// nil where there is nothing to remove.
  private static func removing(_ object: JSONValue.Object, _ path: ArraySlice<String>) -> JSONValue.Object? {
    guard let key = path.first, let value = object[key] else { return nil }
    var object = object
    if path.count == 1 {
      object[key] = nil
      return object
    }
    guard let inner = value.object, let changed = removing(inner, path.dropFirst()) else { return nil }
    object[key] = .object(changed)
    return object
  }
}

/// An edit that this reader cannot make without changing more than was asked.
package struct TOMLEditError: Error, Sendable, Equatable {
  package let path: [String]
  package let file: String

  package init(path: [String], file: String) {
    self.path = path
    self.file = file
  }
}

extension TOMLEditError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let key = path.map(TOMLKey.written).joined(separator: ".")
    return Diagnostic(
      "toml-edit-impossible", ["file": file, "key": key], at: .file(file), exit: .malformedInput)
  }
}
