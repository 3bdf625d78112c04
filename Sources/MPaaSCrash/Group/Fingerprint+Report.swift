import MPaaSSupport

extension Fingerprint {
  /// The fingerprint of a report by the classifier's rules.
  package init(_ report: CrashReport, _ classifier: inout FrameClassifier) {
    let exception = report.exceptionKind
    let stack = report.decisiveStack
    var isEntry: [Bool] = []
    var units = Self.units(report, stack, exception, &classifier, &isEntry)
    let own = units.indices.filter { units[$0].verdict.counts }
    let strategy: Strategy
    if let call = Self.systemCall(units, below: own, isEntry) {
      strategy = .system
      units[call].verdict = .counted
    } else if own.contains(where: { units[$0].name != nil }) {
      strategy = .app
      Self.chooseCalls(&units, own, isEntry)
    } else if !own.isEmpty {
      strategy = .modules
      Self.chooseModules(&units)
    } else {
      strategy = Self.chooseSystemCall(&units) ? .system : .none
    }
    var hash = StableHash()
    hash.add(report.kind.rawValue)
    hash.add(exception)
    hash.add(strategy.rawValue)
    // What the system's code alone tells is no one program's.
    if strategy == .none || strategy == .system { hash.add(report.process.name) }
    let counted = units.filter(\.verdict.counts)
    if strategy != .system, !counted.allSatisfy({ $0.name != nil }) || counted.isEmpty {
      hash.add(Self.accessKind(report.exception))
      hash.add(units.first?.module ?? "")
    }
    for key in Self.keys(counted, strategy) {
      hash.add(key.module)
      hash.add(key.name)
    }
    let id = GroupID(hash: hash.value)
    let (group, split) = Self.placed(id, units, report, classifier.rules)
    self.init(
      own: id, group: group, strategy: strategy, exception: exception, stack: stack, units: units, split: split)
  }

  /// The system's call that says most where of the program there is but the entry, which is below every event.
  ///
  /// It is the first with a name that does more than to hand on events; nil where the program, or the entry by itself,
  /// says it all.
  private static func systemCall(_ units: [Unit], below own: [Int], _ isEntry: [Bool]) -> Int? {
    guard let first = own.first, own.allSatisfy({ isEntry[$0] }) else { return nil }
    return units[..<first].firstIndex {
      $0.verdict == .system && $0.name.map { !EventPlumbing.isPlumbing($0) } ?? false
    }
  }

  /// What little else tells crashes without names apart in every build: the very signal, and whether the address was
  /// that of a null pointer.
  private static func accessKind(_ exception: CrashReport.Exception?) -> String {
    guard let exception else { return "" }
    let isNull = exception.address.map { $0 < 4096 } ?? false
    return exception.signal + (isNull ? " null" : "")
  }

  /// The calls of the stack with the verdicts that each has by itself.
  private static func units(
    _ report: CrashReport, _ stack: Int?, _ exception: String, _ classifier: inout FrameClassifier,
    _ isEntry: inout [Bool]
  ) -> [Unit] {
    guard let stack else { return [] }
    var units: [Unit] = []
    var sentinel: (unit: Int, rule: Int)?
    let main = report.mainImage?.path
    var known: (index: Int?, image: CrashReport.Image?, facts: FrameClassifier.ImageFacts)?
    for (index, frame) in report[stack: stack].enumerated() {
      if units.count >= longestStack { break }
      if known == nil || known?.index != frame.image {
        let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
        known = (frame.image, image, classifier.facts(of: image, isMain: image != nil && image?.path == main))
      }
      guard let (_, image, imageFacts) = known else { break }
      for call in frame.calls.isEmpty ? [nil] : frame.calls.indices.map(Optional.some) {
        let facts = classifier.facts(
          call.map { frame.calls[$0] }, in: imageFacts, of: image, exception: exception)
        if let rule = facts.sentinel, sentinel == nil { sentinel = (units.count, rule) }
        units.append(Unit(frame: index, call: call, name: facts.name, module: facts.module, verdict: facts.verdict))
        isEntry.append(facts.isEntry)
      }
    }
    if let sentinel {
      for index in 0..<sentinel.unit { units[index].verdict = .sentinel(rule: sentinel.rule) }
    }
    return units
  }

  private struct Key: Comparable {
    let module: String
    let name: String

    static func < (left: Key, right: Key) -> Bool {
      left.name == right.name ? left.module < right.module : left.name < right.name
    }
  }

  /// A call without a name still counts, as its module with a mark.
  private static func key(_ unit: Unit) -> Key {
    Key(module: unit.module, name: unit.name ?? "?")
  }

  private static func keys(_ counted: [Unit], _ strategy: Strategy) -> [Key] {
    counted.map { strategy == .modules ? Key(module: $0.module, name: "?") : key($0) }
  }

