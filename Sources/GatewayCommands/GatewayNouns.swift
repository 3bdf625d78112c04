package import ArgumentParser

/// The commands of gateways.
package enum GatewayNouns {
  package static var all: [any ParsableCommand.Type] { [GatewayCommand.self] }
}
