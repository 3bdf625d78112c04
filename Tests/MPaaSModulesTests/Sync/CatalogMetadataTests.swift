import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTrust
import Testing

@Suite("The metadata of a catalogue") struct CatalogMetadataTests {
  @Test("is that which is trusted, and nothing that another call has put in its place")
  func followed() async throws {
    let registry = try SignedModules([SignedModules.Module("Log", "1.0.0")])
    let user = try registry.user()
    let old = try #require(try await user.catalog().registries.first)
    let names = try old.metadata().map(\.name)
    #expect(Set(names) == ["1.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json"])
    #expect(old.role(of: "Log") == "targets" && old.role(of: "Feed") == nil)
    #expect(try #require(old.expires) == (try #require(old.client.firstExpiry)).expires)
    try registry.publish([SignedModules.Module("Log", "1.1.0")])
    let new = try #require(try await user.catalog().registries.first)
    #expect(try new.metadata().map(\.name).contains("3.targets.json"))
    let error = #expect(throws: ModuleError.self) { try old.metadata() }
    #expect(error?.code.id.name == "metadata-missing")
  }
}
