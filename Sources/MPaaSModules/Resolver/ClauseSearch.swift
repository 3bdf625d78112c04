/// A search for a state of each module under which all clauses hold.
///
/// It is PubGrub's unit propagation and learning by resolution over sets of states (Weizenbaum, 2018), with what
/// solvers of Boolean formulas do when that is not enough: two watched terms, learning up to the first unique
/// implication point (GRASP, Chaff), choice by activity and restarts (MiniSat). What is asked for stands as assumptions
/// at level 1, so everything learned holds without it, and one search answers for many sets of roots.
struct ClauseSearch: Sendable {
  enum Verdict {
    case satisfied
    /// The places of the assumptions that cannot hold together.
    case refuted([Int])
    /// It came to the bound of its steps or memory.
    case exhausted
    case outOfTime
  }

  /// The bounds of a search.
  struct Limits: Sendable {
    /// Says that the time is over.
    var isOutOfTime: @Sendable () -> Bool = { false }
    /// The number of contradictions that it meets before it gives up.
    var conflicts = 3_000_000
    /// The number of contradictions that it meets before it turns from the natural order to the most contested modules.
    var patience = 200
    /// Bytes that clauses may take.
    var memory = 150_000_000
  }

  /// A term: the module, and where the set of its states begins among all sets.
  struct Literal {
    let module: Int32
    let set: Int32
  }

  struct Clause {
    let start: Int32
    let count: Int32
    var activity: Float
  }

  /// A clause that has to be looked at when a module's states become fewer.
  struct Watch {
    let clause: Int32
    /// The beginning of the watched term's set, and its first word, which is mostly all of it.
    let set: Int32
    let word: UInt64
  }

  /// One narrowing of one module's states.
  struct Step {
    let module: Int32
    /// The clause that forced it, or why there is none.
    let reason: Int32
    /// The step before it of the same module; -1 where there is none.
    let previous: Int32
    /// The beginning in `stepWords` of the states that are left.
    let words: Int32
    let level: Int32
  }

  static let decision: Int32 = -1
  /// Reasons from here down are assumptions.
  static let assumption: Int32 = -2

  let encoding: ClauseEncoding
  var limits = Limits()
  /// Tells whether it remembers what each learned clause came from.
  let keepsProof: Bool

  // Modules
  let offsets: [Int]
  let widths: [Int]
  /// The states that are left to each module.
  var domains: [UInt64]
  let fullDomains: [UInt64]
  var latest: [Int32]
  var activity: [Double]
  var increment = 1.0
  /// The state that each module had last, which a restarted search takes up again.
  var saved: [Int32]

  // Clauses; those of the registry come first, then those learned.
  var clauses: [Clause] = []
  var literals: [Literal] = []
  var sets: [UInt64] = []
  var watches: [[Watch]]
  /// The clauses of one term, which nothing has to watch.
  var units: [Int32] = []
  private var assertedUnits = 0
  var axiomCount = 0
  /// The sources of each learned clause, and of the last refutation; only where proofs are kept.
  var sources: [[Int32]] = []
  var proof: [Int32] = []
  var clauseIncrement: Float = 1
  var learnedLimit = 4000

  // Trail
  var steps: [Step] = []
  var stepWords: [UInt64] = []
  var head = 0
  var levels: [Int32] = []
  var conflicts = 0
  var propagations = 0
  /// Tells whether some clause of the registry cannot hold by itself.
  var isBroken = false

  // Scratch of the analysis
  var pending: [UInt64]
  var isPending: [Bool]
  var members: [Int32] = []
  var satisfiers: [Int32]
  var used: [Int32] = []
  var usedAssumptions: [Int] = []

  private(set) var solution: [Int] = []

  init(_ encoding: ClauseEncoding, keepsProof: Bool = false) {
    self.encoding = encoding
    self.keepsProof = keepsProof
    widths = encoding.widths
    var offsets: [Int] = []
    var full: [UInt64] = []
    for (module, width) in encoding.widths.enumerated() {
      offsets.append(full.count)
      full += StateSet(width: width).complement(last: encoding.counts[module]).words
    }
    self.offsets = offsets
    fullDomains = full
    domains = full
    let count = encoding.widths.count
    latest = [Int32](repeating: -1, count: count)
    activity = [Double](repeating: 0, count: count)
    saved = [Int32](repeating: 0, count: count)
    watches = [[Watch]](repeating: [], count: count)
    pending = [UInt64](repeating: 0, count: full.count)
    isPending = [Bool](repeating: false, count: count)
    satisfiers = [Int32](repeating: -1, count: count)
    axiomCount = encoding.clauses.count
    for clause in encoding.clauses { addAxiom(clause) }
    assertUnits()
  }

  /// Draws the consequences of all clauses of one term, at level 0.
  private mutating func assertUnits() {
    for unit in units[assertedUnits...] where !isBroken {
      isBroken = !narrow(literals[Int(clauses[Int(unit)].start)], reason: unit)
    }
    assertedUnits = units.count
    if !isBroken { isBroken = propagate() >= 0 }
  }

