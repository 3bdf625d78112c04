package import ArgumentParser

/// The command that finds code that was copied.
package enum CPDNouns {
  package static var all: [any ParsableCommand.Type] { [CPDCommand.self] }
}
