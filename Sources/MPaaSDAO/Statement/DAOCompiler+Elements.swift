import MPaaSXML

// Elements that make SQL of what is in them.
extension DAOCompiler {
  mutating func choose(_ element: XMLElement) throws(DAOError) -> DAONode {
    try checkAttributes(element, DAOElements.none)
    var branches: [(condition: DAOCondition?, nodes: [DAONode])] = []
    for child in element.children {
      switch child {
      case .text(let text) where text.isBlank: continue
      case .text(let text):
        throw DAOError(.unknownElement, ["name": "text", "parent": "choose"], at: text.firstPosition)
      case .element(let branch) where branch.name == "when":
        branches.append((try condition(branch), try nodes(branch.children)))
      case .element(let branch) where branch.name == "otherwise":
        try checkAttributes(branch, DAOElements.none)
        branches.append((nil, try nodes(branch.children)))
      case .element(let branch):
        throw DAOError(.unknownElement, ["name": branch.name, "parent": "choose"], at: branch.position)
      }
    }
    return .choose(branches)
  }

  mutating func foreach(_ element: XMLElement) throws(DAOError) -> DAONode {
    try checkAttributes(element, DAOElements.foreach)
    guard let collection = element["collection"].map(DAOName.trimmed), !collection.isEmpty else {
      throw DAOError(.missingAttribute, ["name": "collection", "element": "foreach"], at: element.position)
    }
    guard let item = element["item"].map(DAOName.trimmed), !item.isEmpty else {
      throw DAOError(.missingAttribute, ["name": "item", "element": "foreach"], at: element.position)
    }
    let index = element["index"].map(DAOName.trimmed)
    let parts = collection.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(DAOName.isName), DAOName.isName(item), index.map(DAOName.isName) ?? true else {
      throw DAOError(.foreach, ["name": "\(collection).\(item)"], at: element.position)
    }
    let path = path(parts, at: element.position)
    let itemSlot = declare(item)
    let indexSlot = index.map { declare($0) }
    defer {
      forget(item)
      if let index { forget(index) }
    }
    return .foreach(
      DAOForeach(
        collection: path, itemSlot: itemSlot, indexSlot: indexSlot,
        rule: DAOLoopRule(
          path.text, open: element["open"] ?? "", separator: element["separator"] ?? "",
          close: element["close"] ?? "", isReverse: DAOName.isYes(element["reverse"])),
        nodes: try nodes(element.children)))
  }

  mutating func trim(_ element: XMLElement) throws(DAOError) -> DAONode {
    try checkAttributes(element, element.name == "trim" ? DAOElements.trim : DAOElements.clause)
    let onVoid = try element["onVoid"].map { text throws(DAOError) in
      guard let onVoid = DAOTrimRule.OnVoid(rawValue: text) else {
        throw DAOError(.onVoid, ["value": text], at: element.position)
      }
      return onVoid
    }
    func overrides(_ text: String?) -> [String] {
      let parts = (text ?? "").split(separator: "|").map { DAOName.trimmed($0).lowercased() }
      return parts.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
    }
    let isSet = element.name == "set"
    let isWhere = element.name == "where"
    return .trim(
      DAOTrim(
        rule: DAOTrimRule(
          prefix: isSet ? "SET" : isWhere ? "WHERE" : element["prefix"] ?? "", suffix: element["suffix"] ?? "",
          prefixOverrides: overrides(isSet ? "," : isWhere ? "AND|OR" : element["prefixOverrides"]),
          suffixOverrides: overrides(isSet ? "," : element["suffixOverrides"]), onVoid: onVoid),
        nodes: try nodes(element.children)))
  }

  mutating func format(_ element: XMLElement) throws(DAOError) -> DAONode {
    try checkAttributes(element, DAOElements.format)
    guard let pairs = element["pairs"].map(DAOName.trimmed), !pairs.isEmpty else {
      throw DAOError(.missingAttribute, ["name": "pairs", "element": "format"], at: element.position)
    }
    let parts = pairs.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(DAOName.isName) else {
      throw DAOError(.reference, ["reference": pairs], at: element.position)
    }
    let join = DAOName.trimmed(element["join"] ?? ",")
    let path = path(parts, at: element.position)
    return .format(
      DAOFormat(
        pairs: path,
        rule: DAOFormatRule(
          path.text, prefix: element["prefix"] ?? "", join: join == "," || join.isEmpty ? nil : join)))
  }
}
