/// Prints a C++ name from its parts, as the C++ library's own function does.
struct CxxPrinter {
  struct TooLarge: Error {}

  let nodes: [CxxNode]
  var output: [UInt8] = []
  /// Leaves out parameters, results and template arguments.
  let isShort: Bool
  private var depth = 0
  private var steps = 0
  /// The index of the element of the packs around that is being printed.
  var packIndex: Int?
  /// The template arguments of the functions around, the innermost last: what parameters stand for.
  var scopes: [[CxxNode.Index]] = []
  /// Inside a lambda's parameters a template parameter is an `auto`.
  var lambdaDepth = 0
  /// Tells whether the last list ended in elements that print nothing.
  var endsEmpty = false

  /// Bytes of a name that no reader would finish.
  private static let longest = 1 << 16

  init(nodes: [CxxNode], isShort: Bool) {
    self.nodes = nodes
    self.isShort = isShort
  }

  mutating func write(_ text: String) {
    output += text.utf8
  }

  mutating func print(_ index: CxxNode.Index) throws(TooLarge) {
    try left(index)
    try right(index)
  }

  mutating func guarded<Value>(
    _ body: (inout CxxPrinter) throws(TooLarge) -> Value
  ) throws(TooLarge) -> Value {
    depth += 1
    steps += 1
    defer { depth -= 1 }
    guard depth < 400, steps < 1 << 16, output.count < Self.longest else { throw TooLarge() }
    return try body(&self)
  }

  /// A list with commas between; what prints nothing leaves no comma.
  mutating func list(_ elements: [CxxNode.Index]) throws(TooLarge) {
    var isFirst = true
    endsEmpty = false
    for element in elements {
      let start = output.count
      if !isFirst { write(", ") }
      let empty = output.count
      try print(element)
      if output.count == empty {
        output.removeSubrange(start...)
        endsEmpty = !isFirst
      } else {
        isFirst = false
        endsEmpty = false
      }
    }
  }

  /// Calls `body` with the node behind those that only stand for another, and with the scope that it belongs to.
  mutating func resolving<Value>(
    _ index: CxxNode.Index, _ body: (inout CxxPrinter, CxxNode.Index) throws(TooLarge) -> Value
  ) throws(TooLarge) -> Value {
    let saved = (scopes, packIndex)
    defer { (scopes, packIndex) = saved }
    var index = index
    for _ in 0..<64 {
      guard let next = follow(index) else { break }
      index = next
    }
    return try body(&self, index)
  }

  /// The node that a node stands for, nil where it stands for itself; leaves the scope of a parameter.
  private mutating func follow(_ index: CxxNode.Index) -> CxxNode.Index? {
    switch nodes[index] {
    case .wrapped("", let inner, ""): return inner
    case .parameter(let number):
      guard lambdaDepth == 0, let arguments = scopes.last, number < arguments.count else { return nil }
      return leave(arguments[number])
    default: return nil
    }
  }

  /// Goes to where an argument was written, and of a pack that is being expanded to its element.
  mutating func leave(_ argument: CxxNode.Index) -> CxxNode.Index {
    scopes.removeLast()
    guard let index = packIndex, case .pack(let elements) = nodes[argument] else { return argument }
    packIndex = nil
    return index < elements.count ? elements[index] : argument
  }

  mutating func isFunction(_ index: CxxNode.Index) throws(TooLarge) -> Bool {
    try resolving(index) { printer, index throws(TooLarge) in
      if case .function = printer.nodes[index] { return true }
      return false
    }
  }

  mutating func isArray(_ index: CxxNode.Index) throws(TooLarge) -> Bool {
    try resolving(index) { printer, index throws(TooLarge) in
      switch printer.nodes[index] {
      case .array: return true
      case .qualified(let inner, _):
        return try printer.resolving(inner) { printer, inner throws(TooLarge) in
          if case .array = printer.nodes[inner] { return true }
          return false
        }
      default: return false
      }
    }
  }

  /// The elements of the pack that an expansion goes over; nil where it holds none.
  func expandedPack(_ index: CxxNode.Index) -> [CxxNode.Index]? {
    var budget = 2000
    return pack(below: index, &budget)
  }

  private func pack(below index: CxxNode.Index, _ budget: inout Int) -> [CxxNode.Index]? {
    budget -= 1
    guard budget > 0 else { return nil }
    if case .pack(let elements) = nodes[index] { return elements }
    if case .parameter(let number) = nodes[index], let arguments = scopes.last, number < arguments.count,
      case .pack(let elements) = nodes[arguments[number]]
    {
      return elements
    }
    for child in nodes[index].children {
      if let found = pack(below: child, &budget) { return found }
    }
    return nil
  }
}

extension CxxNode {
  /// The parts that an expansion looks for packs in.
  fileprivate var children: [Index] {
    switch self {
    case .text, .operatorName, .unnamedType, .binding, .parameter, .expansion, .lambda, .pack: []
    case .nested(let a, let b), .local(let a, let b), .memberPointer(let a, let b), .construction(let a, let b),
      .vector(let a, let b), .binary(_, let a, let b), .cast(_, let a, let b), .subscripted(let a, let b):
      [a, b]
    case .template(let a, let list), .conversionExpression(let a, let list), .call(let a, let list): [a] + list
    case .tagged(let a, _), .constructor(let a, _), .conversion(let a), .qualified(let a, _), .suffixed(let a, _),
      .pointer(let a), .reference(let a, _), .wrapped(_, let a, _), .literal(let a, _), .unary(_, let a, _):
      [a]
    case .packSize(let list): list
    case .function(let function): function.children
    case .encoding(let a, let function): [a] + function.children
    case .array(let size, let a): [a] + (size.map { [$0] } ?? [])
    case .conditional(let a, let b, let c): [a, b, c]
    case .initializer(let type, let list): (type.map { [$0] } ?? []) + list
    case .new(let placement, let type, let arguments, _): placement + [type] + (arguments ?? [])
    case .fold(_, _, let a, let b): [a] + (b.map { [$0] } ?? [])
    }
  }
}

extension CxxFunction {
  fileprivate var children: [CxxNode.Index] {
    (result.map { [$0] } ?? []) + parameters
  }
}
