import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rules and actions of a `PurgeableCache.plist`.
public struct PurgeRules: Sendable, Equatable {
  /// A method of the app that clears something.
  public struct Action: Sendable, Equatable {
    /// The name of the class.
    public let type: String
    /// The name of its method.
    public let selector: String
  }

  /// The paths that may be purged.
  public var rules: [PurgeRule]
  /// The methods that the app has to call; this library calls none by itself.
  public var actions: [Action] = []

  /// Creates rules.
  public init(_ rules: [PurgeRule]) { self.rules = rules }

  /// Reads a `PurgeableCache.plist` in any form of property lists.
  ///
  /// It is an array of dictionaries: `Path` with `Entries`, and beside them `Days` (0, 3, 7, 14, 30) and `Size` in MB;
  /// or `Class` with `Selectors`.
  ///
  /// - Throws: `StorageError` where it cannot be read, is something else, or a path leads out of the sandbox.
  public init(file: String) throws(StorageError) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try Bytes.reading(file, limit: 1 << 20).array } catch { throw StorageError(error) }
    try self.init(bytes, file: file)
  }

  package init(_ bytes: [UInt8], file: String) throws(StorageError) {
    let malformed = StorageError(.rulesMalformed, ["path": file], at: .file(file))
    guard bytes.count < 1 << 20, let items = try? PropertyListDecoder().decode([Item].self, from: Data(bytes)) else {
      throw malformed
    }
    rules = []
    for item in items {
      if let path = item.path {
        guard let age = PurgeAge(rawValue: item.days ?? 0), let size = UInt64(exactly: item.size ?? 0),
          size < 1 << 40
        else { throw malformed }
        rules.append(try PurgeRule(path: path, age: age, size: size << 20, entries: item.entries))
      } else if let type = item.type, let selectors = item.selectors {
        actions += selectors.map { Action(type: type, selector: $0) }
      } else {
        throw malformed
      }
    }
  }

  private struct Item: Decodable {
    let path: String?
    let entries: [String]?
    let days: Int?
    let size: Int?
    let type: String?
    let selectors: [String]?

    enum CodingKeys: String, CodingKey {
      case path = "Path"
      case entries = "Entries"
      case days = "Days"
      case size = "Size"
      case type = "Class"
      case selectors = "Selectors"
    }
  }
}
