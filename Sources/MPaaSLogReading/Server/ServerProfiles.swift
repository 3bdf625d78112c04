package import MPaaSLogs
import MPaaSSupport
import MPaaSToolSupport

/// The servers that the user is logged in to: `servers/NAME.json` in the configuration folder, for the user alone.
package struct ServerProfiles: Sendable {
  package static let standard = "default"

  package let folder: String

  /// - Parameter configuration: The configuration folder of the kit.
  package init(configuration: String) {
    folder = configuration + "/servers"
  }

  package func path(_ name: String) -> String { "\(folder)/\(PercentEncoding.encode(name)).json" }

  /// The profile of that name.
  ///
  /// - Parameter name: nil is `default`, which may be missing.
  /// - Throws: `log-profile-missing`, `log-profile-malformed`; the errors of a folder that others may write.
  package func profile(_ name: String?) throws(LogError) -> ServerProfile? {
    let path = path(name ?? Self.standard)
    guard FileStatus(path) != nil else {
      guard let name else { return nil }
      throw LogError(
        .profileMissing, ["name": name, "path": path, "near": closestMatch(to: name, among: names) ?? "–"])
    }
    // Another's profile would send logs to another's server.
    do throws(FolderError) { try OwnFolder.check(folder) } catch { throw LogError(error) }
    return try ServerProfile(reading: path, name: name ?? Self.standard)
  }

  /// The names that have a profile, sorted.
  package var names: [String] {
    let files = (try? FileSystem.names(in: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") }.compactMap { PercentEncoding.decode(String($0.dropLast(5))) }
  }

  /// All profiles; files that are none are passed over, and all where others may write into the folder.
  package var all: [ServerProfile] {
    guard (try? OwnFolder.check(folder)) != nil else { return [] }
    return names.compactMap { try? ServerProfile(reading: path($0), name: $0) }
  }

  /// The token of a profile for that address; nil where none is for it.
  package func token(for url: String) -> String? {
    all.first { $0.url == url && $0.token != nil }?.token
  }

  /// True where users other than this one may read the profile's file.
  package func isOpen(_ name: String) -> Bool { FileStatus(path(name)).map { $0.permissions & 0o077 != 0 } ?? false }

  /// Writes a profile, for the user alone to read.
  package func keep(_ profile: ServerProfile) throws(LogError) {
    do throws(FolderError) { try OwnFolder.check(folder) } catch { throw LogError(error) }
    do throws(FileError) {
      try PrivateFolder.create(folder)
      try PrivateFolder.close(folder)
      try Bytes(Array((profile.json.line + "\n").utf8)).write(to: path(profile.name), mode: 0o600)
    } catch {
      throw LogError(error)
    }
  }

  /// Forgets a profile, and hands it over.
  ///
  /// - Throws: As `profile(_:)`; `log-profile-missing` for `default`, too.
  package func forget(_ name: String) throws(LogError) -> ServerProfile {
    guard let profile = try profile(name) else { throw LogError(.profileMissing, ["name": name]) }
    do throws(FileError) { try FileSystem.remove(path(name)) } catch { throw LogError(error) }
    return profile
  }
}
