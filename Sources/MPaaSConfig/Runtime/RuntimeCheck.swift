import MPaaSDeclarations
package import MPaaSSupport

/// Finds what is wrong with runtime tables, by themselves and by the sources that they name.
package enum RuntimeCheck {
  /// - Parameters:
  ///   - sources: Names and bytes of the target's sources; without any, classes are not looked for.
  ///   - modules: The names of modules that classes may be in besides: `Module.Class`.
  package static func findings(
    in files: [MobileRuntimeFile], target: String, sources: [(file: String, bytes: [UInt8])], modules: [String] = []
  ) -> [ConfigFinding] {
    let module = RuntimeModule(name: target, sources: sources)
    let others = modules.map { RuntimeModule(name: $0, types: [], isComplete: false) }
    let table = RuntimeTableSource(files: files, target: module, dependencies: others)
    var findings = table.findings.map { ConfigFinding($0.severity == .error ? .error : .warning, $0.diagnostic) }
    if sources.isEmpty {
      let needSources: Set<ConfigError.Code> = [.runtimeClassMissing, .runtimeProtocolMissing]
      findings.removeAll { finding in needSources.contains { $0.id == finding.diagnostic.id } }
    } else {
      findings += circles(files, sources)
    }
    // One name for a micro-app and a service is found by whoever asks first.
    return findings.inOrderOfPlaces
  }

  private static func circles(
    _ files: [MobileRuntimeFile], _ sources: [(file: String, bytes: [UInt8])]
  ) -> [ConfigFinding] {
    let graph = RuntimeGraph(files: files, sources: sources)
    return graph.circles.map { circle in
      let steps = circle.map { "\(graph.nodes[$0.from].name) (\($0.place))" }
      let first = circle.first.map { graph.nodes[$0.from].name } ?? ""
      return ConfigFinding(
        .error, .runtimeServiceCircle, ["path": (steps + [first]).joined(separator: " → ")], at: circle.first?.place)
    }
  }
}

extension ConfigError.Code {
  /// Services that ask for each other.
  package static var runtimeServiceCircle: Self { malformed("runtime-service-circle") }
}
