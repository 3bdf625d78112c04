package import MPaaSCrashReport

/// The differences between two reports.
package struct ReportDiff: Sendable {
  package struct Values: Sendable, Equatable {
    package let name: String
    package let a: String?
    package let b: String?
  }

  package struct Call: Sendable, Equatable {
    /// Canonical; nil without symbols.
    package let name: String?
    package let module: String
    /// `Cart.swift:12`.
    package let place: String?
  }

  package struct Frame: Sendable {
    package let change: StackAlignment.Change
    package let a: Call?
    package let b: Call?
  }

  /// Facts that differ, by the keys of `ReportDigest`'s words.
  package let facts: [Values]
  package let frames: [Frame]
  /// Images of the same name and another build, or in one report only: the build IDs.
  package let images: [Values]
  package let threads: (a: Int, b: Int)
  package let groups: (a: GroupID, b: GroupID)

  /// Tells whether nothing differs that says anything of the crash: times, numbers of processes and addresses always
  /// do.
  package var isSame: Bool {
    facts.isEmpty && images.isEmpty && groups.a == groups.b && threads.a == threads.b
      && frames.allSatisfy { $0.change == .same }
  }

  package init(_ a: CrashReport, _ b: CrashReport, rules: GroupingRules = GroupingRules()) {
    var classifier = FrameClassifier(rules: rules)
    let (first, second) = (Fingerprint(a, &classifier), Fingerprint(b, &classifier))
    groups = (first.group, second.group)
    threads = (a.threads.count, b.threads.count)
    facts = Self.facts(a, b)
    images = Self.images(a, b)
    let (callsA, callsB) = (Self.calls(a, first), Self.calls(b, second))
    let alignment = StackAlignment(callsA, callsB) { call in
      // Calls without names are told apart by their modules.
      "\(call.module) \(call.name ?? "?")"
    } isSame: {
      $0 == $1
    }
    frames = alignment.pairs.map { pair in
      Frame(change: pair.change, a: pair.a.map { callsA[$0] }, b: pair.b.map { callsB[$0] })
    }
  }

  private static let lasting: Set<String> = ["time", "incident", "group"]

  private static func facts(_ a: CrashReport, _ b: CrashReport) -> [Values] {
    func facts(_ report: CrashReport) -> [(key: String, value: String)] {
      var facts = ReportDigest(report, words: { $0 }).facts.filter { !lasting.contains($0.key) }
      facts.removeAll { $0.key == "process" }
      facts.insert(("process", report.process.name), at: 0)
      return facts
    }
    let (left, right) = (facts(a), facts(b))
    let names = left.map(\.key) + right.map(\.key).filter { key in !left.contains { $0.key == key } }
    return names.compactMap { name in
      let values = Values(
        name: name, a: left.first { $0.key == name }?.value, b: right.first { $0.key == name }?.value)
      return values.a == values.b ? nil : values
    }
  }

  private static func images(_ a: CrashReport, _ b: CrashReport) -> [Values] {
    func builds(_ report: CrashReport) -> [String: String] {
      Dictionary(
        report.images.filter { !$0.name.isEmpty }.map { ($0.name, $0.buildID.isEmpty ? "–" : $0.buildID) },
        uniquingKeysWith: { first, _ in first })
    }
    let (left, right) = (builds(a), builds(b))
    return Set(left.keys).union(right.keys).sorted().compactMap { name in
      left[name] == right[name] ? nil : Values(name: name, a: left[name], b: right[name])
    }
  }

  private static func calls(_ report: CrashReport, _ fingerprint: Fingerprint) -> [Call] {
    guard let stack = fingerprint.stack else { return [] }
    let frames = report[stack: stack]
    return fingerprint.units.map { unit in
      let call = unit.call.map { frames[unit.frame].calls[$0] }
      let place = call?.file.map { file in
        (file.split(separator: "/").last.map(String.init) ?? file) + (call?.line.map { ":\($0)" } ?? "")
      }
      return Call(name: unit.name, module: unit.module, place: place)
    }
  }
}
