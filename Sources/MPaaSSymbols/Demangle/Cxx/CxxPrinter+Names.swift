extension CxxPrinter {
  /// A name or an expression: what has nothing behind a declarator.
  mutating func name(_ index: CxxNode.Index) throws(TooLarge) {
    switch nodes[index] {
    case .text(let text): write(text)
    case .nested(let scope, let member):
      try print(scope)
      write("::")
      try print(member)
    case .local(let function, let entity):
      try print(function)
      write("::")
      try print(entity)
    case .template(let template, let arguments):
      try print(template)
      try templateArguments(arguments)
    case .tagged(let base, let tag):
      try print(base)
      if !isShort { write("[abi:\(tag)]") }
    case .constructor(let owner, let isDestructor):
      if isDestructor { write("~") }
      write(baseName(owner))
    case .operatorName(let symbol): write("operator" + symbol)
    case .conversion(let type):
      write("operator ")
      try print(type)
    case .lambda(let parameters, let number):
      write("{lambda(")
      let pack = packIndex
      packIndex = nil
      lambdaDepth += 1
      try list(parameters)
      lambdaDepth -= 1
      packIndex = pack
      write(")#\(number + 1)}")
    case .unnamedType(let number): write("{unnamed type#\(number + 1)}")
    case .binding(let names):
      write("[")
      try list(names)
      write("]")
    case .wrapped(let before, let inner, let behind):
      write(before)
      try print(inner)
      write(behind)
    case .construction(let base, let derived):
      write("construction vtable for ")
      try print(base)
      write("-in-")
      try print(derived)
    case .expansion(let pattern): try expansion(pattern)
    default: try expression(index)
    }
  }

  private mutating func templateArguments(_ arguments: [CxxNode.Index]) throws(TooLarge) {
    guard !isShort else { return }
    if output.last == UInt8(ascii: "<") { write(" ") }
    write("<")
    try list(arguments)
    // The library's own function forgets the space behind arguments that print nothing; names are to be the same.
    if output.last == UInt8(ascii: ">"), !endsEmpty { write(" ") }
    write(">")
    endsEmpty = false
  }

  /// A class's own name, for its constructors.
  private func baseName(_ index: CxxNode.Index) -> String {
    var index = index
    for _ in 0..<64 {
      switch nodes[index] {
      case .nested(_, let member): index = member
      case .local(_, let entity): index = entity
      case .template(let template, _): index = template
      case .tagged(let base, _): index = base
      case .wrapped(_, let inner, _): index = inner
      case .text(let text):
        let plain = text.prefix { $0 != "<" }
        guard plain.hasPrefix("std::") else { return String(plain) }
        return String(plain.dropFirst(5))
      default:
        var printer = CxxPrinter(nodes: nodes, isShort: isShort)
        guard (try? printer.print(index)) != nil else { return "" }
        return String(decoding: printer.output, as: UTF8.self)
      }
    }
    return ""
  }

  private mutating func expansion(_ pattern: CxxNode.Index) throws(TooLarge) {
    guard let elements = expandedPack(pattern) else {
      try subexpression(pattern)
      write("...")
      return
    }
    let outer = packIndex
    var isFirst = true
    for index in elements.indices {
      packIndex = index
      let start = output.count
      if !isFirst { write(", ") }
      let empty = output.count
      try print(pattern)
      if output.count == empty {
        output.removeSubrange(start...)
      } else {
        isFirst = false
      }
    }
    packIndex = outer
  }
}
