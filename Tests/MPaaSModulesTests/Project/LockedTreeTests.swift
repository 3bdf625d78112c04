import MPaaSModules
import MPaaSSupport
import Testing

@Suite("The tree of what a target has locked") struct LockedTreeTests {
  /// A and C are asked for; both need B, which needs D.
  private func graph() throws -> LockedGraph {
    let any = try #require(VersionRequirement("*"))
    func module(_ name: String, _ needs: String...) -> LockedModule {
      var module = LockedModule(
        name: name, version: ModuleVersion(numbers: [1, 0, 0]), registry: "main", sha256: name, size: 1)
      module.dependencies = needs.map { LockedDependency($0, any) }
      return module
    }
    let target = ProjectTarget(modules: [ProjectModule("A", any), ProjectModule("C", any)])
    let lock = ProjectLock(
      modules: [module("A", "B"), module("B", "D"), module("C", "B"), module("D")], targets: [LockedTarget(target)])
    return LockedGraph(target, lock)
  }

  private func text(_ trees: [LockedTree]) -> String {
    trees.map { tree in
      tree.step.name + (tree.isRepeated ? "*" : "") + (tree.needs.isEmpty ? "" : "(\(text(tree.needs)))")
    }.joined(separator: " ")
  }

  @Test("grows each module once, and marks where it is met again")
  func once() throws {
    #expect(text(try graph().trees(depth: .max)) == "A(B(D)) C(B*)")
  }

  @Test("is cut where it is deep enough")
  func depth() throws {
    #expect(text(try graph().trees(depth: 1)) == "A C")
    #expect(text(try graph().trees(depth: 2)) == "A(B) C(B*)")
  }
}
