import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The stored modules that a user names") struct StoredSelectionTests {
  let sample: SampleStore

  init() throws {
    sample = try SampleStore()
    _ = try sample.add("Demo", "1.0")
    _ = try sample.add("Demo", "2.0")
    _ = try sample.add("Other", "1.0")
  }

  func verified(_ words: String...) async throws -> [String] {
    let found = try await StoredSelection(words, in: sample.store).verify(mending: false, force: false) { _ in }
    return found.store.modules.map { "\($0.module.name) \($0.module.version.text)" }.sorted()
  }

  @Test("are all versions of a name, or one, and all modules where none is named")
  func words() async throws {
    #expect(try await verified() == ["Demo 1.0", "Demo 2.0", "Other 1.0"])
    #expect(try await verified("Demo") == ["Demo 1.0", "Demo 2.0"])
    #expect(try await verified("Demo@2.0", "Other") == ["Demo 2.0", "Other 1.0"])
    let one = try StoredSelection(["Demo@1.0"], in: sample.store).size
    #expect(try StoredSelection(["Demo"], in: sample.store).size > one)
  }

  @Test("are refused where the store has none of that name or version", arguments: ["Nope", "Demo@3.0", ""])
  func unknown(word: String) {
    let error = #expect(throws: ModuleError.self) { try StoredSelection([word], in: sample.store) }
    #expect(error?.code.id == "module-unknown")
  }
}
