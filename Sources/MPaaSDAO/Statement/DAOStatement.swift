/// A statement as it goes to SQLite.
package struct DAOStatement: Sendable, Hashable {
  package let kind: DAOUnit.Kind
  package let sql: String
  /// The values of its question marks: nil, booleans, numbers, texts and data.
  package let bindings: [DAOValue]
  /// True for a step whose failure does not end the method.
  package let isResumable: Bool
}

/// The names and values that a call's statements are made with.
package struct DAOScope {
  package var slots: [DAOValue]
  package let globals: [String: DAOValue]
  package let table: String?
  /// Properties that are kept encrypted.
  package let secrets: Set<DAODocument.Secret>
  /// nil where values stay as they are.
  package let crypt: DAOCrypt?
  /// Assumptions in place of the values.
  package var trial: DAOTrial?

  package init(
    slots: [DAOValue], globals: [String: DAOValue], table: String?, secrets: Set<DAODocument.Secret>, crypt: DAOCrypt?
  ) {
    self.slots = slots
    self.globals = globals
    self.table = table
    self.secrets = secrets
    self.crypt = crypt
  }

  /// The value of a path; nil where a name on the way is missing.
  package func value(_ path: DAOPath) throws(DAOError) -> DAOValue {
    var value = root(path)
    for name in path.properties { value = try value.property(name) }
    return value
  }

  /// The value that goes into the database: encrypted where the document says so.
  package func storedValue(_ path: DAOPath) throws(DAOError) -> DAOValue {
    guard !secrets.isEmpty, let last = path.properties.last else { return try value(path) }
    var value = root(path)
    for name in path.properties.dropLast() { value = try value.property(name) }
    guard case .object(let object) = value else { return try value.property(last) }
    let secret = DAODocument.Secret(className: object.className, property: last)
    let plain = try value.property(last)
    guard let crypt, secrets.contains(secret) else { return plain }
    return try crypt.seal(plain, secret)
  }

  private func root(_ path: DAOPath) -> DAOValue {
    switch path.root {
    case .slot(let slot): slots[slot]
    case .global(let name): globals[name] ?? .null
    }
  }
}
