package import ArgumentParser

/// The commands of logs and of file transfers.
package enum LogNouns {
  package static var all: [any ParsableCommand.Type] {
    [LogCommand.self, FileCommand.self, ServerCommand.self]
  }
}
