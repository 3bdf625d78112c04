package import ArgumentParser

/// The commands of an app's services and of their console.
package enum ServiceNouns {
  package static var all: [any ParsableCommand.Type] {
    [UpdateCommand.self, BadgesCommand.self, FeedbackCommand.self, PushCommand.self, ConsoleCommand.self]
  }
}
