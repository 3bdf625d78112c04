import Foundation
import MPaaSConfig
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Edits of Xcode projects") struct PBXDraftTests {
  static let pairs: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: Fixture.path("project/edit_pairs")).sorted()) ?? []

  @Test("make of the project before a commit the one behind it, line for line", .fixtures, arguments: pairs)
  func pair(name: String) throws {
    let before = try XcodeFixtures.read("project/edit_pairs/\(name)/before.pbxproj")
    let after = try XcodeFixtures.read("project/edit_pairs/\(name)/after.pbxproj")
    var draft = PBXDraft(before)
    draft.rootMembers = after.rootMembers
    for id in before.ids where !after.contains(id) { draft.remove(id) }
    for id in after.ids {
      if let object = after.object(id) { draft.put(object) }
    }
    let result = try draft.finished()
    // Xcode laid out this one anew and changed nothing.
    let expected = name == "sync_group_01" ? before : after
    let diff = TextDiff(
      from: String(decoding: expected.bytes, as: UTF8.self), to: String(decoding: result.bytes, as: UTF8.self))
    let wrong = diff.lines.filter { $0.change != .kept }
    #expect(wrong.isEmpty, "\(wrong.prefix(12).map { "\($0.change) \($0.text)" }.joined())")
  }
}
