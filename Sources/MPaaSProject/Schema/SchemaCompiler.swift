package import MPaaSJSON
import MPaaSSupport

/// Makes types of schemas.
///
/// Types say what can be told by form; checks say all of what the schema says. So a type may take more than its schema
/// allows, never less, and what it takes it gives back unchanged.
package struct SchemaCompiler {
  package struct Options: Sendable {
    /// Tells whether `format` is checked, and dates have types of their own.
    package var checksFormats: Bool
    /// Tells whether `oneOf` refuses what fits two branches also where each branch names its types.
    package var isOneOfExact: Bool
    /// Swift names for JSON names, for types and properties alike.
    package var names: [String: String]
    /// Tells whether types that have no name of their own are called by what they stand in, too: `OrderItem`.
    package var namesOwners = false
    /// The most schemas of all documents together.
    package var mostSchemas = 50_000

    package init(checksFormats: Bool = true, isOneOfExact: Bool = false, names: [String: String] = [:]) {
      self.checksFormats = checksFormats
      self.isOneOfExact = isOneOfExact
      self.names = names
    }
  }

  /// A schema, or what it says itself without the schemas that it combines.
  struct Part: Hashable, Comparable {
    let schema: Int
    var isOwn = false

    static func < (left: Part, right: Part) -> Bool {
      (left.schema, left.isOwn ? 1 : 0) < (right.schema, right.isOwn ? 1 : 0)
    }
  }

  var library: SchemaLibrary
  let options: Options
  var declarations: [ModelDeclaration] = []
  /// The origins of each declaration.
  var origins: [String: [Part]] = [:]
  var types: [[Part]: ModelType] = [:]
  /// The types that are being made, with the names that some of them have already.
  var unfinished: [[Part]: String?] = [:]
  var takenNames: Set<String> = SwiftSpelling.reservedTypes
  var functions: [Int: String] = [:]
  var functionNames: Set<String> = []
  /// The schemas that are a declaration just as they stand.
  var declaredSchemas: [Int: String] = [:]
  var tracksEvaluation = false
  /// The names that a description itself gives to schemas.
  var givenNames: [Int: String] = [:]
  /// Types with given names that are mentioned and not made yet.
  var pending: [[Part]] = []
  /// The root in whose work types are declared, and the roots of those that are.
  var owner = 0
  var owners: [String: Int] = [:]

  init(_ library: SchemaLibrary, _ options: Options) {
    self.library = library
    self.options = options
    tracksEvaluation = library.schemas.contains {
      $0["unevaluatedProperties"] != nil || $0["unevaluatedItems"] != nil
    }
  }

  /// Compiles the roots of the documents.
  ///
  /// - Parameter names: What the types of the roots are called, as many as there are documents.
  /// - Throws: `GenerationError` with the place of the keyword that cannot be.
  package static func compile(
    _ documents: [JSONSource], names: [String], options: Options = Options()
  ) throws(GenerationError) -> ModelSet {
    var compiler = SchemaCompiler(try SchemaLibrary(documents), options)
    return try compiler.compile(names)
  }

  private mutating func compile(_ names: [String]) throws(GenerationError) -> ModelSet {
    try resolveAll()
    try refuseCycles()
    for (root, name) in zip(library.roots, names) {
      try declareRoot(root, name)
    }
    return try finished()
  }

  /// The set of all types that were declared, with their checks.
  mutating func finished() throws(GenerationError) -> ModelSet {
    try collectFunctions()
    for index in declarations.indices {
      let origin = origins[declarations[index].name] ?? []
      declarations[index].checks = try checks(of: origin)
    }
    markIndirect()
    markLarge()
    var list: [ModelFunction] = []
    for (schema, name) in functions.sorted(by: { $0.value < $1.value }) {
      list.append(ModelFunction(name, try wholeChecks(schema)))
    }
    return ModelSet(declarations, functions: list)
  }

  private mutating func declareRoot(_ root: Int, _ name: String) throws(GenerationError) {
    let key = try peeled([Part(schema: root)])
    if origins.values.contains(key) { return }
    let start = declarations.count
    let name = ModelName.unique(name, among: takenNames)
    takenNames.insert(name)
    unfinished[key] = .some(name)
    let type = try makeType(key, hint: name)
    unfinished[key] = nil
    if type != .named(name) { wrap(type, name, key) }
    types[key] = .named(name)
    // The document's type comes first.
    if let place = declarations.firstIndex(where: { $0.name == name }) {
      declarations.insert(declarations.remove(at: place), at: start)
    }
  }

  /// Every place that can be referred to is looked up once, so that nothing later has to.
  mutating func resolveAll() throws(GenerationError) {
    var index = 0
    while index < library.schemas.count {
      for keyword in ["$ref", "$dynamicRef"] {
        if let reference = library.schemas[index][keyword], library.schemas[index].node.members != nil {
          targets[index] = try library.resolve(reference, from: index)
        }
      }
      guard library.schemas.count < options.mostSchemas else {
        throw GenerationError(
          .schemaTooLarge, ["limit": "\(options.mostSchemas)"], at: .file(library.documents[0].file))
      }
      index += 1
    }
  }

  /// The target of the reference in a schema.
  var targets: [Int: Int] = [:]

  // MARK: Declaring

  mutating func reserve(_ hint: String) -> String {
    let name = ModelName.unique(options.names[hint] ?? ModelName.type(hint), among: takenNames)
    takenNames.insert(name)
    return name
  }

  /// Declares a type around another, which may have taken the name for a part of itself: what may be null, say.
  mutating func wrap(_ type: ModelType, _ name: String, _ key: [Part]) {
    guard let place = declarations.firstIndex(where: { $0.name == name }) else {
      return declare(name, .value(type), key)
    }
    let inner = reserve(name + "Value")
    declarations[place].name = inner
    owners[inner] = owners[name]
    origins[inner] = origins.removeValue(forKey: name)
    declare(name, .value(type.replacing(name, by: inner)), key)
  }

  mutating func declare(_ name: String, _ kind: ModelDeclaration.Kind, _ key: [Part]) {
    var documentation: [String] = []
    if let described = key.first(where: { library.schemas[$0.schema]["description"]?.string != nil }) ?? key.first {
      documentation = self.documentation(described.schema)
    }
    declarations.append(ModelDeclaration(name, kind, documentation: documentation))
    owners[name] = owner
    origins[name] = key
  }

  func documentation(_ schema: Int) -> [String] {
    let schema = library.schemas[schema]
    var lines: [String] = []
    for keyword in ["title", "description"] {
      if let text = schema[keyword]?.string, !text.allSatisfy(\.isWhitespace), !lines.contains(text) {
        lines.append(text)
      }
    }
    if let value = schema["default"] { lines.append("Default: `\(value.value.line)`") }
    if schema["deprecated"]?.bool == true { lines.append("Deprecated.") }
    return lines
  }

  // MARK: Cycles

  /// A schema that leads to itself for the same value means nothing, and nothing could check it.
  func refuseCycles() throws(GenerationError) {
    var state = [UInt8](repeating: 0, count: library.schemas.count)
    for start in library.schemas.indices where state[start] == 0 {
      // By hand rather than by recursion: a chain may be as long as the document.
      var path: [(schema: Int, next: [Int])] = [(start, inPlace(start))]
      state[start] = 1
      while let top = path.last {
        guard let child = top.next.last else {
          state[top.schema] = 2
          path.removeLast()
          continue
        }
        path[path.count - 1].next.removeLast()
        if state[child] == 1 {
          let schema = library.schemas[child]
          throw GenerationError(
            .schemaRefCycle, ["path": "/" + schema.path.joined(separator: "/")],
            at: library.place(schema.node, of: schema))
        }
        if state[child] == 0 {
          state[child] = 1
          path.append((child, inPlace(child)))
        }
      }
    }
  }

  /// The schemas that must hold, or may, of the same value.
  private func inPlace(_ index: Int) -> [Int] {
    let schema = library.schemas[index]
    var result = targets[index].map { [$0] } ?? []
    for keyword in ["not", "if", "then", "else"] where schema[keyword] != nil {
      if let child = library.child(index, keyword) { result.append(child) }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] { result += children(index, keyword) }
    for keyword in ["dependentSchemas", "dependencies"] { result += named(index, keyword).map(\.schema) }
    return result
  }

  /// The schemas in a list.
  func children(_ index: Int, _ keyword: String) -> [Int] {
    (library.schemas[index][keyword]?.elements ?? []).indices.compactMap { library.child(index, keyword, String($0)) }
  }

  /// The schemas in a keyword's object, by name.
  func named(_ index: Int, _ keyword: String) -> [(name: String, schema: Int)] {
    (library.schemas[index][keyword]?.members ?? []).compactMap { member in
      library.child(index, keyword, member.name).map { (member.name, $0) }
    }
  }
}

extension ModelType {
  fileprivate func replacing(_ name: String, by other: String) -> ModelType {
    switch self {
    case .named(name): .named(other)
    case .nullable(let type): .nullable(type.replacing(name, by: other))
    case .array(let type): .array(type.replacing(name, by: other))
    case .map(let type): .map(type.replacing(name, by: other))
    default: self
    }
  }
}
