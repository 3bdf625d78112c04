import ArgumentParser
package import MPaaSTransfer

/// The kind of network that a device is connected by, as the option has it.
package enum DeviceConnection: String, CaseIterable, ExpressibleByArgument {
  case none, cellular, wifi

  package var network: DeviceState.Network {
    switch self {
    case .none: .none
    case .cellular: .cellular
    case .wifi: .wifi
    }
  }
}