  private mutating func addAxiom(_ clause: ClauseEncoding.Clause) {
    let start = literals.count
    for term in clause.terms {
      literals.append(Literal(module: Int32(term.module), set: Int32(sets.count)))
      sets += term.states.words
    }
    let number = Int32(clauses.count)
    clauses.append(Clause(start: Int32(start), count: Int32(clause.terms.count), activity: 0))
    if clause.terms.count == 1 {
      units.append(number)
    } else {
      watch(number, literals[start])
      watch(number, literals[start + 1])
    }
  }

  mutating func watch(_ clause: Int32, _ literal: Literal) {
    watches[Int(literal.module)].append(
      Watch(clause: clause, set: literal.set, word: sets[Int(literal.set)]))
  }

  // MARK: - Searching

  /// Searches for states under which all of `assumptions` hold too.
  mutating func solve(_ assumptions: [ClauseTerm]) throws(ModuleError) -> Verdict {
    backtrack(to: 0)
    if !isBroken { assertUnits() }
    guard !isBroken else { return .refuted([]) }
    levels.append(Int32(steps.count))
    if let core = assume(assumptions) { return .refuted(core) }
    let start = conflicts
    var restart = Restarts()
    while true {
      let conflict = propagate()
      if conflict >= 0 {
        conflicts += 1
        guard conflicts - start < limits.conflicts, memory < limits.memory else { return .exhausted }
        if limits.isOutOfTime() { return .outOfTime }
        guard levels.count > 1, learn(conflict) else { return .refuted(refutation(conflict)) }
        continue
      }
      if conflicts - start > limits.patience, restart.isDue(conflicts) {
        backtrack(to: 1)
        if clauses.count - axiomCount > learnedLimit, !keepsProof {
          forgetHalf()
          learnedLimit += learnedLimit / 10
        }
      }
      guard let module = nextModule(isDeep: conflicts - start > limits.patience) else { break }
      decide(module)
    }
    solution = domains(at: offsets)
    return .satisfied
  }

  /// The modules that took part in most of the recent contradictions, at most so many.
  func contested(_ count: Int) -> [Int] {
    Array(
      activity.indices.filter { activity[$0] > 0 }.sorted { (activity[$1], $0) < (activity[$0], $1) }.prefix(count))
  }

  /// The bytes that clauses and watches take, nearly.
  private var memory: Int { clauses.count * 60 + literals.count * 8 + sets.count * 8 }

  private func domains(at offsets: [Int]) -> [Int] {
    widths.indices.map { module in
      if domains[offsets[module]] & 1 != 0 { return 0 }
      return firstState(of: module, skippingAbsence: true)
    }
  }

  private mutating func assume(_ assumptions: [ClauseTerm]) -> [Int]? {
    for (number, term) in assumptions.enumerated() {
      let literal = Literal(module: Int32(term.module), set: Int32(sets.count))
      sets += term.states.words
      guard narrow(literal, reason: Self.assumption - Int32(number)) else {
        beginAnalysis()
        add(literal)
        usedAssumptions.append(number)
        return finish()
      }
      assumed.append(literal)
    }
    return nil
  }

  /// The literals of the assumptions in force.
  var assumed: [Literal] = []

  /// Chooses among the modules that are open.
  private func nextModule(isDeep: Bool) -> Int? {
    guard isDeep else {
      return encoding.order.first { isRequired($0) && !isSettled($0) }
    }
    var best: Int?
    var highest = -1.0
    for module in encoding.order where activity[module] > highest && isOpen(module) {
      best = module
      highest = activity[module]
    }
    return best
  }

  private func isRequired(_ module: Int) -> Bool { domains[offsets[module]] & 1 == 0 }

  /// Tells whether one state is left.
  private func isSettled(_ module: Int) -> Bool {
    let offset = offsets[module]
    var found = false
    for word in domains[offset..<offset + widths[module]] where word != 0 {
      if found || word & (word &- 1) != 0 { return false }
      found = true
    }
    return true
  }

  /// Tells whether something is left to choose: of modules that are not needed, only those that took part in
  /// contradictions.
  private func isOpen(_ module: Int) -> Bool {
    if isRequired(module) { return !isSettled(module) }
    guard activity[module] > 0 else { return false }
    let offset = offsets[module]
    var found = false
    for index in offset..<offset + widths[module] {
      let word = index == offset ? domains[index] & ~1 : domains[index]
      if word == 0 { continue }
      if found || word & (word &- 1) != 0 { return true }
      found = true
    }
    return false
  }

  private func firstState(of module: Int, skippingAbsence: Bool) -> Int {
    let offset = offsets[module]
    for index in 0..<widths[module] {
      let word = index == 0 && skippingAbsence ? domains[offset] & ~1 : domains[offset + index]
      if word != 0 { return index << 6 + word.trailingZeroBitCount }
    }
    return 0
  }

  private func allows(_ module: Int, _ state: Int) -> Bool {
    domains[offsets[module] + state >> 6] & (1 << UInt64(state & 63)) != 0
  }

