package import ArgumentParser

/// The commands of Chinese text.
package enum PinyinNouns {
  package static var all: [any ParsableCommand.Type] {
    [PinyinCommand.self]
  }
}
