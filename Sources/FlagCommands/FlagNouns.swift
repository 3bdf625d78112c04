package import ArgumentParser

/// The commands of flags.
package enum FlagNouns {
  package static var all: [any ParsableCommand.Type] { [FlagsCommand.self] }
}
