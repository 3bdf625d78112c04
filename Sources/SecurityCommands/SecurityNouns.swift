package import ArgumentParser

/// The commands that look at processes, and at the data of apps.
package enum SecurityNouns {
  package static var all: [any ParsableCommand.Type] {
    [SecurityCommand.self, SandboxCommand.self, ShellCommand.self]
  }
}
