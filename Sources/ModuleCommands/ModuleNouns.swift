package import ArgumentParser

/// The commands of SDK modules and of their registries.
package enum ModuleNouns {
  package static var modules: [any ParsableCommand.Type] {
    [SDKCommand.self, ModuleCommand.self]
  }

  package static var registries: [any ParsableCommand.Type] {
    [RegistryCommand.self]
  }
}
