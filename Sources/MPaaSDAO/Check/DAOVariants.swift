/// The statements that a unit can become, whatever it is called with.
struct DAOVariants {
  /// The greatest number of variants that are tried for one statement.
  static let greatestCount = 4096

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
  /// one element, and two in further variants; an empty one is the caller's choice.
  func statements() throws(DAOError) -> [String] {
    let atoms = DAOAtoms.all(in: unit.nodes)
    var seen: Set<String> = []
    var found: [String] = []
    for itemCount in 1...2 {
      for answers in Self.combinations(of: atoms.count) where found.count < Self.greatestCount {
        guard Self.isPossible(atoms, answers) else { continue }
        var trialScope = scope
        trialScope.trial = DAOTrial(
          answers: Dictionary(zip(atoms, answers)) { first, _ in first }, itemCount: itemCount, column: column)
        guard let statement = try DAOFormatter.statement(unit, trialScope) else { continue }
        if seen.insert(statement.sql).inserted { found.append(statement.sql) }
      }
    }
    return found
  }

  /// True where the unit takes texts of its callers as SQL, so that nothing tells what it becomes.
  var hasRawReferences: Bool { DAONode.haveRawReferences(unit.nodes) }

  /// Answers to `count` questions.
  private static func combinations(of count: Int) -> [[Bool]] {
    if count <= 12 { return (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } } }
    var all: [[Bool]] = []
    for basis in [false, true] {
      all.append([Bool](repeating: basis, count: count))
      for first in 0..<count {
        for second in first..<count where all.count < greatestCount {
          var answers = [Bool](repeating: basis, count: count)
          answers[first] = !basis
          answers[second] = !basis
          all.append(answers)
        }
      }
    }
    return all
  }

  /// Tells whether no value is assumed to be nil and to be something.
  private static func isPossible(_ atoms: [DAOExpression], _ answers: [Bool]) -> Bool {
    var missing: Set<DAOPath> = []
    var solid: Set<DAOPath> = []
    for (atom, isTrue) in zip(atoms, answers) where isTrue {
      if let path = DAOAtoms.nilPath(atom) { missing.insert(path) }
      solid.formUnion(DAOAtoms.solidPaths(atom))
    }
    return missing.isDisjoint(with: solid)
  }
}
