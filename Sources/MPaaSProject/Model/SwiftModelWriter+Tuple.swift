import MPaaSSupport

extension SwiftModelWriter {
  /// A structure with a property for each of the first elements.
  mutating func write(_ tuple: ModelTuple, _ declaration: ModelDeclaration) {
    let items = tuple.items.map { SwiftProperty($0, options.dates) }
    let rest = tuple.rest.map { "[\(name($0))]" }
    let access = access
    line("struct \(declaration.name): JSONModel {")
    edit { writer in
      writer.stored(items)
      if let rest {
        writer.text.blank()
        writer.text.documentation(["The elements behind those."])
        writer.line("var rest: \(rest)")
      }
      writer.memberwise(items, rest: rest.map { ("rest", $0, "[]") })
      writer.text.blank()
      writer.text.block("\(access)init(jsonValue json: JSONValue) throws") { text in
        text.line("var elements = try JSONElements(json)")
        for item in items { text.line("\(item.name) = try elements.\(item.presence.rawValue)()") }
        if rest != nil { text.line("rest = try elements.rest()") }
      }
      writer.text.blank()
      writer.text.block("\(access)var jsonValue: JSONValue") { text in
        let values = items.map { $0.presence == .optional ? "\($0.name)?.jsonValue" : "\($0.name).jsonValue" }
        text.list(
          "JSONElements.array(", ["[\(values.joined(separator: ", "))]"] + (rest == nil ? [] : ["rest"]), end: ")")
      }
      writer.checks(declaration)
    }
    text.line("}")
  }
}
