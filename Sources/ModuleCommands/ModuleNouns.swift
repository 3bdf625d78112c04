package import ArgumentParser

/// The commands of SDK modules and of their registries.
package enum ModuleNouns {
  package static var all: [any ParsableCommand.Type] {
    [SDKCommand.self, ModuleCommand.self, RegistryCommand.self]
  }
}
