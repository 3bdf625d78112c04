package import ArgumentParser

/// The commands of network conditions.
package enum NetworkNouns {
  package static var all: [any ParsableCommand.Type] {
    [NetCommand.self]
  }
}
