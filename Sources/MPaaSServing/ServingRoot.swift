package import ArgumentParser
import CommandKit
import CrashCommands
import ModuleCommands
import NetworkCommands
import PinyinCommands

/// The nouns that have commands which serve: what the second program reads again of a call.
package struct ServingRoot: ProgramRoot {
  package static var nouns: [any ParsableCommand.Type] {
    CrashNouns.all + ModuleNouns.registries + PinyinNouns.all + NetworkNouns.all
  }

  package init() {}
}