  /// Of the program's own calls, collapses recursion and takes the innermost.
  private static func chooseCalls(_ units: inout [Unit], _ own: [Int], _ isEntry: [Bool]) {
    var own = own
    while own.count > 1, let last = own.last, isEntry[last], own.contains(where: { !isEntry[$0] }) {
      units[last].verdict = .entry
      own.removeLast()
    }
    let keys = own.map { key(units[$0]) }
    let runs = StackCycle.runs(in: keys)
    let deep = runs.first { $0.range.count >= deepRecursion }
    var kept = Set(keys.indices)
    for run in runs {
      let turn = StackCycle.turn(of: run, in: keys)
      for index in run.range where !turn.contains(index) {
        units[own[index]].verdict = .recursion
        kept.remove(index)
      }
    }
    if let deep {
      for index in kept where !deep.range.contains(index) { units[own[index]].verdict = .besideRecursion }
      return
    }
    var taken = 0
    for index in kept.sorted() {
      if taken >= callLimit {
        units[own[index]].verdict = .pastLimit
      } else if units[own[index]].verdict == .counted {
        taken += 1
      }
    }
  }

  /// Takes the modules of the whole stack, the system's too: they are all that is known.
  private static func chooseModules(_ units: inout [Unit]) {
    let usable = units.indices.filter { units[$0].verdict.isModule }
    let modules = usable.map { units[$0].module }
    var kept = Set(usable.indices)
    for run in StackCycle.runs(in: modules) {
      let turn = StackCycle.turn(of: run, in: modules)
      kept.subtract(run.range.filter { !turn.contains($0) })
    }
    let taken = Set(kept.sorted().prefix(moduleLimit))
    for (place, index) in usable.enumerated() {
      units[index].verdict = taken.contains(place) ? .counted : kept.contains(place) ? .pastLimit : .recursion
    }
  }

  /// False where no call says anything: neither a name nor a module.
  private static func chooseSystemCall(_ units: inout [Unit]) -> Bool {
    let usable = units.indices.filter {
      units[$0].verdict.isModule && (units[$0].name != nil || !units[$0].module.isEmpty)
    }
    let beyond = usable.filter { units[$0].verdict != .runtime }
    let chosen =
      beyond.first { units[$0].name.map { !EventPlumbing.isPlumbing($0) } ?? false }
      ?? beyond.first { units[$0].name != nil } ?? beyond.first ?? usable.first
    if let chosen { units[chosen].verdict = .counted }
    return chosen != nil
  }

  /// What the rules make of a group, and what they split it off by.
  package static func placed(
    _ id: GroupID, _ units: [Unit], _ report: CrashReport, _ rules: GroupingRules
  ) -> (GroupID, String?) {
    // The last split of a group counts.
    guard !rules.splits.isEmpty, let split = rules.splits.last(where: { $0.group == id }) else {
      return (rules.merged(id), nil)
    }
    let value: String
    switch split.key {
    case .version: value = report.versionText
    case .system: value = IPSWriter.osVersion(report.system)
    case .device: value = report.system.model ?? ""
    case .frame(let number):
      let own = units.filter { $0.verdict.isOwn }
      value = own.indices.contains(number - 1) ? "\(own[number - 1].module) \(own[number - 1].name ?? "?")" : ""
    }
    var hash = StableHash()
    hash.add(id.description)
    hash.add(split.key.words)
    hash.add(value)
    return (rules.merged(GroupID(hash: hash.value)), "\(split.key.words): \(value.isEmpty ? "–" : value)")
  }
}

extension Fingerprint.Verdict {
  /// Whether the call's module says where the stack was.
  fileprivate var isModule: Bool {
    switch self {
    case .counted, .prefix, .runtime, .system, .notApp: true
    default: false
    }
  }

  /// Whether the call is the program's own, counted or past those that count.
  fileprivate var isOwn: Bool {
    switch self {
    case .counted, .prefix, .pastLimit, .entry, .besideRecursion: true
    default: false
    }
  }
}

extension CrashReport {
  /// The version of the program; of a Sentry event that tells no other, its release.
  package var versionText: String {
    let own = application.versionText
    return own.isEmpty ? extra["sentry"]?.object?["release"]?.string ?? "" : own
  }
}

extension CrashReport.Application {
  /// `1.2 (34)`; empty where neither is known.
  package var versionText: String {
    switch (version, build) {
    case (let version?, let build?): "\(version) (\(build))"
    case (let version?, nil): version
    case (nil, let build?): "(\(build))"
    case (nil, nil): ""
    }
  }
}

/// A hash that is the same in every run and on every machine (FNV-1a, mixed at the end).
///
/// Each part is closed by a byte that UTF-8 does not have, so that no two sequences of parts give the same bytes.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  package var value: UInt64 {
    var value = state
    value = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
    value = (value ^ (value >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return value ^ (value >> 33)
  }
}
