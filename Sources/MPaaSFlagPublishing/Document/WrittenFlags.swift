package import MPaaSFlags
package import MPaaSSupport

/// A state as it was written: members that this kit does not know are kept where it is changed.
package struct WrittenFlags: Sendable {
  package let bytes: [UInt8]
  package let state: FlagState
  private let members: JSONValue.Object

  /// Reads the JSON of a state, or of the events of a delta.
  ///
  /// - Parameter isToBeSet: True where it is to be set or published, so that nothing that decides may be missing.
  /// - Throws: `FlagError` as `FlagState(json:)` does.
  package init(_ bytes: [UInt8], toSet isToBeSet: Bool = false) throws(FlagError) {
    self.bytes = bytes
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FlagError) in (try FlagState(json: bytes, toSet: isToBeSet), try? JSONValue(reading: bytes)) }
    }
    let (state, value) = try result.get()
    guard let members = value?.object else { throw FlagError(.shape, ["member": "features", "wanted": "array"]) }
    (self.state, self.members) = (state, members)
  }

  /// The number of the version on the server; nil for a state from elsewhere, whose `version` is that of the format.
  package var version: Int? { environment == nil ? nil : members["version"]?.integer() }
  /// The app and the environment that the server has the state for.
  package var app: String? { members["app"]?.string }
  package var environment: String? { members["environment"]?.string }

  /// A flag with all its members; of several with its name the last, which counts.
  package func feature(_ name: String) -> JSONValue.Object? {
    members["features"]?.array?.last { $0.object?["name"]?.string.map { ExactName($0) } == ExactName(name) }?.object
  }

  /// The names of flags that depend on another one.
  package func dependents(of name: String) -> [String] {
    state.flags.filter { flag in flag.dependencies.contains { ExactName($0.flag) == ExactName(name) } }.map(\.name)
  }

  /// The events that lead to the state, as JSON: its own, or one that brings all of it.
  package var events: String {
    if let events = members["events"] { return events.line }
    let whole: JSONValue = [
      "type": "hydration", "features": members["features"] ?? [], "segments": members["segments"] ?? [],
    ]
    return JSONValue.array([whole]).line
  }

  /// The state alone, without what a server says of it, as the payload of a signature has it.
  package var stateValue: JSONValue {
    guard members["features"] != nil else { return .object(members) }
    var state: JSONValue.Object = ["features": members["features"] ?? [], "segments": members["segments"] ?? []]
    state["version"] = 2
    return .object(state)
  }
}
