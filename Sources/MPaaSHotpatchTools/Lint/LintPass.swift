import MPaaSHotpatch

/// One program on its way through the rules: what was found out about it, and what was found in it.
struct LintPass {
  typealias ExpressionID = LuaChunk.ExpressionID
  typealias FunctionID = LuaChunk.FunctionID

  /// So many findings are told of a file at most.
  static let mostFindings = 10_000

  /// A function that takes the place of one of the app's.
  struct Replacement {
    /// `Cart.total`.
    var symbol: String
    var signature: SymbolList.Signature?
    /// Tells whether it is defined behind `waxClass`, and so has `self` in front of the app's parameters.
    var isWax: Bool
    /// The place of the symbol's name.
    var range: Range<Int>
  }

  let chunk: LuaChunk
  let symbols: SymbolList?
  /// The modules of the patch; nil where they are not known.
  let modules: Set<String>?
  /// Globals that other files of the patch mention.
  let globalsElsewhere: Set<String>

  var replacements: [FunctionID: Replacement] = [:]
  /// The calls of `waxClass`, in order, and for which class.
  var classes: [(offset: Int, name: String)] = []
  /// Functions that locals hold for good.
  var functionsOfLocals: [LuaChunk.LocalID: FunctionID] = [:]
  /// Dotted names of globals and their fields, by expression: `string.rep`.
  var paths: [String?]
  /// Expressions that are only the front of a longer dotted name.
  var fronts: [Bool]
  /// Globals that the program writes, with the expressions.
  var globalWrites: [String: [ExpressionID]] = [:]
  /// The mentions of globals, by name.
  var globalUses: [String: [ExpressionID]] = [:]
  /// Globals that become methods of a class where they are written.
  var methodTargets: Set<ExpressionID> = []
  var methodNames: Set<String> = []
  /// The statements that write one global each, by what they write.
  var writers: [ExpressionID: Int] = [:]
  /// Names of exports and what their names begin with.
  var exportPaths: Set<String> = []
  /// The name that somebody who wrote an unknown name most likely meant; an empty text for nothing.
  var nearNames: [String: String] = [:]
  /// Calls, by the field that they call.
  var callsByCallee: [ExpressionID: ExpressionID] = [:]
  /// The offsets of calls, sorted.
  var callOffsets: [Int] = []
  /// By expression.
  var types: [StaticType] = []
  var findings: [LintFinding] = []

  init(_ chunk: LuaChunk, symbols: SymbolList?, modules: Set<String>?, globalsElsewhere: Set<String>) {
    self.chunk = chunk
    self.symbols = symbols
    self.modules = modules
    self.globalsElsewhere = globalsElsewhere
    paths = Array(repeating: nil, count: chunk.expressions.count)
    fronts = Array(repeating: false, count: chunk.expressions.count)
  }

  mutating func run() {
    findPaths()
    findReplacements()
    inferTypes()
    checkGlobals()
    checkReplacements()
    checkCalls()
    checkReturns()
    checkFlow()
    checkComparisons()
    checkLocals()
    checkLineEnds()
  }

  mutating func add(
    _ rule: LintRule, _ severity: LintSeverity, _ range: Range<Int>, _ values: [String: String] = [:],
    variant: String? = nil, fix: LintFix? = nil
  ) {
    guard hasRoom else { return }
    findings.append(
      LintFinding(rule, severity, chunk.source, range, values, variant: variant, fix: fix))
  }

  /// Tells whether there is room for more findings; without, looking for them is pointless.
  var hasRoom: Bool { findings.count < Self.mostFindings }

  /// Expressions of a list.
  func items(_ range: Range<Int>) -> ArraySlice<Int> { chunk.lists[range] }

  /// The replacement that a function is part of, and the function that is the replacement.
  func replacement(around function: FunctionID) -> (function: FunctionID, replacement: Replacement)? {
    var current: FunctionID? = function
    while let id = current {
      if let found = replacements[id] { return (id, found) }
      current = chunk.functions[id].parent
    }
    return nil
  }

  /// The class that functions defined at `offset` belong to; nil before `waxClass`.
  func waxClass(at offset: Int) -> String? {
    classes.last { $0.offset < offset }?.name
  }

  /// Tells whether an expression may give more than one value, or none.
  func isOpen(_ id: ExpressionID) -> Bool {
    switch chunk.expressions[id].kind {
    case .call, .method, .vararg: true
    default: false
    }
  }
}

extension LintFinding {
  init(
    _ rule: LintRule, _ severity: LintSeverity, _ source: LuaSource, _ range: Range<Int>,
    _ values: [String: String] = [:], variant: String? = nil, fix: LintFix? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.variant = variant
    self.values = values
    self.range = range
    self.fix = fix
    file = source.name
    start = source.position(of: range.lowerBound)
    end = source.position(of: range.upperBound)
  }
}
