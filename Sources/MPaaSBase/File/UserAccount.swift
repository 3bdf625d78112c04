#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A user as the password database knows them.
package struct UserAccount: Sendable, Equatable {
  package let name: String
  /// The home folder; nil where the entry has none.
  package let home: String?
  /// The number of the user's own group.
  package let group: UInt32

  /// The entry of the user with a number; nil where the database has none or cannot be read.
  package init?(_ user: UInt32) {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    // Entries are as long as their texts; none is as long as this.
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    let size = buffer.count
    let account: Self? = buffer.withUnsafeMutableBufferPointer { room in
      guard let start = room.baseAddress, getpwuid_r(user, &entry, start, size, &found) == 0, found != nil,
        let name = entry.pw_name
      else { return nil }
      let home = entry.pw_dir.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      return Self(name: String(cString: name), home: home, group: entry.pw_gid)
    }
    guard let account else { return nil }
    self = account
  }

  private init(name: String, home: String?, group: UInt32) {
    self.name = name
    self.home = home
    self.group = group
  }

  /// Tells a group that only this user is a member of, as systems make one for each user.
  package func isAlone(inGroup number: UInt32) -> Bool {
    // Containers give group 0 to many users.
    guard number == group, number != 0 else { return false }
    var entry = Self.emptyGroup()
    var found: UnsafeMutablePointer<Self.Group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    let size = buffer.count
    return buffer.withUnsafeMutableBufferPointer { room in
      guard let start = room.baseAddress, getgrgid_r(number, &entry, start, size, &found) == 0, found != nil,
        let groupName = entry.gr_name, String(cString: groupName) == name
      else { return false }
      var member = entry.gr_mem
      while let text = member?.pointee {
        if String(cString: text) != name { return false }
        member = member?.advanced(by: 1)
      }
      return true
    }
  }
}

extension UserAccount {
  #if canImport(Darwin)
    fileprivate typealias Group = Darwin.group
    fileprivate static func emptyGroup() -> Group { Darwin.group() }
  #elseif canImport(Glibc)
    fileprivate typealias Group = Glibc.group
    fileprivate static func emptyGroup() -> Group { Glibc.group() }
  #else
    fileprivate typealias Group = Musl.group
    fileprivate static func emptyGroup() -> Group { Musl.group() }
  #endif
}
