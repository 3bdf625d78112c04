import MPaaSJSON

extension SchemaCompiler {
  /// A schema under `$defs` of a document, which a description of calls uses.
  struct Root: Sendable {
    let document: Int
    let key: String
    /// The name for its type.
    let name: String
    /// True where the description gives the name, so that the type has it whatever mentions it first.
    let isNamed: Bool
  }

  /// The type of a root, and what must hold of its values.
  struct Use: Sendable {
    let type: ModelType
    let checks: [ModelCheck]
  }

  /// The types of many schemas together.
  struct Compiled: Sendable {
    let set: ModelSet
    /// As many as there are roots.
    let uses: [Use]
    /// The root in which each declaration stands.
    let owners: [String: Int]
  }

  /// The keyword, of ours alone, with the values of a discriminator that mean a branch.
  static let discriminatorValues = "x-mpaas-discriminator"

  /// Compiles schemas that stand under `$defs`.
  ///
  /// - Parameter taken: Names that no type may have.
  /// - Throws: `GenerationError` with the place of the keyword that cannot be.
  static func compile(
    _ documents: [JSONSource], roots: [Root], taken: Set<String>, options: Options
  ) throws(GenerationError) -> Compiled {
    var compiler = SchemaCompiler(try SchemaLibrary(documents), options)
    compiler.takenNames.formUnion(taken)
    return try compiler.compile(roots)
  }

  private mutating func compile(_ roots: [Root]) throws(GenerationError) -> Compiled {
    try resolveAll()
    try refuseCycles()
    let indexes = roots.map { library.child(library.roots[$0.document], "$defs", $0.key) ?? 0 }
    for (root, index) in zip(roots, indexes) where root.isNamed && givenNames[index] == nil {
      takenNames.insert(root.name)
      givenNames[index] = root.name
    }
    var types: [ModelType] = []
    for (root, index) in zip(roots, indexes) {
      owner = index
      types.append(try type(of: [Part(schema: index)], hint: root.name))
      try makePending()
    }
    let set = try finished()
    var uses: [Use] = []
    for (type, index) in zip(types, indexes) { uses.append(Use(type: type, checks: try reference(index))) }
    let places = Dictionary(indexes.enumerated().map { ($1, $0) }) { first, _ in first }
    return Compiled(set: set, uses: uses, owners: owners.compactMapValues { places[$0] })
  }

  /// Makes the types that were only mentioned, so that a chain of them is not as deep as it is long.
  private mutating func makePending() throws(GenerationError) {
    while let key = pending.popLast() {
      guard let name = givenName(key) else { continue }
      owner = key[0].schema
      unfinished[key] = .some(name)
      _ = try makeType(key, hint: name)
      unfinished[key] = nil
    }
  }

  func givenName(_ key: [Part]) -> String? {
    key.count == 1 && !key[0].isOwn ? givenNames[key[0].schema] : nil
  }

  /// Tells whether a schema is an object with properties and nothing else, whose type surely is a structure.
  func isPlainObject(_ key: [Part]) throws(GenerationError) -> Bool {
    let form = try form(of: key)
    guard !form.isNever, form.choices.isEmpty, form.constants == nil, form.kinds == [.object] else { return false }
    return form.own.contains { library.schemas[$0.schema]["properties"]?.members?.isEmpty == false }
  }

  /// The condition by which a discriminator chooses a branch; none where the branch has none.
  func discriminator(_ branch: Int) -> [ModelCheck] {
    guard let node = library.schemas[branch].node[Self.discriminatorValues], let name = node["name"]?.string,
      let values = node["values"]?.elements, !values.isEmpty
    else { return [] }
    return [
      .required([name]), .members(ModelMembers(named: [.init(name, [.constants(values.map(\.value))])])),
    ]
  }
}
