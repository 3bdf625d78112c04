/// The names and values that a call's statements are made with.
package struct DAOScope {
  package var slots: [DAOValue]
  package let globals: [String: DAOValue]
  package let table: String?
  /// Properties that are kept encrypted.
  package let secrets: Set<DAOSecret>
  /// nil where values stay as they are.
  package let crypt: DAOCrypt?
  /// Assumptions in place of the values.
  package var trial: DAOTrial?

  package init(
    slots: [DAOValue], globals: [String: DAOValue], table: String?, secrets: Set<DAOSecret>, crypt: DAOCrypt?
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

  /// The value of a path's first name.
  func root(_ path: DAOPath) -> DAOValue {
    switch path.root {
    case .slot(let slot): slots[slot]
    case .global(let name): globals[name] ?? .null
    }
  }
}
