import MPaaSSupport

/// The old kit's record of a project in `mpaas_sdk.config`.
///
/// The shape is that of real files: a JSON object with `notice`, `project`, `copy`, `recent` and `targets`, each target
/// with `author`, `time`, `baseline`, `versions` (product → framework → version), `frameworks` and `resources`.
package struct LegacyProject: Sendable, Equatable {
  package static let fileName = "mpaas_sdk.config"

  package struct Target: Sendable, Equatable {
    package var name: String
    package var author: String?
    package var time: String?
    package var baseline: String?
    /// The version of each framework as it is written, by product.
    package var products: [String: [String: String]] = [:]
    package var frameworks: [String] = []
    package var resources: [String] = []
  }

  package var name: String?
  /// Tells whether modules were copied into the project.
  package var copies = false
  /// Sorted by name.
  package var targets: [Target] = []
  /// Members that nothing is known of.
  package var unknown: [String] = []

  /// - Throws: `ModuleError` `legacy-malformed` where it is no JSON object with targets; whatever else is missing or of
  ///   another kind is left out.
  package init(reading bytes: UnsafeRawBufferPointer, file: String) throws(ModuleError) {
    func wrong(_ reason: String, at line: Int? = nil) -> ModuleError {
      let place = line.map { Place.text(file: file, line: $0, column: nil) } ?? .file(file)
      return ModuleError(.legacyMalformed, ["file": file, "reason": reason], at: place)
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(reading: bytes)
    } catch {
      throw wrong("JSON: " + error.code.rawValue, at: error.line)
    }
    guard let members = value.object else { throw wrong(value.kind) }
    guard let targets = members["targets"]?.object else { throw wrong("targets") }
    name = members["project"]?.string
    copies = members["copy"]?.bool ?? false
    let known = ["notice", "project", "copy", "targets", "recent"]
    unknown = members.keys.filter { !known.contains($0) }.sorted()
    for (name, value) in targets.sorted(by: { $0.key < $1.key }) {
      guard let members = value.object else {
        unknown.append("targets." + name)
        continue
      }
      var target = Target(name: name)
      target.author = members["author"]?.string
      target.time = members["time"]?.string
      target.baseline = members["baseline"]?.string
      for (product, versions) in members["versions"]?.object ?? [:] {
        target.products[product] = (versions.object ?? [:]).compactMapValues(\.string)
      }
      target.frameworks = (members["frameworks"]?.array ?? []).compactMap(\.string)
      target.resources = (members["resources"]?.array ?? []).compactMap(\.string)
      let known = ["author", "time", "baseline", "versions", "frameworks", "resources"]
      unknown += members.keys.filter { !known.contains($0) }.sorted().map { "targets.\(name).\($0)" }
      self.targets.append(target)
    }
  }
}
