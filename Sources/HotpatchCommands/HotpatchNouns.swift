package import ArgumentParser

/// The commands of hotpatches.
package enum HotpatchNouns {
  package static var all: [any ParsableCommand.Type] {
    [HotpatchCommand.self]
  }
}
