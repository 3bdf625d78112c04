import ArgumentParser
import CICommands
package import CommandKit
import ConfigCommands
import CrashCommands
import DAOCommands
import FlagCommands
import HotpatchCommands
import KeyCommands
import KitCommands
import LogCommands
import ModuleCommands
import NetworkCommands
import PinyinCommands
import ProjectCommands
import ServiceCommands
import StorageCommands

/// `mpaas`: its nouns by what they are for, and nothing else.
package struct RootCommand: ProgramRoot {
  package static var groups: [NounGroup] {
    [
      NounGroup("crashes", CrashNouns.all), NounGroup("hotpatches", HotpatchNouns.all + KeyNouns.all),
      NounGroup("modules", ModuleNouns.all),
      NounGroup("projects", ProjectNouns.all + ConfigNouns.all + CINouns.all),
      NounGroup("services", FlagNouns.all + ServiceNouns.all),
      NounGroup("storage", StorageNouns.all + DAONouns.all),
      NounGroup("logs", LogNouns.all + KitNouns.server), NounGroup("networks", NetworkNouns.all),
      NounGroup("chinese", PinyinNouns.all), NounGroup("kit", KitNouns.all),
    ]
  }

  package init() {}
}
