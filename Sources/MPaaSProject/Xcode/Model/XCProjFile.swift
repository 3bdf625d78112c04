package import MPaaSJSON
package import MPaaSSupport

/// A `project.xcproj`, the JSON5 that Xcode 27.2 writes new projects in: read, never changed.
package struct XCProjFile: Sendable {
  package let file: String
  package let bytes: [UInt8]
  package let root: JSONNode

  /// - Throws: `GenerationError` with line and column.
  package init(_ bytes: [UInt8], file: String) throws(GenerationError) {
    root = try JSONSource(bytes, file: file, .annotated).root
    self.file = file
    self.bytes = bytes
  }

  package var targets: [JSONNode] { root["targets"]?.elements ?? [] }
  /// By name; one that takes its settings from a file is an object.
  package var configurations: [String] {
    root["configurations"]?.elements?.compactMap { $0.string ?? $0["name"]?.string } ?? []
  }

  /// The document as a value.
  package var value: JSONValue { Self.value(root) }

  private static func value(_ node: JSONNode) -> JSONValue {
    switch node.content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): number.value
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(value))
    case .object(let members):
      .object(Dictionary(members.map { ($0.name, value($0.value)) }, uniquingKeysWith: { $1 }))
    }
  }

  func place(of node: JSONNode) -> Place {
    .text(file: file, line: node.position.line, column: node.position.column)
  }

  /// The findings of what does not hold together.
  ///
  /// - Parameter surroundings: What lies around the project; where that is not complete, no file is looked for.
  package func findings(surroundings: ProjectSurroundings = .none()) -> [ProjectFinding] {
    var findings: [ProjectFinding] = []
    func report(_ rule: ProjectFinding.Rule, _ values: [String: String], _ node: JSONNode) {
      findings.append(ProjectFinding(rule, values, id: values["id"] ?? "", at: place(of: node)))
    }
    let names = targets.compactMap { $0["name"]?.string }
    if configurations.isEmpty { report(.noConfigurations, ["id": "", "name": "project"], root) }
    if let node = root["default-configuration"], let usual = node.string, !configurations.contains(usual) {
      report(.defaultConfiguration, ["id": "", "name": "project", "configuration": usual], node)
    }
    var seen: Set<String> = []
    var ids: Set<String> = []
    for target in targets {
      guard let name = target["name"], let text = name.string else {
        report(.missingMember, ["id": "", "isa": "target", "key": "name", "name": ""], target)
        continue
      }
      if !seen.insert(text).inserted { report(.duplicateTarget, ["id": "", "name": text], name) }
      for node in target["dependencies"]?.elements ?? [] {
        guard let other = node.string, !other.contains("/"), !names.contains(other) else { continue }
        report(
          .dangling, ["id": text, "isa": "target", "key": "dependencies", "name": text, "to": other], node)
      }
    }
    walk(root) { node in
      if let id = node["id"], let text = id.string, !ids.insert(text).inserted {
        report(.duplicateID, ["id": text], id)
      }
      for member in node["target-membership"]?.elements ?? [] {
        guard let name = member.string, !names.contains(name) else { continue }
        let path = node["path"]?.string ?? ""
        report(.dangling, ["id": path, "isa": "file", "key": "target-membership", "name": path, "to": name], member)
      }
    }
    return findings + missing(surroundings)
  }

  private func walk(_ node: JSONNode, _ visit: (JSONNode) -> Void) {
    if node.members != nil { visit(node) }
    for child in node.elements ?? node.members?.map(\.value) ?? [] { walk(child, visit) }
  }
}
