/// A part of the demo: material for some of the examples in README and Documentation.
package enum DemoPart: String, CaseIterable, Sendable, Codable {
  /// A signed registry of modules, and a project that may use them.
  case modules
  /// A patch of the sample app with its test, and the list of what may be patched.
  case patch
  /// A report of a crash of the sample app.
  case crash
  /// The data of a server that has received the report.
  case server

  /// The parts and those that they are made of, in the order in which they are made.
  static func complete(_ parts: Set<DemoPart>) -> [DemoPart] {
    let needed = parts.contains(.server) ? parts.union([.crash]) : parts
    return allCases.filter(needed.contains)
  }
}
