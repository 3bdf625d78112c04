extension SchemaCompiler {
  /// The most fields that a value of a property's type may have in it where it is stored right in its owner.
  ///
  /// Structures in structures are copied whole, and a compiler writes that out: a few levels of large ones take it minutes.
  private static let mostFields = 16

  /// Marks the properties whose values are so large that they are better stored elsewhere.
  ///
  /// To be called when those that lead back to their declaration are marked.
  mutating func markLarge() {
    let indexes = Dictionary(declarations.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var weights = [Int?](repeating: nil, count: declarations.count)
    for start in declarations.indices where weights[start] == nil {
      // Without recursion, since a chain of types may be long. A type that is met within itself counts as one field.
      var path = [start]
      weights[start] = 1
      var pending = [inside(start, indexes)]
      while let node = path.last {
        if let next = pending[pending.count - 1].popLast() {
          guard weights[next] == nil else { continue }
          weights[next] = 1
          path.append(next)
          pending.append(inside(next, indexes))
        } else {
          weights[node] = weigh(node, weights, indexes)
          path.removeLast()
          pending.removeLast()
        }
      }
    }
  }

  /// The declarations whose values are stored right in those of one.
  private func inside(_ index: Int, _ indexes: [String: Int]) -> [Int] {
    func declared(_ type: ModelType) -> Int? {
      guard case .named(let name) = type.bare else { return nil }
      return indexes[name]
    }
    switch declarations[index].kind {
    case .object(let object): return object.properties.filter { !$0.isIndirect }.compactMap { declared($0.type) }
    case .tuple(let tuple): return tuple.items.filter { !$0.isIndirect }.compactMap { declared($0.type) }
    case .value(let type): return [declared(type)].compactMap(\.self)
    case .union, .enumeration: return []
    }
  }

  /// The number of fields of a declaration, whose large properties are marked.
  private mutating func weigh(_ index: Int, _ weights: [Int?], _ indexes: [String: Int]) -> Int {
    func weight(_ type: ModelType) -> Int {
      guard case .named(let name) = type.bare, let known = indexes[name] else { return 1 }
      return weights[known] ?? 1
    }
    func mark(_ properties: inout [ModelProperty]) -> Int {
      var sum = 1
      for place in properties.indices {
        let fields = weight(properties[place].type)
        if fields > Self.mostFields { properties[place].isIndirect = true }
        sum += properties[place].isIndirect ? 1 : fields
      }
      return sum
    }
    switch declarations[index].kind {
    case .object(var object):
      let sum = mark(&object.properties)
      declarations[index].kind = .object(object)
      return sum
    case .tuple(var tuple):
      let sum = mark(&tuple.items)
      declarations[index].kind = .tuple(tuple)
      return sum
    case .value(let type): return weight(type)
    case .union, .enumeration: return 1
    }
  }
}
