import MPaaSXML

extension DAODocumentReader {
  mutating func readMethod(_ element: XMLElement, _ kind: DAOMethod.Kind) {
    checkAttributes(element, DAOElements.method)
    let arguments = arguments(of: element)
    let result = result(of: element)
    let loop = loop(of: element, arguments)
    guard let name = required("id", of: element) else { return }
    add(
      DAOMethod(
        name: name, kind: kind, arguments: arguments, result: result, loop: loop,
        isParallel: kind == .select && DAOName.isYes(element["parallel"]), body: element))
  }

  private mutating func arguments(of element: XMLElement) -> [DAOMethod.Argument] {
    guard let text = element["arguments"], !DAOName.trimmed(text).isEmpty else { return [] }
    var arguments: [DAOMethod.Argument] = []
    var names: Set<String> = []
    for part in DAOName.list(text) {
      let isRequired = part.hasPrefix("$")
      let name = isRequired ? DAOName.trimmed(part.dropFirst()) : part
      if !DAOName.isName(name) || !names.insert(name).inserted {
        report(.unknownArgument, at: element.position, ["name": part])
      }
      arguments.append(DAOMethod.Argument(name: name, isRequired: isRequired))
    }
    return arguments
  }

  private mutating func result(of element: XMLElement) -> DAOResult? {
    guard let text = element["result"] else { return nil }
    let result = DAOResult(text)
    if result == nil { report(.result, at: element.position, ["result": text]) }
    return result
  }

  private mutating func loop(of element: XMLElement, _ arguments: [DAOMethod.Argument]) -> DAOMethod.Loop? {
    guard let text = element["foreach"], !DAOName.trimmed(text).isEmpty else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(DAOName.trimmed)
    guard parts.count == 2, parts.allSatisfy(DAOName.isName) else {
      report(.foreach, at: element.position, ["name": text])
      return nil
    }
    let collection = arguments.firstIndex { $0.name == parts[0] }
    if collection == nil || arguments.contains(where: { $0.name == parts[1] }) {
      report(.foreach, at: element.position, ["name": text])
    }
    return DAOMethod.Loop(collection: collection ?? 0, item: parts[1])
  }

  // MARK: Attributes

  mutating func checkAttributes(_ element: XMLElement, _ known: Set<String>) {
    for (name, _) in element.attributes where !known.contains(name) {
      report(.unknownAttribute, at: element.position, ["name": name, "element": element.name])
    }
  }

  mutating func required(_ name: String, of element: XMLElement) -> String? {
    if let value = element[name], !value.isEmpty { return value }
    report(.missingAttribute, at: element.position, ["name": name, "element": element.name])
    return nil
  }

  mutating func report(_ code: DAOError.Code, at position: DAOPosition, _ values: [String: String]) {
    findings.append(DAOFinding(code, at: position, values))
  }
}

/// The attributes that each element may have.
enum DAOElements {
  static let module: Set = ["name", "initializer", "tableName", "version", "resetOnUpgrade", "upgradeMinVersion"]
  static let fragment: Set = ["id"]
  static let map: Set = ["id", "result"]
  static let mapResult: Set = ["property", "column"]
  static let crypt: Set = ["class", "property"]
  static let upgrade: Set = ["toVersion"]
  static let method: Set = ["id", "arguments", "result", "foreach", "parallel", "types"]
  static let condition: Set = ["true", "false", "flase"]
  static let none: Set<String> = []
  static let foreach: Set = ["item", "index", "collection", "open", "separator", "close", "reverse"]
  static let trim: Set = ["prefix", "suffix", "prefixOverrides", "suffixOverrides", "onVoid"]
  static let clause: Set = ["onVoid"]
  static let format: Set = ["prefix", "pairs", "join"]
  static let step: Set = ["resumable"]
}
