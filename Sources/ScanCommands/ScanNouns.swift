package import ArgumentParser

/// The commands that read finished apps.
package enum ScanNouns {
  package static var all: [any ParsableCommand.Type] { [ScanCommand.self] }
}
