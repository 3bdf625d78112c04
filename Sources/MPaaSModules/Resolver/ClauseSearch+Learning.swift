/// The lesson of a contradiction: resolution back to the first unique implication point.
extension ClauseSearch {
  /// Learns from a clause that cannot hold, and goes back to where that would have helped.
  ///
  /// - Returns: Whether there was something to go back to; if not, the assumptions themselves contradict each other.
  mutating func learn(_ conflict: Int32) -> Bool {
    beginAnalysis()
    use(conflict)
    guard let top = highest(), steps[Int(satisfiers[top])].level > 1 else { return false }
    let level = steps[Int(satisfiers[top])].level
    var current = top
    while openCount(at: level) > 1 {
      resolve(current)
      guard let next = highest() else { return false }
      current = next
    }
    guard steps[Int(satisfiers[current])].level > 1 else { return false }
    keep(asserting: current)
    activityDecay()
    return true
  }

  mutating func beginAnalysis() {
    for member in members {
      isPending[Int(member)] = false
      let offset = offsets[Int(member)]
      for index in 0..<widths[Int(member)] { pending[offset + index] = 0 }
    }
    members.removeAll(keepingCapacity: true)
    used.removeAll(keepingCapacity: true)
    usedAssumptions.removeAll(keepingCapacity: true)
  }

  /// Adds all terms of a clause.
  private mutating func use(_ clause: Int32) {
    used.append(clause)
    if Int(clause) >= axiomCount { bump(clause) }
    let start = Int(clauses[Int(clause)].start), end = start + Int(clauses[Int(clause)].count)
    for place in start..<end { add(literals[place]) }
  }

  /// Adds a term whose states are all gone.
  mutating func add(_ literal: Literal) {
    let module = Int(literal.module), offset = offsets[module], set = Int(literal.set)
    for index in 0..<widths[module] { pending[offset + index] |= sets[set + index] }
    note(module)
  }

  /// Finds the step that took the last state of a pending term; a term that never had one is left out.
  private mutating func note(_ module: Int) {
    var step = latest[module]
    while step >= 0 {
      let before = steps[Int(step)].previous
      guard isGone(module, after: before) else { break }
      step = before
    }
    let offset = offsets[module]
    let isEmpty = (0..<widths[module]).allSatisfy { pending[offset + $0] & fullDomains[offset + $0] == 0 }
    // A state that never holds, whoever asks, need not be said again but in a proof.
    let isDropped = isEmpty || (!keepsProof && step >= 0 && steps[Int(step)].level == 0)
    if isDropped {
      for index in 0..<widths[module] { pending[offset + index] = 0 }
      if isPending[module] {
        isPending[module] = false
        members.removeAll { $0 == Int32(module) }
      }
      return
    }
    satisfiers[module] = step
    guard !isPending[module] else { return }
    isPending[module] = true
    members.append(Int32(module))
    bumpModule(module)
  }

  /// Tells whether the pending states of a module were all gone after a step.
  private func isGone(_ module: Int, after step: Int32) -> Bool {
    let offset = offsets[module]
    if step < 0 {
      for index in 0..<widths[module] where pending[offset + index] & fullDomains[offset + index] != 0 { return false }
    } else {
      let words = Int(steps[Int(step)].words)
      for index in 0..<widths[module] where pending[offset + index] & stepWords[words + index] != 0 { return false }
    }
    return true
  }

  private func highest() -> Int? {
    var best: Int?
    var step: Int32 = -1
    for member in members where satisfiers[Int(member)] > step {
      best = Int(member)
      step = satisfiers[Int(member)]
    }
    return best
  }

  private func openCount(at level: Int32) -> Int {
    var count = 0
    for member in members where steps[Int(satisfiers[Int(member)])].level == level { count += 1 }
    return count
  }

  /// Resolves the pending clause with the reason of the step that took a module's last pending state.
  private mutating func resolve(_ module: Int) {
    let step = steps[Int(satisfiers[module])]
    let offset = offsets[module]
    if step.reason <= Self.assumption {
      let number = Int(Self.assumption - step.reason)
      usedAssumptions.append(number)
      narrowPending(module, offset, Int(assumed[number].set))
    } else {
      let clause = Int(step.reason)
      used.append(step.reason)
      if clause >= axiomCount { bump(step.reason) }
      let start = Int(clauses[clause].start), end = start + Int(clauses[clause].count)
      for place in start..<end {
        if Int(literals[place].module) == module {
          narrowPending(module, offset, Int(literals[place].set))
        } else {
          add(literals[place])
        }
      }
    }
    note(module)
  }

  private mutating func narrowPending(_ module: Int, _ offset: Int, _ set: Int) {
    for index in 0..<widths[module] { pending[offset + index] &= sets[set + index] }
  }

