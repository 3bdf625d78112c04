import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Groups that users name and edit") struct GroupNamesTests {
  private let tally: GroupTally
  private let id: GroupID
  private let own: GroupID

  init() {
    var classifier = FrameClassifier()
    let report = SampleReport.orderBook
    let fingerprint = Fingerprint(report, &classifier)
    var tally = GroupTally()
    tally.add(fingerprint, report, name: "a.ips")
    self.tally = tally
    id = fingerprint.group
    own = fingerprint.own
  }

  private func code(_ word: String, in tally: GroupTally) -> GroupError.Code? {
    do throws(GroupError) {
      _ = try tally.group(word)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a whole name is a group's, whether there is one or not")
  func whole() throws {
    #expect(try tally.group("2:0123456789abcdef") == GroupID(hash: 0x0123_4567_89ab_cdef))
  }

  @Test("four digits of the beginning are enough, with or without the version")
  func beginning() throws {
    let name = id.description
    #expect(try tally.group(String(name.prefix(6))) == id)
    #expect(try tally.group(String(name.dropFirst(2).prefix(4)).uppercased()) == id)
  }

  @Test("fewer digits, or those of none, are refused")
  func unknown() {
    #expect(code(String(id.description.dropFirst(2).prefix(3)), in: tally) == .unknown)
    #expect(code("zzzz", in: tally) == .unknown)
    #expect(code("2:0123", in: GroupTally()) == .unknown)
  }

  @Test("an edit of the rules keeps what stood there, and is read again")
  func edits() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/.mpaas-groups"
    try Data("# ours\nmodule:a +app\n".utf8).write(to: URL(filePath: path))
    var file = try GroupingRulesFile(path: path, mustExist: true)
    let other = GroupID(hash: 1)
    file.merge([id, other])
    file.split(id, by: .device, in: tally)
    try file.write()
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    #expect(text.hasPrefix("# ours\nmodule:a +app\n"))
    #expect(text.contains("split \(own) by device"))
    #expect(try GroupingRulesFile(path: path, mustExist: true).rules.merged(other) == id)
  }

  @Test("a rules file that need not be there is empty, one that was named must be")
  func missing() throws {
    let path = try TemporaryFolder().path + "/rules"
    #expect(try GroupingRulesFile(path: path, mustExist: false).rules.rules.isEmpty)
    #expect(throws: FileError.self) { try GroupingRulesFile(path: path, mustExist: true) }
  }
}
