package import MPaaSLogs
package import MPaaSProtocol

/// The archive's statements about itself: `manifest.json` at its front.
package struct LogPackManifest: Codable, Sendable, Equatable {
  /// A file of the archive.
  package struct Entry: Codable, Sendable, Equatable {
    /// In the archive: `diagnostic/2026-01-01/08.mplog`.
    package var path: String
    package var type: String
    package var format: LogFormat
    package var size: UInt64
    /// SHA-256 in hexadecimal.
    package var sha256: String
    /// Records; nil where the format does not tell it without reading all.
    package var records: Int?
    /// Tells whether it is the file as it was, rather than the blocks or lines of the window.
    package var isWhole: Bool
  }

  /// A file that is not in the archive although it is of the window, or its type is asked for.
  package struct LeftOut: Codable, Sendable, Equatable {
    package enum Reason: String, Codable, Sendable {
      /// Its type may only go over Wi-Fi.
      case network
      /// There was no room for it: the newest go first.
      case size
      /// It could not be read.
      case unreadable
    }

    package var path: String
    package var type: String
    package var size: UInt64
    package var reason: Reason
  }

  package static let name = "manifest.json"

  package var version = 1
  package var app: String?
  package var user: String?
  package var device: String?
  /// The collection task that asked for it.
  package var task: String?
  /// Nanoseconds since 1970-01-01 UTC.
  package var from: Int64
  package var to: Int64
  package var created: Int64
  package var network: CollectionTask.Network
  package var entries: [Entry] = []
  package var leftOut: [LeftOut] = []

  enum CodingKeys: String, CodingKey {
    case version, app, user, device, task, from, to, created, network, entries
    case leftOut = "left_out"
  }
}

extension LogPackManifest.Entry {
  enum CodingKeys: String, CodingKey {
    case path, type, format, size, sha256, records
    case isWhole = "whole"
  }
}

/// The content of the pack.
package struct LogPackRequest: Sendable {
  /// Folders of logs, as `LogWriter` fills them, or single files.
  package var sources: [String]
  /// Nanoseconds since 1970-01-01 UTC: from, and before.
  package var from: Int64
  package var to: Int64
  /// None asks for all.
  package var types: Set<LogType> = []
  /// The network for the archive: `wifi` lets all types in, `any` only those whose rule says so.
  package var network = CollectionTask.Network.any
  /// The networks for each type; those that are not named may go over any network.
  package var rules: [LogType: CollectionTask.Network] = LogPackRequest.usualRules
  package var app: String?
  package var user: String?
  package var device: String?
  package var task: String?
  /// The most bytes that the files may have together.
  package var sizeLimit: UInt64?

  package init(_ sources: [String], from: Int64, to: Int64) {
    self.sources = sources
    self.from = from
    self.to = to
  }

  /// Samples of performance and of the network are many, and never urgent.
  package static let usualRules: [LogType: CollectionTask.Network] = [.performance: .wifi, .network: .wifi]
}
