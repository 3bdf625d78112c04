package import ArgumentParser

/// The commands of calls to servers.
package enum RPCNouns {
  package static var all: [any ParsableCommand.Type] {
    [RPCCommand.self]
  }
}
