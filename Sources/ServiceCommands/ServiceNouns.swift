package import ArgumentParser

/// The commands of an app's services: updates and badges.
package enum ServiceNouns {
  package static var all: [any ParsableCommand.Type] {
    [UpdateCommand.self, BadgesCommand.self]
  }
}
