package import ArgumentParser

/// The commands of the kit itself, and the server.
package enum KitNouns {
  package static var all: [any ParsableCommand.Type] {
    [
      KitVersionCommand.self, KitUpdateCommand.self, DemoCommand.self, DoctorCommand.self, ExplainCommand.self,
      CompletionCommand.self,
    ]
  }

  package static var server: [any ParsableCommand.Type] {
    [ServeCommand.self]
  }
}
