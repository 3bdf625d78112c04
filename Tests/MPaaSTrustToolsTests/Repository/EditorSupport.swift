import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// A repository of a test, with its keys.
struct SampleRepository {
  let home: TemporaryFolder
  let editor: RepositoryEditor
  let offline: [SigningKey]
  let online: SigningKey
  var keys: [SigningKey] { offline + [online] }

  /// - Parameter people: How many keys root and targets have.
  init(
    people: Int = 1, threshold: Int = 1, scheme: SignatureScheme = .ed25519, settings: RepositorySettings = .init(),
    now: Date? = nil
  ) throws {
    home = try TemporaryFolder()
    offline = try (0..<people).map { _ in try SigningKey.generate(scheme) }
    online = try SigningKey.generate()
    editor = RepositoryEditor(home.path + "/repository") { now ?? Date() }
    var plan = RepositoryEditor.Plan(
      offline: offline.map(\.verificationKey), threshold: threshold, online: [online.verificationKey])
    plan.settings = settings
    let outcome = try editor.create(plan, keys: keys)
    #expect(outcome.isComplete)
  }

  var path: String { editor.folder.path }

  func problems(at date: Date? = nil) throws -> [RepositoryFinding] {
    var check = RepositoryCheck(editor.folder, now: date ?? Date())
    try check.run()
    return check.findings.filter { $0.severity != .advice }
  }

  @discardableResult
  func add(
    _ text: String, as name: String, role: String? = nil, keys: [SigningKey]? = nil
  ) throws -> RepositoryEditor.Outcome {
    try editor.edit(keys: keys ?? self.keys) { draft throws(TrustError) in
      try draft.add(.bytes(Array(text.utf8)), as: name, role: role)
    }
  }
}

extension RepositoryFinding: CustomTestStringConvertible {
  /// The severity, the kind, the subject and the values of the finding, as failed tests show them.
  public var testDescription: String { "\(severity) \(kind) \(subject) \(values)" }
}
