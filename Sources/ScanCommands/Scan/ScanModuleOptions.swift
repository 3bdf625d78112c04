import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSScan
import MPaaSSupport
import MPaaSTerminal

/// The project whose modules an app is made of.
struct ScanModuleOptions: ParsableArguments {
  @Option(help: .text("command.scan.lock"), completion: .file(extensions: ["lock"]))
  var lock: [String] = []

  /// The modules of the locks; what this machine's store has of them is known by its code.
  func known(in context: Context) throws -> [KnownModule] {
    let store = ModuleStore(folder: context.directories.modules)
    return try lock.flatMap { file in
      let lock = try ProjectLock(reading: try Bytes.mapping(file).text, file: file)
      return lock.modules.map { locked in
        var module = KnownModule(name: locked.name, version: locked.version.text, list: file)
        let contents = store.module(sha256: locked.sha256).flatMap { try? store.contents(of: $0) }
        for stored in contents?.files ?? [] {
          if let bytes = try? Bytes.mapping(store.path(of: stored), sparsely: true) { module.add(bytes) }
        }
        return module
      }
    }
  }
}
