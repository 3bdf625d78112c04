import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport

@testable import MPaaSCrash

/// Reports of crashes whose bugs are known, made by `scripts/group-corpus/make`.
struct GroupCorpus {
  struct Member {
    let bug: String
    /// Tells whether the rules were made without a look at it.
    let isHeldOut: Bool
    /// The language and the build, `c gcc-O2-static`.
    let build: String
    let report: CrashReport
  }

  struct Malformed: Error {}

  let members: [Member]

  static func read() throws -> GroupCorpus {
    let file = Fixture.package.appending(path: "scripts/group-corpus/corpus.jsonl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let values = try lines.map { line in try Data(line.utf8).withUnsafeBytes { try JSONValue(reading: $0) } }
    guard let strings = values.first?.object?["strings"]?.array?.map({ $0.string ?? "" }) else { throw Malformed() }
    return GroupCorpus(
      members: try values.dropFirst().map { value in
        guard let object = value.object, let bug = object["bug"]?.string else { throw Malformed() }
        return Member(
          bug: bug, isHeldOut: object["held"] == .bool(true),
          build: "\(bug.prefix(1)) \(object["build"]?.string ?? "")", report: try report(object, strings))
      })
  }

  private static func report(_ object: JSONValue.Object, _ strings: [String]) throws -> CrashReport {
    func text(_ value: JSONValue?) throws -> String {
      guard let number: Int = value?.integer(), strings.indices.contains(number) else { throw Malformed() }
      return strings[number]
    }
    var report = CrashReport()
    report.process.name = object["process"]?.string ?? ""
    report.process.path = "/opt/app/" + report.process.name
    var exception = CrashReport.Exception(
      type: object["type"]?.string ?? "", signal: object["signal"]?.string ?? "", signalNumber: 0, code: 0)
    exception.address = object["address"]?.integer()
    report.exception = exception
    let paths = try (object["images"]?.array ?? []).map(text)
    // The program's own image is the first of a report.
    let others = paths.filter { $0 != report.process.path }
    report.images = ([report.process.path] + others).map {
      CrashReport.Image(base: 0, size: 0, buildID: "", path: $0, architecture: "x86_64", slide: 0)
    }
    var thread = CrashReport.Thread(id: 1)
    thread.frames = try (object["frames"]?.array ?? []).map { value in
      guard let parts = value.array, parts.count == 3, let image: Int = parts[0].integer() else { throw Malformed() }
      var frame = CrashReport.Frame(address: parts[1].integer() ?? 0)
      if image >= 0 { frame.image = report.images.firstIndex { $0.path == paths[image] } }
      frame.calls = try (parts[2].array ?? []).map { value in
        guard let names = value.array, names.count == 3 else { throw Malformed() }
        var call = CrashReport.Call(function: try text(names[0]))
        let (symbol, file) = (try text(names[1]), try text(names[2]))
        call.symbol = symbol.isEmpty ? nil : symbol
        call.file = file.isEmpty ? nil : file
        return call
      }
      return frame
    }
    report.threads = [thread]
    report.faultingThread = 0
    return report
  }
}

/// The fit of groups and bugs: of all pairs of reports in one group those of one bug, and of all of one bug those in
/// one group.
struct PairwiseScore: CustomStringConvertible {
  private(set) var precision = 0.0
  private(set) var recall = 0.0

  init(_ placed: [(bug: String, group: GroupID)]) {
    func pairs(_ keys: [String]) -> Double {
      let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
      return Double(counts.values.reduce(0) { sum, count in sum + count * (count - 1) / 2 })
    }
    let both = pairs(placed.map { "\($0.bug) \($0.group)" })
    precision = both / max(pairs(placed.map(\.group.description)), 1)
    recall = both / max(pairs(placed.map(\.bug)), 1)
  }

  var description: String {
    "precision \((precision * 1000).rounded() / 1000), recall \((recall * 1000).rounded() / 1000)"
  }
}
