import Foundation
import MPaaSStorage
import MPaaSTestSupport

/// A folder with a key-value file of a test.
struct StoreFolder {
  let folder: TemporaryFolder
  var path: String { folder.path + "/store.mpkv" }

  init() throws { folder = try TemporaryFolder() }

  func open(_ options: KeyValueOptions = KeyValueOptions()) throws -> KeyValueStore {
    try KeyValueStore(path: path, options: options)
  }

  func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path))) }

  func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }
}

/// The ways in which stores are opened in tests.
enum StoreForm: CaseIterable, Sendable {
  case plain, encrypted, exclusive, encryptedExclusive, power

  static let key = StorageKey(appKey: "a secret of the tests")

  var options: KeyValueOptions {
    switch self {
    case .plain: KeyValueOptions()
    case .encrypted: KeyValueOptions(key: Self.key)
    case .exclusive: KeyValueOptions(sharing: .exclusive)
    case .encryptedExclusive: KeyValueOptions(key: Self.key, sharing: .exclusive)
    case .power: KeyValueOptions(durability: .power)
    }
  }
}
