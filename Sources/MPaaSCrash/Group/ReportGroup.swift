package import MPaaSCrashReport

/// Reports of one crash: what grouping keeps of them.
package struct ReportGroup: Sendable {
  package let id: GroupID
  package let strategy: Fingerprint.Strategy
  package let exception: String
  package let kind: CrashReport.Kind
  /// The call that the group is named by; nil without a name.
  package private(set) var function: String?
  package private(set) var module: String
  /// The next call that counts, which tells groups of one function apart; nil without a name.
  package private(set) var caller: String?
  package private(set) var place: Place?
  package private(set) var count = 0
  /// Groups that rules put together, by the fingerprints that they had.
  package private(set) var merged: Set<GroupID> = []
  /// The word that a rule split it off by.
  package let split: String?
  /// The number of times each was seen, by its name; those that reports do not tell are left out.
  package private(set) var versions: [String: Int] = [:]
  package private(set) var systems: [String: Int] = [:]
  package private(set) var devices: [String: Int] = [:]
  package private(set) var processes: [String: Int] = [:]
  /// Seconds since 1970 of each report whose time is known.
  package private(set) var times: [Int64] = []
  /// The hangs of the group, of reports that tell of one.
  package private(set) var hangs = HangCounts()
  /// The reports of the group, by their paths, in no order.
  package private(set) var members: [String] = []
  /// The newest report: what `explain` and the table show.
  package private(set) var example: String
  private var exampleTime: Int64

  package struct Place: Sendable, Equatable {
    package let file: String
    package let line: Int?
  }

  init(_ fingerprint: Fingerprint, _ report: CrashReport, name: String) {
    id = fingerprint.group
    strategy = fingerprint.strategy
    exception = fingerprint.exception
    kind = report.kind
    split = fingerprint.split
    module = ""
    example = name
    exampleTime = .min
    add(fingerprint, report, name: name)
  }

  mutating func add(_ fingerprint: Fingerprint, _ report: CrashReport, name: String) {
    count += 1
    members.append(name)
    merged.insert(fingerprint.own)
    let version = report.application.versionText
    if !version.isEmpty { versions[version, default: 0] += 1 }
    let system = IPSWriter.osVersion(report.system)
    if !system.isEmpty { systems[system, default: 0] += 1 }
    if let model = report.system.model, !model.isEmpty { devices[model, default: 0] += 1 }
    if !report.process.name.isEmpty { processes[report.process.name, default: 0] += 1 }
    if let hang = report.hang { hangs.add(hang) }
    let time = report.captured.seconds
    if time != 0 { times.append(time) }
    guard (time, name) > (exampleTime, example) || count == 1 else { return }
    (exampleTime, example) = (time, name)
    let blamed = fingerprint.blamed
    function = blamed?.name
    module = blamed?.module ?? report.process.name
    caller = fingerprint.units.filter(\.verdict.counts).dropFirst().first?.name
    place = blamed.flatMap { unit in
      guard let stack = fingerprint.stack, let index = unit.call else { return nil }
      let frames = report[stack: stack]
      guard frames.indices.contains(unit.frame), frames[unit.frame].calls.indices.contains(index) else { return nil }
      let call = frames[unit.frame].calls[index]
      return call.file.map { Place(file: $0, line: call.line) }
    }
  }

  mutating func merge(_ other: ReportGroup) {
    count += other.count
    members += other.members
    merged.formUnion(other.merged)
    versions.merge(other.versions, uniquingKeysWith: +)
    systems.merge(other.systems, uniquingKeysWith: +)
    devices.merge(other.devices, uniquingKeysWith: +)
    processes.merge(other.processes, uniquingKeysWith: +)
    times += other.times
    hangs.merge(other.hangs)
    guard (other.exampleTime, other.example) > (exampleTime, example) else { return }
    (exampleTime, example) = (other.exampleTime, other.example)
    (function, module, caller, place) = (other.function, other.module, other.caller, other.place)
  }

  package var first: Int64? { times.min() }
  package var last: Int64? { times.max() }
}

/// Groups of reports, as they add up; two tallies of different reports make one of both.
package struct GroupTally: Sendable {
  package private(set) var groups: [GroupID: ReportGroup] = [:]
  package private(set) var reports = 0
  /// Reports outside the time that was asked for.
  package private(set) var leftOut = 0
  /// Files that are no reports.
  package private(set) var others = 0
  /// The first of what could not be read.
  package private(set) var problems: [ReportCollection.Problem] = []
  /// The number of reports that could not be read.
  package private(set) var problemCount = 0
  private static let mostProblems = 1000

  package init() {}

  package mutating func add(_ fingerprint: Fingerprint, _ report: CrashReport, name: String) {
    reports += 1
    if groups[fingerprint.group]?.add(fingerprint, report, name: name) == nil {
      groups[fingerprint.group] = ReportGroup(fingerprint, report, name: name)
    }
  }

  package mutating func leaveOut() {
    leftOut += 1
  }

  package mutating func add(_ outcome: ReportCollection.Outcome) {
    others += outcome.others
    problemCount += outcome.problems.count
    problems += outcome.problems.prefix(Self.mostProblems - problems.count)
  }

  package mutating func merge(_ other: GroupTally) {
    reports += other.reports
    leftOut += other.leftOut
    others += other.others
    problemCount += other.problemCount
    problems += other.problems.prefix(Self.mostProblems - problems.count)
    for (id, group) in other.groups where groups[id]?.merge(group) == nil { groups[id] = group }
  }
}
