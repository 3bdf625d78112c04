import MPaaSHotpatch
import MPaaSSupport

extension LintPass {
  /// Finds globals that patches have not, and fields of libraries that are none.
  mutating func checkGlobals() {
    let roots = Set((symbols?.exports.keys ?? [:].keys).compactMap { $0.split(separator: ".").first.map(String.init) })
    var known = LuaEnvironment.functions.union(LuaEnvironment.libraries.keys).union(roots)
    if chunk.source.isTest { known.formUnion(LuaEnvironment.testFunctions) }
    let sorted = known.sorted()
    for id in paths.indices where !fronts[id] {
      guard hasRoom, let path = paths[id] else { continue }
      checkGlobal(id, path, known: known, sorted: sorted, roots: roots)
    }
    for (id, expression) in chunk.expressions.enumerated() {
      if case .call(let callee, let arguments) = expression.kind, paths[callee] == "require" {
        checkRequire(id, Array(items(arguments)))
      }
      if case .local(let local) = expression.kind, chunk.name(of: local) == "_ENV", !expression.isTarget {
        add(.forbidden, .error, expression.range, ["name": "_ENV"], variant: "environment")
      }
    }
  }

  private mutating func checkGlobal(
    _ id: ExpressionID, _ path: String, known: Set<String>, sorted: [String], roots: Set<String>
  ) {
    let root = path.prefix { $0 != "." }
    let name = String(root)
    let expression = chunk.expressions[id]
    // A method of a class may be called like one of Lua's functions.
    if methodTargets.contains(id) || methodNames.contains(name) { return }
    if let variant = LuaEnvironment.forbidden[name] ?? LuaEnvironment.forbidden[path] {
      add(.forbidden, .error, expression.range, ["name": path], variant: variant)
    } else if !known.contains(name) {
      checkUndeclared(id, path, name, sorted)
    } else if expression.isTarget {
      add(.undeclaredGlobal, .error, expression.range, ["name": path], variant: "overwrites")
    } else if let members = LuaEnvironment.libraries[name], path.utf8.count > name.utf8.count, !roots.contains(name) {
      checkMember(expression, path, String(path.dropFirst(name.count + 1).prefix { $0 != "." }), name, members)
    } else if roots.contains(name), LuaEnvironment.libraries[name] == nil {
      checkExport(expression, path)
    }
  }

  private mutating func checkUndeclared(
    _ id: ExpressionID, _ path: String, _ name: String, _ known: [String]
  ) {
    let expression = chunk.expressions[id]
    let root = front(of: id)
    let range = chunk.expressions[root].range
    if chunk.expressions[root].isTarget {
      add(.undeclaredGlobal, .error, range, ["name": name], variant: "write", fix: declaration(of: name))
      return
    }
    // The finding at the place of the write says all; other files of the patch write it for themselves.
    if let first = globalWrites[name]?.first, first < id { return }
    var values = ["name": name]
    if let other = LuaEnvironment.renamed[path] ?? LuaEnvironment.renamed[name] {
      values["name"] = LuaEnvironment.renamed[path] != nil ? path : name
      values["suggestion"] = other
      add(.undeclaredGlobal, .error, expression.range, values, variant: "renamed")
    } else if let near = near(name, known) {
      values["suggestion"] = near
      add(.undeclaredGlobal, .error, range, values, variant: "near")
    } else {
      add(.undeclaredGlobal, .error, range, values)
    }
  }

  private mutating func near(_ name: String, _ known: [String]) -> String? {
    if let near = nearNames[name] { return near.isEmpty ? nil : near }
    let near = closestMatch(to: name, among: known)
    nearNames[name] = near ?? ""
    return near
  }

  /// The first name of a dotted one.
  private func front(of id: ExpressionID) -> ExpressionID {
    var current = id
    while case .index(let object, _, _) = chunk.expressions[current].kind { current = object }
    return current
  }

  private mutating func checkMember(
    _ expression: LuaChunk.Expression, _ path: String, _ member: String, _ library: String, _ members: Set<String>
  ) {
    guard !members.contains(member) else { return }
    let name = library + "." + member
    var values = ["name": name]
    if let other = LuaEnvironment.renamed[name] {
      values["suggestion"] = other
      return add(.undeclaredGlobal, .error, expression.range, values, variant: "renamed")
    }
    guard let near = closestMatch(to: member, among: members.sorted()) else {
      return add(.undeclaredGlobal, .error, expression.range, values)
    }
    values["suggestion"] = library + "." + near
    add(.undeclaredGlobal, .error, expression.range, values, variant: "near")
  }

  private mutating func checkExport(_ expression: LuaChunk.Expression, _ path: String) {
    guard let exports = symbols?.exports else { return }
    var front = path[...]
    // The members of an exported value are not listed.
    while exports[String(front)] == nil, let dot = front.lastIndex(of: ".") { front = front[..<dot] }
    guard exports[String(front)] == nil, !exportPaths.contains(path) else { return }
    let near = closestMatch(to: path, among: exports.keys.sorted())
    add(
      .symbolUnknown, .error, expression.range, ["name": path, "suggestion": near ?? ""],
      variant: near == nil ? "export" : "export-near")
  }

  private mutating func checkRequire(_ id: ExpressionID, _ arguments: [ExpressionID]) {
    guard let modules, let first = arguments.first, let name = chunk.string(first), !modules.contains(name) else {
      return
    }
    let near = closestMatch(to: name, among: modules.sorted())
    add(
      .moduleUnknown, .error, chunk.expressions[first].range, ["name": name, "suggestion": near ?? ""],
      variant: near == nil ? nil : "near")
  }
}
