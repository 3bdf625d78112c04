package import ArgumentParser

/// The commands that say what an app does with its time and its memory.
package enum PerfNouns {
  package static var all: [any ParsableCommand.Type] { [PerfCommand.self] }
}
