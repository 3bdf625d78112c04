package import ArgumentParser

/// The commands of pipelines.
package enum CINouns {
  package static var all: [any ParsableCommand.Type] {
    [CICommand.self]
  }
}
