import MPaaSSupport

/// The text of a scheme as Xcode writes it: three blanks a level, one attribute a line.
struct SchemeDocument {
  struct Buildable {
    let id: String
    let name: String
    /// `Shop.app`.
    let product: String
    let isRunnable: Bool
  }

  let built: [Buildable]
  let tests: [Buildable]
  /// The `.xcodeproj` by its name.
  let container: String
  let upgradeVersion: String
  let debug: String
  let release: String

  var text: String {
    let document = Element(
      "Scheme", [("LastUpgradeVersion", upgradeVersion), ("version", "1.7")],
      [build, test, launch, profile, analyze, archive])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.lines(indent: "").joined(separator: "\n") + "\n"
  }

  private var build: Element {
    let entries = built.map { target in
      Element(
        "BuildActionEntry",
        [
          ("buildForTesting", "YES"), ("buildForRunning", "YES"), ("buildForProfiling", "YES"),
          ("buildForArchiving", "YES"), ("buildForAnalyzing", "YES"),
        ], [reference(target)])
    }
    return Element(
      "BuildAction",
      [("parallelizeBuildables", "YES"), ("buildImplicitDependencies", "YES"), ("buildArchitectures", "Automatic")],
      [Element("BuildActionEntries", [], entries)])
  }

  private var test: Element {
    let testables = tests.map { target in
      Element("TestableReference", [("skipped", "NO"), ("parallelizable", "YES")], [reference(target)])
    }
    return Element(
      "TestAction", [("buildConfiguration", debug)] + debugger + [("shouldUseLaunchSchemeArgsEnv", "YES")],
      testables.isEmpty ? [] : [Element("Testables", [], testables)])
  }

  private var launch: Element {
    Element(
      "LaunchAction",
      [("buildConfiguration", debug)] + debugger + [
        ("launchStyle", "0"), ("useCustomWorkingDirectory", "NO"), ("ignoresPersistentStateOnLaunch", "NO"),
        ("debugDocumentVersioning", "YES"), ("debugServiceExtension", "internal"), ("allowLocationSimulation", "YES"),
      ], run)
  }

  private var profile: Element {
    Element(
      "ProfileAction",
      [
        ("buildConfiguration", release), ("shouldUseLaunchSchemeArgsEnv", "YES"), ("savedToolIdentifier", ""),
        ("useCustomWorkingDirectory", "NO"), ("debugDocumentVersioning", "YES"),
      ], run)
  }

  private var analyze: Element { Element("AnalyzeAction", [("buildConfiguration", debug)]) }

  private var archive: Element {
    Element("ArchiveAction", [("buildConfiguration", release), ("revealArchiveInOrganizer", "YES")])
  }

  private var debugger: [(String, String)] {
    let lldb = "Xcode.DebuggerFoundation."
    return [
      ("selectedDebuggerIdentifier", lldb + "Debugger.LLDB"), ("selectedLauncherIdentifier", lldb + "Launcher.LLDB"),
    ]
  }

  /// The elements that run; a library is only built, which Xcode calls an expansion of macros.
  private var run: [Element] {
    if let runnable = built.first(where: \.isRunnable) {
      return [Element("BuildableProductRunnable", [("runnableDebuggingMode", "0")], [reference(runnable)])]
    }
    return built.first.map { [Element("MacroExpansion", [], [reference($0)])] } ?? []
  }

  private func reference(_ target: Buildable) -> Element {
    Element(
      "BuildableReference",
      [
        ("BuildableIdentifier", "primary"), ("BlueprintIdentifier", target.id), ("BuildableName", target.product),
        ("BlueprintName", target.name), ("ReferencedContainer", "container:" + container),
      ])
  }

  private struct Element {
    let name: String
    let attributes: [(String, String)]
    let children: [Element]

    init(_ name: String, _ attributes: [(String, String)], _ children: [Element] = []) {
      self.name = name
      self.attributes = attributes
      self.children = children
    }

    func lines(indent: String) -> [String] {
      var lines = [indent + "<" + name]
      for (key, value) in attributes { lines.append("\(indent)   \(key) = \"\(value.escapedMarkup(.attribute))\"") }
      lines[lines.count - 1] += ">"
      for child in children { lines += child.lines(indent: indent + "   ") }
      return lines + [indent + "</" + name + ">"]
    }
  }
}
