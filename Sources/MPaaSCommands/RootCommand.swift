import ArgumentParser
import CICommands
import CPDCommands
package import CommandKit
import ConfigCommands
import CrashCommands
import DAOCommands
import FlagCommands
import GatewayCommands
import HotpatchCommands
import KeyCommands
import KitCommands
import LogCommands
import ModuleCommands
import NetworkCommands
import PerfCommands
import PinyinCommands
import ProjectCommands
import RPCCommands
import ScanCommands
import SecurityCommands
import ServiceCommands
import StorageCommands

/// `mpaas`: its nouns by what they are for, and nothing else.
package struct RootCommand: ProgramRoot {
  package static var groups: [NounGroup] {
    [
      NounGroup("crashes", CrashNouns.all), NounGroup("performance", PerfNouns.all),
      NounGroup("hotpatches", HotpatchNouns.all + KeyNouns.all),
      NounGroup("modules", ModuleNouns.all),
      NounGroup("projects", ProjectNouns.all + ConfigNouns.all + GatewayNouns.all + CINouns.all + CPDNouns.all),
      NounGroup("services", RPCNouns.all + FlagNouns.all + ServiceNouns.all),
      NounGroup("storage", StorageNouns.all + DAONouns.all),
      NounGroup("logs", LogNouns.all + KitNouns.server), NounGroup("networks", NetworkNouns.all),
      NounGroup("security", ScanNouns.all + SecurityNouns.all),
      NounGroup("chinese", PinyinNouns.all), NounGroup("kit", KitNouns.all),
    ]
  }

  package static var confined: [[String]] { HotpatchNouns.confined }

  package init() {}
}
