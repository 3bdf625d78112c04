package import MPaaSCrashReport
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
      Self.chooseCalls(&units, own, isEntry, stack.map { report[stack: $0] } ?? [])
    } else if !own.isEmpty {
      strategy = .modules
      Self.chooseModules(&units, stack.map { report[stack: $0] } ?? [])
    } else {
      strategy = Self.chooseSystemCall(&units) ? .system : .none
    }
    var hash = StableHash()
    hash.add(report.kind.rawValue)
    hash.add(Self.comparedKind(exception, units))
    hash.add(strategy.rawValue)
    // The program's identifier says more than its calls where they have no names; its file's name may be any.
    if strategy != .app { hash.add(report.application.identifier ?? "") }
    let counted = units.filter(\.verdict.counts)
    if strategy != .system, !own.prefix(Self.callLimit).allSatisfy({ units[$0].name != nil }) || counted.isEmpty {
      hash.add(Self.accessKind(report.exception))
      hash.add(units.first.map(Self.module) ?? "")
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

  /// The kind of exception as it is compared: a check that fails ends in `abort` with one library and in a trap with
  /// another, and what would have been a signal is told by a sanitizer's or Go's own functions.
  private static func comparedKind(_ exception: String, _ units: [Unit]) -> String {
    guard exception == "abort" || exception == "trap" else { return exception }
    for unit in units {
      guard let name = unit.name, !unit.verdict.counts else { break }
      if divisions.contains(where: name.hasPrefix) { return "arithmetic" }
      if accesses.contains(where: name.hasPrefix) { return "bad-access" }
    }
    return "check"
  }

  private static let divisions = ["__ubsan_handle_divrem_overflow", "runtime.panicdivide"]

  private static let accesses = [
    "__ubsan_handle_type_mismatch", "__ubsan_handle_nonnull", "__asan_report_", "__asan::ReportGenericError",
    "runtime.panicmem",
    "runtime.sigpanic",
  ]

  /// The little else that tells crashes without names apart in every build: the very signal, and whether the address
  /// was that of a null pointer.
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
    var failure: Int?
    var isRuled: [Bool] = []
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
        if facts.isFailure { failure = units.count }
        units.append(
          Unit(
            frame: index, call: call, name: facts.name, module: facts.module, verdict: facts.verdict,
            isMain: imageFacts.isMain))
        isEntry.append(facts.isEntry)
        isRuled.append(facts.isRuled)
      }
    }
    for index in 0..<(failure ?? 0) where units[index].verdict == .counted && !isRuled[index] {
      units[index].verdict = .runtime
    }
    if let sentinel {
      for index in 0..<sentinel.unit { units[index].verdict = .sentinel(rule: sentinel.rule) }
    }
    return units
  }

  private struct Key: Comparable {
    let module: String
    let name: String
    /// Only of calls without a name: at another address it is another call.
    var address: UInt64?

    static func < (left: Key, right: Key) -> Bool {
      (left.name, left.module, left.address ?? 0) < (right.name, right.module, right.address ?? 0)
    }
  }

  /// A module as it is compared: the program's own file may have any name.
  private static func module(_ unit: Unit) -> String {
    unit.isMain ? "" : unit.module
  }

  /// The compared part of the calls that count: a name wherever it lies, else the module.
  private static func keys(_ counted: [Unit], _ strategy: Strategy) -> [Key] {
    counted.map { unit in
      guard strategy != .modules, let name = unit.name else { return Key(module: module(unit), name: "?") }
      return Key(module: "", name: name)
    }
  }

  /// The unit that repeats in a recursion.
  private static func turn(_ unit: Unit, _ frames: [CrashReport.Frame]) -> Key {
    guard let name = unit.name else {
      return Key(module: unit.module, name: "?", address: frames[unit.frame].address)
    }
    return Key(module: unit.module, name: name)
  }

  /// Collapses recursion among the program's own calls, and takes the innermost that says enough, with those in it.
  private static func chooseCalls(
    _ units: inout [Unit], _ own: [Int], _ isEntry: [Bool], _ frames: [CrashReport.Frame]
  ) {
    var own = own
    while own.count > 1, let last = own.last, isEntry[last], own.contains(where: { !isEntry[$0] }) {
      units[last].verdict = .entry
      own.removeLast()
    }
    guard let kept = collapse(&units, own, frames) else { return }
    var taken = 0
    var isEnough = false
    for index in kept {
      let unit = units[own[index]]
      if isEnough || taken >= callLimit {
        units[own[index]].verdict = .pastLimit
      } else if unit.verdict == .counted {
        taken += 1
        isEnough = unit.name.map { isEntry[own[index]] || !VagueName.isVague($0) } ?? false
      }
    }
  }

  /// Leaves out what recursion repeats.
  ///
  /// - Returns: The places in `own` of what is left, innermost first; nil where a deep recursion says it all.
  private static func collapse(_ units: inout [Unit], _ own: [Int], _ frames: [CrashReport.Frame]) -> [Int]? {
    let keys = own.map { turn(units[$0], frames) }
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
    guard let deep else { return kept.sorted() }
    for index in kept where !deep.range.contains(index) { units[own[index]].verdict = .besideRecursion }
    return nil
  }

  /// Takes the modules of the whole stack, the system's too: they are all that is known.
  private static func chooseModules(_ units: inout [Unit], _ frames: [CrashReport.Frame]) {
    let usable = units.indices.filter { units[$0].verdict.isModule }
    let modules = usable.map { Key(module: units[$0].module, name: "?", address: frames[units[$0].frame].address) }
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

  /// The group by the rules, and the word that split it off.
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
  /// Tells whether the call's module says where the stack was.
  fileprivate var isModule: Bool {
    switch self {
    case .counted, .prefix, .runtime, .system, .notApp: true
    default: false
    }
  }

  /// Tells whether the call is the program's own, counted or past those that count.
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