  /// Resolves everything away that is left, down to the registry and the assumptions.
  mutating func finish() -> [Int] {
    while let module = highest() { resolve(module) }
    if keepsProof { proof = used }
    return Set(usedAssumptions).sorted()
  }

  /// The assumptions that a clause which cannot hold at their level rests on.
  mutating func refutation(_ conflict: Int32) -> [Int] {
    beginAnalysis()
    use(conflict)
    return finish()
  }

  /// Goes back, keeps the pending clause and draws its first consequence.
  private mutating func keep(asserting module: Int) {
    var second: Int?
    var back: Int32 = 1
    for member in members where Int(member) != module {
      let level = steps[Int(satisfiers[Int(member)])].level
      if second == nil || level > back || satisfiers[Int(member)] > satisfiers[second ?? 0] { second = Int(member) }
      back = max(back, level)
    }
    let start = literals.count
    store(module)
    if let second { store(second) }
    for member in members where Int(member) != module && Int(member) != second { store(Int(member)) }
    let number = Int32(clauses.count)
    clauses.append(Clause(start: Int32(start), count: Int32(members.count), activity: clauseIncrement))
    if keepsProof { sources.append(used) }
    backtrack(to: Int(back))
    if members.count > 1 {
      watch(number, literals[start])
      watch(number, literals[start + 1])
    } else {
      units.append(number)
    }
    _ = narrow(literals[start], reason: number)
  }

  private mutating func store(_ module: Int) {
    literals.append(Literal(module: Int32(module), set: Int32(sets.count)))
    let offset = offsets[module]
    for index in 0..<widths[module] { sets.append(pending[offset + index]) }
  }

  // MARK: - Activity

  private mutating func bumpModule(_ module: Int) {
    activity[module] += increment
    guard activity[module] > 1e100 else { return }
    for index in activity.indices { activity[index] *= 1e-100 }
    increment *= 1e-100
  }

  private mutating func bump(_ clause: Int32) {
    clauses[Int(clause)].activity += clauseIncrement
    guard clauses[Int(clause)].activity > 1e20 else { return }
    for index in axiomCount..<clauses.count { clauses[index].activity *= 1e-20 }
    clauseIncrement *= 1e-20
  }

  private mutating func activityDecay() {
    increment /= 0.95
    clauseIncrement /= 0.999
  }

  // MARK: - Forgetting

  /// Forgets the half of what was learned that helped least; it could be learned again.
  ///
  /// It is called at level 1, where few steps have reasons.
  mutating func forgetHalf() {
    var isReason = [Bool](repeating: false, count: clauses.count)
    for step in steps where step.reason >= 0 { isReason[Int(step.reason)] = true }
    let learned = (axiomCount..<clauses.count).sorted { clauses[$0].activity > clauses[$1].activity }
    var isKept = [Bool](repeating: true, count: clauses.count)
    for number in learned.dropFirst(learned.count / 2) where clauses[number].count > 2 && !isReason[number] {
      isKept[number] = false
    }
    compact(isKept)
  }

  private mutating func compact(_ isKept: [Bool]) {
    var numbers = [Int32](repeating: -1, count: clauses.count)
    var newClauses: [Clause] = [], newLiterals: [Literal] = [], newSets: [UInt64] = []
    for (number, clause) in clauses.enumerated() where isKept[number] {
      numbers[number] = Int32(newClauses.count)
      newClauses.append(Clause(start: Int32(newLiterals.count), count: clause.count, activity: clause.activity))
      for place in Int(clause.start)..<Int(clause.start) + Int(clause.count) {
        newLiterals.append(moved(literals[place], into: &newSets))
      }
    }
    assumed = assumed.map { moved($0, into: &newSets) }
    units = units.map { numbers[Int($0)] }
    steps = steps.map { step in
      Step(
        module: step.module, reason: step.reason >= 0 ? numbers[Int(step.reason)] : step.reason,
        previous: step.previous, words: step.words, level: step.level)
    }
    clauses = newClauses
    literals = newLiterals
    sets = newSets
    for module in watches.indices { watches[module].removeAll(keepingCapacity: true) }
    for (number, clause) in clauses.enumerated() where clause.count > 1 {
      watch(Int32(number), literals[Int(clause.start)])
      watch(Int32(number), literals[Int(clause.start) + 1])
    }
  }

  private func moved(_ literal: Literal, into newSets: inout [UInt64]) -> Literal {
    let set = Int32(newSets.count)
    newSets += sets[Int(literal.set)..<Int(literal.set) + widths[Int(literal.module)]]
    return Literal(module: literal.module, set: set)
  }
}
