package import ArgumentParser

/// The commands of keys.
package enum KeyNouns {
  package static var all: [any ParsableCommand.Type] {
    [KeyCommand.self]
  }
}
