import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Keys of a repository that change") struct EditorRotationTests {
  @Test("root changes only with enough signatures of the old keys and of the new ones")
  func root() throws {
    let sample = try SampleRepository(people: 3, threshold: 2)
    let next = try SigningKey.generate()
    let rotation = KeyRotation(
      adding: [next.verificationKey], removing: [sample.offline[0].verificationKey.keyID])
    var outcome = try sample.editor.edit(keys: [next, sample.offline[1]]) { draft throws(TrustError) in
      try draft.rotate("root", rotation)
    }
    // The new quorum is there (next, 1), the old one is not (only 1).
    #expect(outcome.published == [])
    #expect(outcome.pending[0].quorums.map(\.missing) == [1, 0])
    #expect(try sample.problems() == [])
    outcome = try sample.editor.sign(with: [sample.offline[0]])
    #expect(outcome.published.map(\.role) == ["root"])
    #expect(try sample.problems() == [])
  }

  @Test("a threshold that nobody could meet, none at all, and a key that is not there are refused")
  func refusals() throws {
    let sample = try SampleRepository()
    for (rotation, id) in [
      (KeyRotation(threshold: 2), "role-threshold"), (KeyRotation(threshold: 0), "role-threshold"),
      (KeyRotation(removing: [sample.offline[0].verificationKey.keyID]), "role-threshold"),
      (KeyRotation(removing: ["00"]), "key-not-of-role"),
    ] {
      for role in ["root", "targets", "director"] where role != "director" || id == "role-threshold" {
        guard role != "director" || rotation.removed.isEmpty else { continue }
        let error = #expect(throws: TrustError.self) {
          try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in try draft.rotate(role, rotation) }
        }
        #expect(error?.identifier == id)
      }
    }
    #expect(try sample.problems() == [])
  }

  @Test("with the old online key at hand the old root's readers see a valid repository until the new root is there")
  func order() throws {
    let sample = try SampleRepository()
    let next = try SigningKey.generate()
    let old = try Bytes.reading(sample.path + "/metadata/1.root.json")
    _ = try sample.editor.edit(keys: sample.keys + [next]) { draft throws(TrustError) in
      let rotation = KeyRotation(
        adding: [next.verificationKey], removing: [sample.online.verificationKey.keyID])
      for role in ["snapshot", "timestamp"] { try draft.rotate(role, rotation) }
    }
    #expect(try sample.problems() == [])
    // The moment before the new root was written.
    try FileManager.default.removeItem(atPath: sample.path + "/metadata/2.root.json")
    #expect(try sample.problems() == [])
    #expect(try Bytes.reading(sample.path + "/metadata/1.root.json").array == old.array)
  }

  @Test("a patch goes out with the keys until now while the change of keys waits, and the change is not lost")
  func patchMeanwhile() throws {
    let sample = try SampleRepository(people: 2, threshold: 2)
    let next = try SigningKey.generate()
    _ = try sample.editor.edit(keys: [sample.offline[0]]) { draft throws(TrustError) in
      try draft.rotate(
        "targets",
        KeyRotation(adding: [next.verificationKey], removing: [sample.offline[1].verificationKey.keyID]))
    }
    #expect(try sample.add("fix", as: "fix.mpatch").published.map(\.role) == ["targets", "snapshot", "timestamp"])
    let outcome = try sample.editor.sign(with: sample.keys + [next])
    #expect(outcome.isComplete)
    #expect(outcome.published.map(\.role) == ["root", "targets", "snapshot", "timestamp"])
    #expect(try sample.problems() == [])
  }

  @Test("a delegated role changes its keys with a signature of who delegates")
  func delegated() throws {
    let sample = try SampleRepository()
    let (old, new) = (try SigningKey.generate(), try SigningKey.generate())
    _ = try sample.editor.edit(keys: sample.keys + [old]) { draft throws(TrustError) in
      try draft.delegate(.init("team", paths: ["team/*"], keys: [old.verificationKey]))
      try draft.add(.bytes([1]), as: "team/a")
    }
    let rotation = KeyRotation(adding: [new.verificationKey], removing: [old.verificationKey.keyID])
    var outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.rotate("team", rotation)
    }
    #expect(outcome.published == [])
    #expect(outcome.pending.map(\.role) == ["targets", "team"])
    outcome = try sample.editor.sign(with: [new, sample.online])
    #expect(outcome.isComplete)
    #expect(try sample.add("b", as: "team/b", keys: [old, sample.online]).published == [])
    #expect(try sample.problems() == [])
  }
}
