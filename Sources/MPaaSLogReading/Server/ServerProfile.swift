import MPaaSLogs
import MPaaSSupport

/// A server that the user is logged in to: its address, and the token for it.
package struct ServerProfile: Sendable, Equatable {
  package let name: String
  package let url: String
  package let token: String?
  /// A file with the authorities that the server's certificate is checked by.
  package let certificates: String?

  package init(name: String, url: String, token: String?, certificates: String? = nil) {
    self.name = name
    self.url = url
    self.token = token
    self.certificates = certificates
  }

  /// Reads a profile as `mpaas serve --json` prints it: members that are not known are passed over.
  init(reading path: String, name: String) throws(LogError) {
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(path, limit: 1 << 20) } catch { throw LogError(error) }
    let content = withExtendedLifetime(bytes) { try? JSONValue(reading: bytes.buffer) }
    guard let object = content?.object, let url = object["url"]?.string else {
      throw LogError(.profileMalformed, ["path": path], at: .file(path))
    }
    self.init(
      name: name, url: url, token: object["token"]?.string, certificates: object["certificates"]?.string)
  }

  /// The content of its file.
  var json: JSONValue {
    var members: [String: JSONValue] = ["url": .string(url)]
    if let token { members["token"] = .string(token) }
    if let certificates { members["certificates"] = .string(certificates) }
    return .object(members)
  }
}

extension LogError.Code {
  static var profileMalformed: Self { Self("log-profile-malformed", exit: .badConfiguration) }
  static var profileMissing: Self { Self("log-profile-missing", exit: .badConfiguration) }
  /// The name stands for another server.
  static var profileTaken: Self { Self("log-profile-taken", exit: .cannotCreate) }
}
