import MPaaSSupport

/// The root that a user trusts a registry by.
package enum RegistryRoot {
  /// That of a file.
  case file(String)
  /// The registry's first one, where it has this fingerprint; other signs than hexadecimal digits do not count.
  case fingerprint(String)
  /// The registry's first one, where the user agrees to its fingerprint.
  case agreed((_ fingerprint: String) throws -> Bool)

  /// The bytes of the root.
  ///
  /// - Parameters:
  ///   - name: The registry's name, for errors.
  ///   - first: Gets the registry's first root.
  /// - Throws: `FileError`; `ModuleError` `registry-fingerprint`, `registry-not-trusted`; what `first` and the user's answer
  ///   throw.
  package func bytes(of name: String, first: () throws -> [UInt8]) throws -> [UInt8] {
    if case .file(let path) = self { return try Bytes.reading(path, limit: 512 << 10).array }
    let bytes = try first()
    let found = Registry.fingerprint(of: bytes)
    switch self {
    case .file: break
    case .fingerprint(let text):
      guard text.lowercased().filter(\.isHexDigit) == found else {
        throw ModuleError(.registryFingerprint, ["name": name, "found": found, "expected": text])
      }
    case .agreed(let agrees):
      guard try agrees(found) else { throw ModuleError(.registryNotTrusted, ["name": name]) }
    }
    return bytes
  }
}

extension UserRegistries {
  /// Adds a registry, and looks at what it offers.
  ///
  /// A registry that cannot be used is not kept, so that the same call may be made again.
  ///
  /// - Parameter look: Asks the registry for its modules.
  /// - Returns: The registry, and how many modules it has.
  /// - Throws: `ModuleError` as `add(_:mirrors:root:)`; what `look` throws.
  package mutating func add(
    _ name: String, mirrors: [String], root: [UInt8], looking look: (Registry) async throws -> Int?
  ) async throws -> (registry: Registry, modules: Int?) {
    let registry = try add(name, mirrors: mirrors, root: root)
    do {
      return (registry, try await look(registry))
    } catch {
      _ = try? remove(name)
      throw error
    }
  }
}