  /// Gives a module its favourite state, without asking for it where no other module does.
  private mutating func decide(_ module: Int) {
    var state = encoding.favourites[module].first { allows(module, $0) }
    let last = Int(saved[module])
    if state == nil, last > 0, conflicts > limits.patience, allows(module, last) { state = last }
    let chosen = state ?? firstState(of: module, skippingAbsence: true)
    saved[module] = Int32(chosen)
    levels.append(Int32(steps.count))
    let words = stepWords.count
    let offset = offsets[module]
    for index in 0..<widths[module] {
      var word: UInt64 = index == 0 ? domains[offset] & 1 : 0
      if chosen >> 6 == index { word |= 1 << UInt64(chosen & 63) }
      stepWords.append(word)
      domains[offset + index] = word
    }
    append(module, words, Self.decision)
  }

  // MARK: - Narrowing

  private mutating func append(_ module: Int, _ words: Int, _ reason: Int32) {
    steps.append(
      Step(
        module: Int32(module), reason: reason, previous: latest[module], words: Int32(words),
        level: Int32(levels.count)))
    latest[module] = Int32(steps.count - 1)
  }

  /// Lets only the states of a term be; false where none of them is left.
  mutating func narrow(_ literal: Literal, reason: Int32) -> Bool {
    let module = Int(literal.module), offset = offsets[module], set = Int(literal.set)
    var some: UInt64 = 0, changed: UInt64 = 0
    for index in 0..<widths[module] {
      let old = domains[offset + index]
      some |= old & sets[set + index]
      changed |= old & ~sets[set + index]
    }
    guard some != 0 else { return false }
    guard changed != 0 else { return true }
    let words = stepWords.count
    for index in 0..<widths[module] {
      let word = domains[offset + index] & sets[set + index]
      stepWords.append(word)
      domains[offset + index] = word
    }
    append(module, words, reason)
    return true
  }

  /// Tells whether no state of the term is left.
  func isFalse(_ literal: Literal) -> Bool {
    let offset = offsets[Int(literal.module)], set = Int(literal.set)
    for index in 0..<widths[Int(literal.module)] where domains[offset + index] & sets[set + index] != 0 { return false }
    return true
  }

  /// Tells whether only states of the term are left.
  private func isTrue(_ literal: Literal) -> Bool {
    let offset = offsets[Int(literal.module)], set = Int(literal.set)
    for index in 0..<widths[Int(literal.module)] where domains[offset + index] & ~sets[set + index] != 0 {
      return false
    }
    return true
  }

  /// Draws all consequences; the clause that cannot hold any more, or -1.
  mutating func propagate() -> Int32 {
    while head < steps.count {
      let module = Int(steps[head].module)
      head += 1
      let conflict = visit(module)
      if conflict >= 0 { return conflict }
    }
    return -1
  }

  private mutating func visit(_ module: Int) -> Int32 {
    var list: [Watch] = []
    swap(&list, &watches[module])
    defer { swap(&list, &watches[module]) }
    let offset = offsets[module], isWide = widths[module] > 1
    var kept = 0, index = 0
    while index < list.count {
      let watch = list[index]
      index += 1
      let holds =
        domains[offset] & watch.word != 0
        || (isWide && !isFalse(Literal(module: Int32(module), set: watch.set)))
      if holds {
        list[kept] = watch
        kept += 1
        continue
      }
      propagations += 1
      let start = Int(clauses[Int(watch.clause)].start)
      if Int(literals[start].module) == module { literals.swapAt(start, start + 1) }
      let other = literals[start]
      if isTrue(other) || !moveWatch(watch.clause, start) {
        list[kept] = watch
        kept += 1
        if !narrow(other, reason: watch.clause) {
          while index < list.count {
            list[kept] = list[index]
            kept += 1
            index += 1
          }
          list.removeLast(list.count - kept)
          return watch.clause
        }
      }
    }
    list.removeLast(list.count - kept)
    return -1
  }

  /// Watches another term of the clause instead of its second; false where all others have no state left.
  private mutating func moveWatch(_ clause: Int32, _ start: Int) -> Bool {
    var place = start + 2
    let end = start + Int(clauses[Int(clause)].count)
    while place < end {
      if !isFalse(literals[place]) {
        literals.swapAt(start + 1, place)
        watch(clause, literals[start + 1])
        return true
      }
      place += 1
    }
    return false
  }

  /// Takes back all steps above a level.
  mutating func backtrack(to level: Int) {
    if level == 0 { assumed = [] }
    guard levels.count > level else { return }
    let end = Int(levels[level])
    while steps.count > end {
      let step = steps.removeLast()
      let module = Int(step.module), offset = offsets[module]
      latest[module] = step.previous
      let width = widths[module]
      if step.previous >= 0 {
        let words = Int(steps[Int(step.previous)].words)
        for index in 0..<width { domains[offset + index] = stepWords[words + index] }
      } else {
        for index in 0..<width { domains[offset + index] = fullDomains[offset + index] }
      }
      stepWords.removeLast(width)
    }
    levels.removeLast(levels.count - level)
    head = min(head, steps.count)
  }
}
