#if canImport(ObjectiveC)
  import Foundation
  import Security

  /// The system's keychain: a generic password for each key, its service the domain.
  struct SystemVault: SecretVault {
    func read(_ key: String, _ domain: String) throws(StorageError) -> [UInt8]? {
      var query = item(key, domain)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else { throw refusal(status, key) }
      return Array(data)
    }

    func write(_ bytes: [UInt8], _ key: String, _ domain: String) throws(StorageError) {
      let value = [kSecValueData as String: Data(bytes)]
      let status = SecItemUpdate(item(key, domain) as CFDictionary, value as CFDictionary)
      if status == errSecSuccess { return }
      guard status == errSecItemNotFound else { throw refusal(status, key) }
      var new = item(key, domain)
      new[kSecValueData as String] = Data(bytes)
      new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
      let added = SecItemAdd(new as CFDictionary, nil)
      guard added == errSecSuccess else { throw refusal(added, key) }
    }

    func delete(_ key: String, _ domain: String) throws(StorageError) {
      let status = SecItemDelete(item(key, domain) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw refusal(status, key) }
    }

    func keys(_ domain: String) throws(StorageError) -> [String] {
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: domain,
        kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
      ]
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return [] }
      guard status == errSecSuccess, let items = found as? [[String: Any]] else { throw refusal(status, domain) }
      return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    private func item(_ key: String, _ domain: String) -> [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: domain,
        kSecAttrAccount as String: key,
      ]
    }

    private func refusal(_ status: OSStatus, _ key: String) -> StorageError {
      StorageError(.keychainRefused, ["key": key, "status": "\(status)"])
    }
  }
#endif
