import ArgumentParser
import CommandKit
import MPaaSStorage

extension CompletionKind {
  /// The keys of the file that is the first argument, within the business that is named.
  static var storedKeys: CompletionKind {
    values { input in
      guard input.arguments.count == 1 else { return [] }
      return try store(input).allKeys(ofBusiness: input.option("--business") ?? "").sorted()
    }
  }

  /// The businesses of that file.
  static var storedBusinesses: CompletionKind {
    values { input in try store(input).businesses().filter { !$0.isEmpty }.sorted() }
  }

  private static func store(_ input: CompletionInput) throws(StorageError) -> KeyValueStore {
    let key = try input.option("--key-file").map { path throws(StorageError) in try StorageKey.file(path) }
    return try .reading(path: input.arguments.first ?? "", key: key)
  }
}
