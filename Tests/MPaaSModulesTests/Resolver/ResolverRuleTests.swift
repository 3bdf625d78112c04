import MPaaSModules
import MPaaSSupport
import Testing

@Suite("What the resolver may choose") struct ResolverRuleTests {
  @Test("the locked version is kept before the preferred one, and that before the newest")
  func preferences() throws {
    let packages = #""packages":{"a":{"1.0.0":{},"1.1.0":{},"1.2.0":{}}}"#
    #expect(try resolve(resolverInput(#"{"root":{"a":"^1"},\#(packages)}"#)) == ["a": "1.2.0"])
    #expect(
      try resolve(resolverInput(#"{"root":{"a":"^1"},"preferred":{"a":"1.1.0"},\#(packages)}"#)) == ["a": "1.1.0"])
    let both = #"{"root":{"a":"^1"},"preferred":{"a":"1.1.0"},"locked":{"a":"1.0.0"},\#(packages)}"#
    #expect(try resolve(resolverInput(both)) == ["a": "1.0.0"])
    let outside = #"{"root":{"a":">1.0"},"locked":{"a":"1.0.0"},\#(packages)}"#
    #expect(try resolve(resolverInput(outside)) == ["a": "1.2.0"])
  }

  @Test("a withdrawn version is chosen only where it is locked or asked for alone")
  func yanked() throws {
    let packages = #""packages":{"a":{"1.0.0":{},"1.1.0":{"dependencies":{},"yanked":true}}}"#
    #expect(try resolve(resolverInput(#"{"root":{"a":"*"},\#(packages)}"#)) == ["a": "1.0.0"])
    #expect(try resolve(resolverInput(#"{"root":{"a":"==1.1.0"},\#(packages)}"#)) == ["a": "1.1.0"])
    #expect(try resolve(resolverInput(#"{"root":{"a":"*"},"locked":{"a":"1.1.0"},\#(packages)}"#)) == ["a": "1.1.0"])
    let only = try conflict(resolverInput(#"{"root":{"a":">1.0"},\#(packages)}"#))
    #expect(only.lines.map(\.kind) == [.root, .yanked, .together] || only.lines.contains { $0.kind == .yanked })
  }

  @Test("a release for another system, or for a later one, does not come into question, and the explanation says so")
  func platforms() throws {
    let packages =
      #""packages":{"a":{"1.0.0":{"platforms":{"ios":"12.0"}},"2.0.0":{"platforms":{"ios":"15.0"}},"3.0.0":{"platforms":{"macos":"12.0"}}}}"#
    #expect(
      try resolve(resolverInput(#"{"root":{"a":"*"},"platform":"ios","minimum":"13.0",\#(packages)}"#)) == [
        "a": "1.0.0"
      ])
    #expect(
      try resolve(resolverInput(#"{"root":{"a":"*"},"platform":"ios","minimum":"15.0",\#(packages)}"#)) == [
        "a": "2.0.0"
      ])
    #expect(try resolve(resolverInput(#"{"root":{"a":"*"},\#(packages)}"#)) == ["a": "3.0.0"])
    let input = try resolverInput(#"{"root":{"a":">=2"},"platform":"ios","minimum":"13.0",\#(packages)}"#)
    let found = try conflict(input)
    #expect(found.lines.contains { $0.kind == .minimum && $0.values["needed"] == "15.0" })
    #expect(found.fixes.contains { $0.changes == [.raiseMinimum(platform: .ios, to: ModuleVersion(numbers: [15]))] })
    try check(found, of: input, "platforms")
  }

  @Test("an optional dependency limits what is there anyway, and is there only where it is wanted")
  func optional() throws {
    let packages =
      #""packages":{"a":{"1.0.0":{"b":{"version":"<2","optional":true}}},"b":{"1.0.0":{},"2.0.0":{}},"c":{"1.0.0":{"b":"*"}}}"#
    #expect(try resolve(resolverInput(#"{"root":{"a":"*"},\#(packages)}"#)) == ["a": "1.0.0"])
    let wanted = try resolve(resolverInput(#"{"root":{"a":"*"},"wanted":{"a":["b"]},\#(packages)}"#))
    #expect(wanted == ["a": "1.0.0", "b": "1.0.0"])
    let anyway = try resolve(resolverInput(#"{"root":{"a":"*","c":"*"},\#(packages)}"#))
    #expect(anyway == ["a": "1.0.0", "b": "1.0.0", "c": "1.0.0"])
  }

  @Test("a dependency for another system is not needed")
  func dependencyPlatforms() throws {
    let text = { (platform: String) in
      #"{"root":{"a":"*"},"platform":"\#(platform)","packages":{"a":{"1.0.0":{"b":{"platforms":["ios"]}}},"b":{"1.0.0":{}}}}"#
    }
    #expect(try resolve(resolverInput(text("ios")))?.count == 2)
    #expect(try resolve(resolverInput(text("linux"))) == ["a": "1.0.0"])
  }

  @Test("modules that cannot stand beside each other do not")
  func conflicts() throws {
    let packages = #""packages":{"a":{"1.0.0":{"dependencies":{},"conflicts":{"b":"<2"}}},"b":{"1.0.0":{},"2.0.0":{}}}"#
    #expect(try resolve(resolverInput(#"{"root":{"a":"*","b":"*"},\#(packages)}"#))?["b"] == "2.0.0")
    let input = try resolverInput(#"{"root":{"a":"*","b":"^1"},\#(packages)}"#)
    let found = try conflict(input)
    #expect(found.lines.map(\.kind) == [.root, .conflicts, .root, .noVersion])
    #expect(found.lines.last?.values["lines"] == "2, 3")
    try check(found, of: input, "conflicts")
  }

  @Test("an unknown module is named, with the name that was meant, and asking for that one is offered")
  func unknown() throws {
    let input = try resolverInput(#"{"root":{"APLgo":"*"},"packages":{"APLog":{"1.0.0":{}}}}"#)
    let found = try conflict(input)
    #expect(found.lines == [.init(.rootUnknownNear, ["module": "APLgo", "requirement": "*", "near": "APLog"])])
    #expect(found.fixes.first?.changes == [.rename(module: "APLgo", to: "APLog")])
  }

  @Test("two requirements that no version meets are told in the order in which they follow, and one of them is changed")
  func diamond() throws {
    let input = try resolverInput(
      #"{"root":{"shop":"*","pay":"*"},"packages":{"shop":{"1.0.0":{"log":"^1"}},"pay":{"1.0.0":{"log":"^1"},"2.0.0":{"net":"*"}},"net":{"1.0.0":{"log":"^2"}},"log":{"1.0.0":{},"2.0.0":{}}}}"#
    )
    #expect(try resolve(input) == ["shop": "1.0.0", "pay": "1.0.0", "log": "1.0.0"])
    var strict = input
    strict.roots[0].requirement = try #require(VersionRequirement("^2"))
    let found = try conflict(strict)
    #expect(strict.roots[0].name == "pay")
    #expect(found.lines.map(\.kind) == [.root, .versionNeeds, .versionNeeds, .root, .versionNeeds, .noVersion])
    #expect(found.lines.last?.values["module"] == "log")
    #expect(found.lines.last?.values["lines"] == "3, 5")
    #expect(found.fixes.first?.changes.count == 1)
    try check(found, of: strict, "diamond")
  }

  @Test("what nobody needs is not in the solution, and an empty project needs nothing")
  func nothing() throws {
    #expect(try resolve(resolverInput(#"{"root":{},"packages":{"a":{"1.0.0":{}}}}"#)) == [:])
  }

  @Test("who needs is as new as can be, and what is needed follows")
  func order() throws {
    let text =
      #"{"root":{"low":"*","top":"*"},"packages":{"low":{"1.0.0":{},"2.0.0":{}},"top":{"1.0.0":{},"2.0.0":{"low":"^1"}}}}"#
    #expect(try resolve(resolverInput(text)) == ["low": "1.0.0", "top": "2.0.0"])
  }

  @Test("as an error a conflict keeps its lines, and the changes that help with what to type")
  func diagnostic() throws {
    let input = try resolverInput(#"{"root":{"a":"^9"},"packages":{"a":{"1.0.0":{}}}}"#)
    let diagnostic = ModuleError(try conflict(input)).diagnostic
    #expect(diagnostic.exit.rawValue == 1)
    #expect(
      diagnostic.details.map(\.key) == [
        "text.resolver-line-root-none", "text.resolver-fixes", "text.resolver-fix-require-typed",
      ])
    #expect(diagnostic.details.last?.values["new"] == "^1.0.0")
  }

  @Test("an error of the registry's reader ends the search as it is")
  func thrown() throws {
    let input = ResolverInput(roots: [ModuleDependency("a", .all)]) { _ throws(ModuleError) in
      throw ModuleError(.resolverFileMalformed, ["file": "x"])
    }
    #expect(throws: ModuleError(.resolverFileMalformed, ["file": "x"])) { try ModuleResolver(input).resolve() }
  }
}
