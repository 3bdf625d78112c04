import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSCrash

@Suite("An edit of grouping rules") struct GroupingEditTests {
  private let folder: TemporaryFolder
  private let id: GroupID
  private let tally: GroupTally
  private var path: String { folder.path + "/.mpaas-groups" }

  init() throws {
    folder = try TemporaryFolder()
    var classifier = FrameClassifier()
    let fingerprint = Fingerprint(SampleReport.orderBook, &classifier)
    var tally = GroupTally()
    tally.add(fingerprint, SampleReport.orderBook, name: "a.ips")
    self.tally = tally
    id = fingerprint.group
  }

  /// Runs the edit, and says how many merges the rules of each count had.
  private func run(_ edit: GroupingEdit) async throws -> (grouped: GroupedReports, merges: [Int]) {
    let merges = Mutex<[Int]>([])
    let grouped = try await edit.run(GroupingRulesFile(path: path, mustExist: false)) { rules in
      merges.withLock { $0.append(rules.merges.count) }
      return tally
    }
    return (grouped, merges.withLock { $0 })
  }

  @Test("that changes nothing counts once, and writes nothing", arguments: [[], ["2:0000000000000001"]])
  func nothing(merged: [String]) async throws {
    let (grouped, merges) = try await run(GroupingEdit(merged: merged))
    #expect(merges == [0])
    #expect(!grouped.isEdited)
    #expect(FileStatus(path) == nil)
  }

  @Test("that merges is written, and counts again by the new rules")
  func merge() async throws {
    let (grouped, merges) = try await run(GroupingEdit(merged: [id.description, "2:0000000000000001"]))
    #expect(merges == [0, 1])
    #expect(grouped.isEdited)
    #expect(try GroupingRulesFile(path: path, mustExist: true).rules.merged(GroupID(hash: 1)) == id)
  }

  @Test("that splits is written")
  func split() async throws {
    let (grouped, _) = try await run(GroupingEdit(split: id.description, by: ["device"]))
    #expect(grouped.isEdited)
    #expect(try GroupingRulesFile(path: path, mustExist: true).rules.splits.map(\.key) == [.device])
  }

  @Test("is not written where a name is unknown")
  func unknown() async throws {
    await #expect(throws: GroupError.self) { try await run(GroupingEdit(merged: [id.description, "zzzz"])) }
    #expect(FileStatus(path) == nil)
  }

  @Test("is not written where a key is none, though a merge was good", arguments: [[], ["colour"], ["frame", "0"]])
  func badKey(words: [String]) async throws {
    let edit = GroupingEdit(merged: [id.description, "2:0000000000000001"], split: id.description, by: words)
    let error = Diagnostic("grouping-split-key", ["value": words.joined(separator: " ")], exit: .usage)
    await #expect(throws: error) { try await run(edit) }
    #expect(FileStatus(path) == nil)
  }
}
