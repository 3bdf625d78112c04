package import ArgumentParser

/// The commands of storage.
package enum StorageNouns {
  package static var all: [any ParsableCommand.Type] {
    [KVCommand.self, CacheCommand.self, StorageCommand.self]
  }
}
