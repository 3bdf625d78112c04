package import MPaaSDeclarations

/// The types of an app's sources that documents can name.
package struct SourceTypes: Sendable {
  private let types: [String: TypeDeclaration]

  /// - Parameter declarations: The declarations of the sources; of several with one name the first counts.
  package init(_ declarations: [TypeDeclaration]) {
    let usable = declarations.filter { type in
      (type.kind == .struct || type.kind == .class) && !type.isGeneric && type.language == .swift
        && !type.modifiers.contains("private") && !type.modifiers.contains("fileprivate")
    }
    types = Dictionary(usable.map { ($0.name, $0) }) { first, _ in first }
  }

  package func has(_ name: String) -> Bool { types[name] != nil }

  /// The stored properties of a type that columns can be, in the order of the source.
  package func properties(of name: String) -> [(name: String, type: SwiftValueType)] {
    guard let type = types[name] else { return [] }
    return type.properties.filter { !$0.isStatic && !$0.modifiers.contains("lazy") }.compactMap { property in
      let text = property.type + (property.isOptional ? "?" : "")
      guard let type = SwiftValueType(text, isObject: { _ in false }), type.isColumn else { return nil }
      return (property.name, type)
    }
  }

  /// True where objects are made without values, and their properties set then.
  package func isClass(_ name: String) -> Bool { types[name]?.kind == .class }

  /// The access of a type: the less of its own words.
  package func access(of name: String) -> DAOAccessLevel {
    let words = types[name]?.modifiers ?? []
    return words.contains("public") || words.contains("open")
      ? .public : words.contains("package") ? .package : .internal
  }
}

extension SwiftValueType {
  fileprivate var isColumn: Bool {
    switch wrapped {
    case .list, .object, .dictionary: false
    default: true
    }
  }
}

/// The access that compiled classes and their methods have.
package enum DAOAccessLevel: String, Sendable, CaseIterable, Comparable {
  case `internal`, package, `public`

  /// The word in front of a declaration, with the space behind it.
  var word: String { self == .internal ? "" : rawValue + " " }

  package static func < (left: DAOAccessLevel, right: DAOAccessLevel) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}
