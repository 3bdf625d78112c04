import MPaaSHotpatch

extension LintPass {
  /// Goes through the expressions once; parts come before wholes, and declarations before uses.
  mutating func inferTypes() {
    var locals: [LuaChunk.LocalID: StaticType] = [:]
    for (function, replacement) in replacements {
      guard let signature = replacement.signature else { continue }
      var parameters = chunk.functions[function].parameters
      if replacement.isWax, !parameters.isEmpty {
        let owner = replacement.symbol.split(separator: ".").dropLast().joined(separator: ".")
        if symbols?.types[owner] != nil { locals[parameters.lowerBound] = .value(.object(owner)) }
        parameters = parameters.dropFirst().startIndex..<parameters.upperBound
      }
      for (local, type) in zip(parameters, signature.parameters) { locals[local] = .value(type) }
    }
    types.reserveCapacity(chunk.expressions.count)
    for id in chunk.expressions.indices {
      if case .local(let local) = chunk.expressions[id].kind {
        let known = chunk.locals[local]
        if known.writes > 0 {
          types.append(.unknown)
        } else if let value = known.value, value < id {
          types.append(types[value])
        } else {
          types.append(functionsOfLocals[local] == nil ? locals[local] ?? .unknown : .function)
        }
      } else {
        types.append(type(of: id))
      }
    }
  }

  private func type(of id: ExpressionID) -> StaticType {
    switch chunk.expressions[id].kind {
    case .nil: .nil
    case .true, .false: .boolean
    case .integer: .integer
    case .float(let value): value.rounded() == value || value.isNaN ? .number : .fraction
    case .string: .string
    case .function: .function
    case .table: .table
    case .parenthesised(let inner): types[inner]
    case .unary(let operation, let operand): type(of: operation, types[operand])
    case .binary(let operation, let left, let right): Self.type(of: operation, types[left], types[right])
    case .index(let object, let key, _): element(of: types[object], key: types[key])
    case .call, .method: signature(of: id).map { .value($0.signature.result) } ?? library(id)
    case .local, .global, .vararg: .unknown
    }
  }

  private func type(of operation: LuaChunk.Unary, _ operand: StaticType) -> StaticType {
    switch operation {
    case .not: .boolean
    case .length, .complement: .integer
    case .minus: operand == .integer || operand == .fraction ? operand : .number
    }
  }

  private static func type(
    of operation: LuaChunk.Binary, _ left: StaticType, _ right: StaticType
  ) -> StaticType {
    switch operation {
    case .less, .greater, .lessEqual, .greaterEqual, .equal, .notEqual: .boolean
    case .concat: .string
    case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: .integer
    case .plus, .minus, .multiply, .floorDivide, .modulo: left == .integer && right == .integer ? .integer : .number
    case .divide, .power: .number
    // The choice between the two depends on values; where they are alike it does not matter.
    case .and, .or: left == right && left != .nil ? left : .unknown
    }
  }

  private func element(of object: StaticType, key: StaticType) -> StaticType {
    guard case .value(let type) = object else { return .unknown }
    switch type {
    case .array(let element) where key.group == .number: return .value(.optional(element))
    case .dictionary(let value) where key.group == .string: return .value(.optional(value))
    default: return .unknown
    }
  }

  private func library(_ id: ExpressionID) -> StaticType {
    switch chunk.expressions[id].kind {
    case .call(let callee, _):
      guard let path = paths[callee], globalWrites[path] == nil, LuaEnvironment.givingString.contains(path) else {
        return .unknown
      }
      return .string
    case .method(let object, let name, _):
      let isString = types[object] == .string || types[object] == .value(.string)
      return isString && LuaEnvironment.givingString.contains("string." + chunk.names[name]) ? .string : .unknown
    default: return .unknown
    }
  }

  /// The signature of a call, where the app's symbols say; its arguments without `self`.
  func signature(
    of id: ExpressionID
  ) -> (name: String, signature: SymbolList.Signature, arguments: [ExpressionID])? {
    let expression = chunk.expressions[id]
    switch expression.kind {
    case .call(let callee, let arguments):
      guard let path = paths[callee] else { return nil }
      if path == "ORIG", let around = replacement(around: expression.function), !around.replacement.isWax {
        return around.replacement.signature.map { ("ORIG", $0, Array(items(arguments))) }
      }
      return symbols?.exports[path].map { (path, $0, Array(items(arguments))) }
    case .method(let object, let nameIndex, let arguments):
      let name = chunk.names[nameIndex]
      if name.hasPrefix("ORIG"), let around = replacement(around: expression.function), around.replacement.isWax,
        isSelf(object, of: around.function)
      {
        let owner = around.replacement.symbol.split(separator: ".").dropLast().joined(separator: ".")
        return symbols?.functions[owner + "." + name.dropFirst(4)].map { (name, $0, Array(items(arguments))) }
      }
      guard case .value(let type) = types[object], case .object(let owner) = Self.unwrapped(type),
        let signature = symbols?.types[owner]?[name]
      else { return nil }
      return ("\(owner):\(name)", signature, Array(items(arguments)))
    default: return nil
    }
  }

  static func unwrapped(_ type: ValueType) -> ValueType {
    if case .optional(let wrapped) = type { wrapped } else { type }
  }

  /// Tells whether an expression is the first parameter of a method.
  func isSelf(_ id: ExpressionID, of function: FunctionID) -> Bool {
    guard case .local(let local) = chunk.expressions[id].kind else { return false }
    return local == chunk.functions[function].parameters.first
  }
}
