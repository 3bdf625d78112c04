import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The modules that are to come to this machine") struct DownloadPlanTests {
  let catalog: ModuleCatalog
  let user: SDKUser
  private let registry: SignedModules

  init() async throws {
    registry = try SignedModules([.init("APLog", "1.0.0"), .init("APLog", "1.1.0"), .init("Other", "2.0.0")])
    user = try registry.user()
    catalog = try await user.catalog()
  }

  func plan(
    _ words: [String], _ local: [String: [String]] = [:], anew: Bool = false, isOffline: Bool = false
  ) throws -> (coming: [String], current: Int) {
    let here = LocalModules(versions: local.mapValues { $0.compactMap { ModuleVersion($0) } })
    let plan = try DownloadPlan(words, of: catalog, beside: here, anew: anew, isOffline: isOffline)
    return (plan.modules.map { "\($0.index.name) \($0.release.version.text)" }, plan.current)
  }

  @Test("are the newest of all where none is named, but for those that are here")
  func all() throws {
    let plan = try plan([], ["APLog": ["1.0.0"], "Other": ["2.0.0"]])
    #expect(plan.coming == ["APLog 1.1.0"])
    #expect(plan.current == 1)
  }

  @Test("come again where they are named, and not offline")
  func again() throws {
    let local = ["APLog": ["1.1.0"]]
    #expect(try plan(["APLog"], local).coming == [])
    #expect(try plan(["APLog"], local, anew: true).coming == ["APLog 1.1.0"])
    #expect(try plan(["APLog"], local, anew: true, isOffline: true).coming == [])
  }

  @Test("come once, in the order in which they are named")
  func once() throws {
    #expect(
      try plan(["Other", "APLog", "APLog@1.1.0", "APLog@1.0.0"]).coming == [
        "Other 2.0.0", "APLog 1.1.0", "APLog 1.0.0",
      ])
    #expect(throws: ModuleError.self) { try plan(["APLog@3"]) }
  }

  @Test("are brought into the store")
  func run() async throws {
    let plan = try DownloadPlan(["APLog"], of: catalog, beside: LocalModules(), anew: false, isOffline: false)
    let store = ModuleStore(folder: user.store)
    try await plan.run(ModuleDownloads(store: store, userAgent: "test"))
    #expect(try LocalModules(store).newest("APLog")?.text == "1.1.0")
  }
}
