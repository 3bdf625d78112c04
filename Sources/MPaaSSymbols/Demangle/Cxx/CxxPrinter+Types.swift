extension CxxPrinter {
  /// Writes what stands before a declarator: `int (*` of `int (*)(char)`.
  mutating func left(_ index: CxxNode.Index) throws(TooLarge) {
    try guarded { printer throws(TooLarge) in try printer.unguardedLeft(index) }
  }

  private mutating func unguardedLeft(_ index: CxxNode.Index) throws(TooLarge) {
    switch nodes[index] {
    case .qualified(let inner, let qualifiers):
      try left(inner)
      write(qualifiers.subtracting(try ownQualifiers(inner)).words)
    case .suffixed(let inner, let word):
      try left(inner)
      write(word)
    case .pointer(let inner):
      try opening(inner)
      write("*")
    case .reference(let inner, let isRvalue):
      try reference(inner, isRvalue)
    case .memberPointer(let owner, let member):
      try left(member)
      write(try isFunction(member) ? "(" : isArray(member) ? " (" : " ")
      try print(owner)
      write("::*")
    case .function(let function):
      if let result = function.result {
        try leftOfResult(result)
      }
    case .array(_, let element): try left(element)
    case .vector(let size, let element):
      try left(element)
      write(" __vector(")
      try print(size)
      write(")")
    case .encoding(let name, let function): try encoding(name, function)
    case .wrapped("", let inner, ""): try left(inner)
    case .parameter(let number):
      guard lambdaDepth == 0 else { return write("auto:\(number + 1)") }
      try argument(number) { printer, argument throws(TooLarge) in try printer.left(argument) }
    case .pack(let elements): try list(elements)
    default: try name(index)
    }
  }

  /// Writes what follows a declarator: `)(char)` of `int (*)(char)`.
  mutating func right(_ index: CxxNode.Index) throws(TooLarge) {
    try guarded { printer throws(TooLarge) in try printer.unguardedRight(index) }
  }

  private mutating func unguardedRight(_ index: CxxNode.Index) throws(TooLarge) {
    switch nodes[index] {
    case .qualified(let inner, _), .suffixed(let inner, _), .wrapped("", let inner, ""): try right(inner)
    case .vector(_, let inner): try right(inner)
    case .pointer(let inner), .memberPointer(_, let inner): try closing(inner)
    case .reference(let inner, _):
      // Reference to reference is one reference.
      try resolving(inner) { printer, target throws(TooLarge) in
        if case .reference(let innermost, _) = printer.nodes[target] { return try printer.closing(innermost) }
        try printer.closing(target)
      }
    case .function(let function): try functionRight(function)
    case .array(let size, let element):
      if output.last != UInt8(ascii: "]") { write(" ") }
      write("[")
      if let size { try print(size) }
      write("]")
      try right(element)
    case .parameter(let number) where lambdaDepth == 0:
      try argument(number) { printer, argument throws(TooLarge) in try printer.right(argument) }
    default: break
    }
  }

  /// A result and the space behind it; inside its brackets only where it does not end in one or a star.
  private mutating func leftOfResult(_ result: CxxNode.Index) throws(TooLarge) {
    try left(result)
    let isInside = try isDeclarator(result)
    guard isInside, output.last == UInt8(ascii: "(") || output.last == UInt8(ascii: "*") else { return write(" ") }
  }

  /// The qualifiers that a type has already, an array by its elements.
  private mutating func ownQualifiers(_ index: CxxNode.Index) throws(TooLarge) -> CxxNode.Qualifiers {
    try guarded { printer throws(TooLarge) in
      try printer.resolving(index) { printer, index throws(TooLarge) in
        switch printer.nodes[index] {
        case .qualified(_, let known): return known
        case .array(_, let element): return try printer.ownQualifiers(element)
        default: return []
        }
      }
    }
  }

  private mutating func opening(_ inner: CxxNode.Index) throws(TooLarge) {
    try left(inner)
    if try isArray(inner) {
      write(" (")
    } else if try isFunction(inner) {
      write("(")
    }
  }

  private mutating func closing(_ inner: CxxNode.Index) throws(TooLarge) {
    let isBracketed = try isArray(inner) ? true : try isFunction(inner)
    if isBracketed { write(")") }
    try right(inner)
  }

  private mutating func reference(_ inner: CxxNode.Index, _ isRvalue: Bool) throws(TooLarge) {
    try resolving(inner) { printer, target throws(TooLarge) in
      if case .reference(let innermost, let isInnerRvalue) = printer.nodes[target] {
        try printer.opening(innermost)
        printer.write(isRvalue && isInnerRvalue ? "&&" : "&")
      } else {
        try printer.opening(target)
        printer.write(isRvalue ? "&&" : "&")
      }
    }
  }

  /// Prints what a parameter stands for, in the scope that its arguments were written in.
  private mutating func argument(
    _ number: Int, _ body: (inout CxxPrinter, CxxNode.Index) throws(TooLarge) -> Void
  ) throws(TooLarge) {
    guard let arguments = scopes.last, number < arguments.count else { throw TooLarge() }
    let saved = (scopes, packIndex)
    try body(&self, leave(arguments[number]))
    (scopes, packIndex) = saved
  }

  /// A function: its template arguments are what the parameters in its type stand for.
  private mutating func encoding(_ name: CxxNode.Index, _ function: CxxFunction) throws(TooLarge) {
    let saved = scopes
    if let arguments = ownArguments(name) { scopes.append(arguments) }
    if isShort {
      try print(name)
    } else {
      if let result = function.result {
        try left(result)
        if !(try isDeclarator(result)) { write(" ") }
      }
      try print(name)
      try functionRight(function)
    }
    scopes = saved
  }

  private func ownArguments(_ name: CxxNode.Index) -> [CxxNode.Index]? {
    var name = name
    while case .local(_, let entity) = nodes[name] { name = entity }
    if case .template(_, let arguments) = nodes[name] { return arguments }
    return nil
  }

  /// Tells whether something of the type follows the name.
  private mutating func isDeclarator(_ index: CxxNode.Index) throws(TooLarge) -> Bool {
    try guarded { printer throws(TooLarge) in
      try printer.resolving(index) { printer, index throws(TooLarge) in
        switch printer.nodes[index] {
        case .function, .array: return true
        case .pointer(let inner), .reference(let inner, _), .memberPointer(_, let inner), .qualified(let inner, _):
          return try printer.isDeclarator(inner)
        default: return false
        }
      }
    }
  }

  private mutating func functionRight(_ function: CxxFunction) throws(TooLarge) {
    write("(")
    try list(function.parameters)
    write(")")
    write(function.qualifiers.words)
    write(function.reference)
    write(function.exceptions)
    if !function.exceptionOperands.isEmpty {
      write("(")
      try list(function.exceptionOperands)
      write(")")
    }
    if let result = function.result { try right(result) }
  }
}
