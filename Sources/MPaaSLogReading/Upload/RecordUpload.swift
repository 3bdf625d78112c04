package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSTransfer

/// Brings the records of monitor points that wait in folders to a server.
package struct RecordUpload: Sendable {
  private let server: LogServer
  private let identity: LogIdentity
  private let device: DeviceState
  private let types: Set<LogType>?

  /// - Parameter types: The types that go; none asks for all.
  package init(to server: LogServer, as identity: LogIdentity, _ types: [LogType], device: DeviceState) {
    self.server = server
    self.identity = identity
    self.device = device
    self.types = types.isEmpty ? nil : Set(types)
  }

  /// Uploads the folders one after the other.
  ///
  /// - Returns: The folders in their order, and the outcome of each.
  /// - Throws: `FileError`; `LogError` for the first batch that was not taken.
  package func run(_ folders: [String]) async throws -> [(folder: String, result: RecordUploadResult)] {
    var results: [(folder: String, result: RecordUploadResult)] = []
    for folder in folders {
      let uploader = RecordUploader(try MonitorFiles(folder), to: server, as: identity)
      results.append((folder, try await uploader.upload(device, only: types)))
    }
    return results
  }
}
