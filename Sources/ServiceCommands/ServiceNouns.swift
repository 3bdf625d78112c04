package import ArgumentParser

/// The commands of an app's services: updates, badges, feedback and notifications.
package enum ServiceNouns {
  package static var all: [any ParsableCommand.Type] {
    [UpdateCommand.self, BadgesCommand.self, FeedbackCommand.self, PushCommand.self]
  }
}
