package import ArgumentParser

/// The commands of hotpatches.
package enum HotpatchNouns {
  package static var all: [any ParsableCommand.Type] {
    [HotpatchCommand.self]
  }

  /// The calls that confine their process.
  package static var confined: [[String]] { [HarnessChild.words] }
}
