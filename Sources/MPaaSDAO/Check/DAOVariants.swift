/// The statements that a unit can become, whatever it is called with.
struct DAOVariants {
  /// The greatest number of variants that are tried for one statement.
  static let greatestCount = 4096
  /// The work for all statements of a document, in bytes that are written and conditions that are answered.
  static let allWork = 32 << 20

  private let unit: DAOUnit
  private let scope: DAOScope
  private let column: String

  init(_ unit: DAOUnit, _ scope: DAOScope, column: String) {
    self.unit = unit
    self.scope = scope
    self.column = column
  }

  /// The SQL of all variants, each once.
  ///
  /// They are all combinations of conditions where there are few, and all pairs of answers otherwise. Collections have
  /// one element, and two in further variants; an empty one is the caller's choice. Where that is more than a quarter of
  /// the work, the variants are the first ones only.
  ///
  /// - Parameter work: What may still be done for this unit and for those behind it.
  func statements(within work: inout Int) throws(DAOError) -> [String] {
    let atoms = DAOAtoms.all(in: unit.nodes)
    let numbers = Dictionary(zip(atoms, atoms.indices)) { first, _ in first }
    let nils = DAONilAnswers(atoms)
    let cost = 256 + DAONode.size(unit.nodes) + 8 * atoms.count
    let itemCounts = DAONode.haveLoops(unit.nodes) ? 1...2 : 1...1
    let limit = max(4, min(2 * Self.greatestCount, work / 4 / cost / itemCounts.count))
    var seen: Set<String> = []
    var found: [String] = []
    for itemCount in itemCounts {
      try DAOAnswers(count: atoms.count, limit: limit).forEach { answers throws(DAOError) in
        work -= cost
        guard found.count < Self.greatestCount, nils.arePossible(answers) else { return }
        var trialScope = scope
        trialScope.trial = DAOTrial(numbers: numbers, answers: answers, itemCount: itemCount, column: column)
        guard let statement = try DAOFormatter.statement(unit, trialScope) else { return }
        if seen.insert(statement.sql).inserted { found.append(statement.sql) }
      }
    }
    return found
  }

  /// True where the unit takes texts of its callers as SQL, so that nothing tells what it becomes.
  var hasRawReferences: Bool { DAONode.haveRawReferences(unit.nodes) }
}

/// Answers to a number of questions: all combinations, or those in which at most two are unlike the others.
struct DAOAnswers {
  let count: Int
  /// The greatest number of combinations.
  let limit: Int

  func forEach(_ body: ([Bool]) throws(DAOError) -> Void) throws(DAOError) {
    if count <= 12, 1 << count <= limit {
      for bits in 0..<1 << count { try body((0..<count).map { bits >> $0 & 1 == 1 }) }
      return
    }
    var left = limit
    for changed in 0...2 {
      for basis in [false, true] {
        guard try forEach(basis, changed, &left, body) else { return }
      }
    }
  }

  /// The combinations in which `changed` answers are not `basis`.
  ///
  /// - Returns: False once there are enough.
  private func forEach(
    _ basis: Bool, _ changed: Int, _ left: inout Int, _ body: ([Bool]) throws(DAOError) -> Void
  ) throws(DAOError) -> Bool {
    var answers = [Bool](repeating: basis, count: count)
    for first in changed == 0 ? 0..<1 : 0..<count {
      for second in changed == 2 ? first + 1..<count : first..<first + 1 {
        guard left > 0 else { return false }
        left -= 1
        if changed > 0 { answers[first] = !basis }
        if changed > 1 { answers[second] = !basis }
        try body(answers)
        if changed > 0 { answers[first] = basis }
        if changed > 1 { answers[second] = basis }
      }
    }
    return true
  }
}

/// The answers that assume a value to be nil, and those that assume it to be something.
struct DAONilAnswers {
  /// For each question the path that is nil where it is answered with yes, as a number.
  private var missing: [Int?] = []
  /// For each question the paths that are not nil where it is answered with yes.
  private var solid: [[Int]] = []
  private var count = 0

  init(_ atoms: [DAOExpression]) {
    var numbers: [DAOPath: Int] = [:]
    for path in atoms.compactMap(DAOAtoms.nilPath) where numbers[path] == nil { numbers[path] = numbers.count }
    count = numbers.count
    let lengths = Set(numbers.keys.map(\.properties.count))
    for atom in atoms {
      missing.append(DAOAtoms.nilPath(atom).flatMap { numbers[$0] })
      solid.append(DAOAtoms.solidPaths(atom, lengths).compactMap { numbers[$0] })
    }
  }

  /// Tells whether no value is assumed to be nil and to be something.
  func arePossible(_ answers: [Bool]) -> Bool {
    guard count > 0 else { return true }
    var isMissing = [Bool](repeating: false, count: count)
    for (path, isTrue) in zip(missing, answers) where isTrue { if let path { isMissing[path] = true } }
    return !zip(solid, answers).contains { paths, isTrue in isTrue && paths.contains { isMissing[$0] } }
  }
}
