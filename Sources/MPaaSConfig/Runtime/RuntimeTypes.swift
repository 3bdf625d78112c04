package import MPaaSDeclarations
import MPaaSSupport

/// A module's sources, as far as tables need them.
package struct RuntimeModule: Sendable {
  package let name: String
  /// A declaration, and the file that it stands in as a reader would look for it.
  package let types: [(file: String, type: TypeDeclaration)]
  /// Tells whether all its types are known; of other modules only the names are.
  package let isComplete: Bool

  package init(name: String, types: [(file: String, type: TypeDeclaration)], isComplete: Bool = true) {
    self.name = name
    self.types = types
    self.isComplete = isComplete
  }

  /// - Parameter sources: The files' names, and what stands in them.
  package init(name: String, sources: [(file: String, bytes: [UInt8])]) {
    self.init(
      name: name,
      types: sources.flatMap { source in
        DeclarationScanner.scan(source.bytes, file: source.file).map { (source.file, $0) }
      })
  }
}

/// Finds the types that a runtime file names.
struct RuntimeTypes {
  /// A type that the table can name.
  struct Found {
    /// As the table writes it.
    let reference: String
    let conditions: [String]
    let module: String?
    /// Nil for a type of a module of which only the name is known.
    let type: TypeDeclaration?
    let file: String
  }

  let target: RuntimeModule
  let dependencies: [RuntimeModule]
  private let index: [String: [(file: String, type: TypeDeclaration)]]

  init(target: RuntimeModule, dependencies: [RuntimeModule]) {
    self.target = target
    self.dependencies = dependencies
    index = Self.index(target)
  }

  private static func index(_ module: RuntimeModule) -> [String: [(file: String, type: TypeDeclaration)]] {
    var index: [String: [(file: String, type: TypeDeclaration)]] = [:]
    for entry in module.types where entry.type.kind != .extension {
      index[entry.type.name, default: []].append(entry)
      if let name = entry.type.objectiveCName, name != entry.type.name { index[name, default: []].append(entry) }
    }
    return index
  }

  /// The type of a name: of the target, `Target.Name`, `@objc(Name)`, or `Module.Name`.
  func find(_ name: String) -> Found? {
    if let entries = index[name], let first = entries.first {
      // Declared once for each condition, it is there always.
      let conditions = entries.count > 1 ? [] : first.type.conditions
      return Found(
        reference: first.type.name, conditions: conditions, module: nil, type: first.type, file: first.file)
    }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    let (module, rest) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
    if module == target.name { return find(rest) }
    guard let dependency = dependencies.first(where: { $0.name == module }) else { return nil }
    guard let entry = Self.index(dependency)[rest]?.first else {
      guard !dependency.isComplete else { return nil }
      return Found(reference: name, conditions: [], module: module, type: nil, file: "")
    }
    return Found(
      reference: module + "." + entry.type.name, conditions: entry.type.conditions, module: module, type: entry.type,
      file: entry.file)
  }

  /// The name that was probably meant by a name that is not found, and where that stands.
  func suggestion(for name: String, _ isRight: (TypeDeclaration) -> Bool) -> (name: String, place: String)? {
    let own = target.types.filter { isRight($0.type) }
    let last = String(name.split(separator: ".").last ?? "")
    if let nested = own.first(where: { $0.type.name.split(separator: ".").last.map(String.init) == last }) {
      return (nested.type.name, "\(nested.file):\(nested.type.line)")
    }
    for module in dependencies {
      if let other = module.types.first(where: { isRight($0.type) && $0.type.name == last }) {
        return (module.name + "." + last, "\(other.file):\(other.type.line)")
      }
    }
    guard let near = closestMatch(to: name, among: own.map(\.type.name)),
      let entry = own.first(where: { $0.type.name == near })
    else { return nil }
    return (near, "\(entry.file):\(entry.type.line)")
  }

  /// The bare names that a type of the target inherits by its own clause and those of its extensions.
  func clause(of name: String) -> [String] {
    target.types.filter { $0.type.name == name || $0.type.name == target.name + "." + name }
      .flatMap { $0.type.inherited.flatMap(Self.names) }
  }

  /// The names that a type of a clause stands for: `@unchecked A & Module.B<C>` for `A` and `B`.
  private static func names(_ text: String) -> [String] {
    text.split(separator: "&").compactMap { part in
      let word = part.split(separator: " ").last.map(String.init) ?? ""
      let bare = word.prefix { $0 != "<" }
      return bare.split(separator: ".").last.map(String.init)
    }
  }

  /// Tells whether a type has one of the protocols, as far as the sources tell; nil where a type of another module may
  /// have it.
  func conforms(_ name: String, to protocols: Set<String>) -> Bool? {
    var waiting = [name]
    var seen: Set<String> = []
    var isOpen = false
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      for parent in clause(of: next) {
        if protocols.contains(parent) { return true }
        if index[parent] != nil { waiting.append(parent) } else if !Self.neutral.contains(parent) { isOpen = true }
      }
    }
    return isOpen ? nil : false
  }

  /// The words that surely do not bring a protocol of the framework along.
  private static let neutral: Set<String> = [
    "NSObject", "AnyObject", "Sendable", "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable",
    "Identifiable", "CustomStringConvertible", "CustomDebugStringConvertible", "ObservableObject", "UIResponder",
  ]

  /// The access that keeps a type from being named in another file; nil where it can be.
  func hiddenBy(_ type: TypeDeclaration) -> String? {
    let parts = type.name.split(separator: ".")
    for count in 1...max(parts.count, 1) {
      let outer = parts.prefix(count).joined(separator: ".")
      for entry in target.types where entry.type.name == outer && entry.type.kind != .extension {
        if let word = entry.type.modifiers.first(where: { $0 == "private" || $0 == "fileprivate" }) { return word }
      }
    }
    return nil
  }
}
