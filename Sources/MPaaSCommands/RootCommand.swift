package import ArgumentParser
import CommandKit
import ConfigCommands
import CrashCommands
import HotpatchCommands
import KeyCommands
import KitCommands
import LogCommands
import ModuleCommands
import NetworkCommands
import PinyinCommands
import ProjectCommands

/// `mpaas`: a list of subcommands and nothing else.
package struct RootCommand: ProgramRoot {
  package static var nouns: [any ParsableCommand.Type] {
    KitNouns.all + ModuleNouns.modules + CrashNouns.all + KeyNouns.all + ModuleNouns.registries + HotpatchNouns.all
      + ProjectNouns.making + ConfigNouns.runtime + PinyinNouns.all + NetworkNouns.all + LogNouns.all + KitNouns.server
      + ProjectNouns.editing + ConfigNouns.files
  }

  package init() {}
}
