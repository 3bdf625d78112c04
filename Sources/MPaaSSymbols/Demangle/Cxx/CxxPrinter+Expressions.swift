extension CxxPrinter {
  mutating func expression(_ index: CxxNode.Index) throws(TooLarge) {
    switch nodes[index] {
    case .literal(let type, let value): try literal(type, value)
    case .unary(let symbol, let operand, let form): try unary(symbol, operand, form)
    case .binary(let symbol, let first, let second):
      // Inside template arguments a bare > would end them.
      if symbol == ">" { write("(") }
      try subexpression(first)
      write(symbol)
      try subexpression(second)
      if symbol == ">" { write(")") }
    case .conditional(let condition, let first, let second):
      try subexpression(condition)
      write("?")
      try subexpression(first)
      write(" : ")
      try subexpression(second)
    case .call(let callee, let arguments):
      if case .encoding(let name, _) = nodes[callee] {
        try subexpression(name)
      } else {
        try subexpression(callee)
      }
      write("(")
      try list(arguments)
      write(")")
    case .subscripted(let array, let position):
      try subexpression(array)
      write("[")
      try print(position)
      write("]")
    case .cast(let word, let type, let operand):
      write(word + "<")
      try print(type)
      write(">(")
      try print(operand)
      write(")")
    case .conversionExpression(let type, let operands):
      write("(")
      try print(type)
      write(")(")
      try list(operands)
      write(")")
    case .initializer(let type, let elements):
      if let type { try print(type) }
      write("{")
      try list(elements)
      write("}")
    case .new(let placement, let type, let arguments, let prefix):
      write(prefix)
      if !placement.isEmpty {
        write("(")
        try list(placement)
        write(") ")
      }
      try print(type)
      if let arguments, arguments.count == 1, case .initializer = nodes[arguments[0]] {
        try list(arguments)
      } else if let arguments {
        write("(")
        try list(arguments)
        write(")")
      }
    case .fold(let kind, let symbol, let first, let second): try fold(kind, symbol, first, second)
    case .packSize(let parts): packSize(parts)
    default: throw TooLarge()
    }
  }

  /// An operand: in parentheses unless it is a plain name.
  mutating func subexpression(_ index: CxxNode.Index) throws(TooLarge) {
    let isSimple: Bool
    switch nodes[index] {
    case .text, .nested, .initializer: isSimple = true
    default: isSimple = false
    }
    if !isSimple { write("(") }
    try print(index)
    if !isSimple { write(")") }
  }

  private mutating func unary(
    _ symbol: String, _ operand: CxxNode.Index, _ form: CxxNode.Form
  ) throws(TooLarge) {
    switch form {
    case .global:
      write(symbol)
      try print(operand)
    case .parenthesised:
      write(symbol + "(")
      try print(operand)
      write(")")
    case .postfix:
      try subexpression(operand)
      write(symbol)
    case .plain:
      write(symbol)
      // The address of a member function is told without its parameters.
      if symbol == "&", case .encoding(let name, _) = nodes[operand], case .nested = nodes[name] {
        try print(name)
      } else {
        try subexpression(operand)
      }
    }
  }

  private mutating func packSize(_ parts: [CxxNode.Index]) {
    var count = 0
    for part in parts {
      if case .expansion(let pattern) = nodes[part] {
        count += expandedPack(pattern)?.count ?? 1
      } else {
        count += expandedPack(part)?.count ?? 1
      }
    }
    write(String(count))
  }

  private mutating func fold(
    _ kind: Character, _ symbol: String, _ first: CxxNode.Index, _ second: CxxNode.Index?
  ) throws(TooLarge) {
    write("(")
    if kind == "l" { write("..." + symbol) }
    let outer = packIndex
    packIndex = nil
    try subexpression(first)
    if kind == "r" { write(symbol + "...") }
    if let second {
      write(symbol + "..." + symbol)
      try subexpression(second)
    }
    packIndex = outer
    write(")")
  }

  private mutating func literal(_ type: CxxNode.Index, _ value: String) throws(TooLarge) {
    let isNegative = value.hasPrefix("n")
    let digits = isNegative ? "-" + value.dropFirst() : value
    let builtin: String? = try resolving(type) { printer, type throws(TooLarge) in
      if case .text(let name) = printer.nodes[type] { return name }
      return nil
    }
    if let name = builtin {
      switch name {
      case "int": return write(digits)
      case "unsigned int": return write(digits + "u")
      case "long": return write(digits + "l")
      case "unsigned long": return write(digits + "ul")
      case "long long": return write(digits + "ll")
      case "unsigned long long": return write(digits + "ull")
      case "bool" where value == "0": return write("false")
      case "bool" where value == "1": return write("true")
      case "float", "double", "long double", "__float128":
        write("(\(name))[")
        write(digits + "]")
        return
      default: break
      }
    }
    write("(")
    try print(type)
    write(")" + digits)
  }
}
