package import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The version that a channel offers, as the target `kit/CHANNEL.json` tells it.
package struct KitRelease: Codable, Sendable, Equatable {
  /// Bytes with their length and their SHA-256 in hexadecimal digits.
  package struct Content: Codable, Sendable, Equatable {
    package let length: Int
    package let sha256: String
  }

  /// A target of the repository with its length and digest.
  package struct File: Codable, Sendable, Equatable {
    package let name: String
    package let length: Int
    package let sha256: String
  }

  /// A way from one version to this one.
  package struct Delta: Codable, Sendable, Equatable {
    /// The version before, and all files of its kit one after the other.
    package let version: String
    package let from: Content
    package let file: File
  }

  /// The kit for one kind of machine.
  package struct Kit: Codable, Sendable, Equatable {
    /// The archive without its compression: what comes out of the file and of each delta.
    package let content: Content
    package let archive: File
    package let deltas: [Delta]
  }

  package let format: Int
  package let channel: String
  package let version: String
  /// The news of the version, by language: `en`, `zh-Hans`.
  package let notes: [String: String]
  /// By kind of machine: `linux-x86_64`.
  package let kits: [String: Kit]

  /// Bytes of the document at most, and of a kit without compression.
  static let largestDocument = 1 << 20
  static let largestKit = 2 << 30

  /// Reads the document of a channel.
  ///
  /// - Throws: `KitUpdateError` `kit-channel-malformed`, `kit-channel-mismatch`.
  package init(reading bytes: Bytes, channel: String) throws(KitUpdateError) {
    let document = try? JSONDecoder().decode(KitRelease.self, from: Data(bytes.buffer))
    guard let document, document.isSound else { throw KitUpdateError(.channelMalformed, ["channel": channel]) }
    guard document.channel == channel else {
      throw KitUpdateError(.channelMismatch, ["channel": channel, "other": document.channel])
    }
    self = document
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private var isSound: Bool {
    let contents = kits.values.flatMap { kit in [kit.content] + kit.deltas.map(\.from) }
    let files = kits.values.flatMap { kit in [kit.archive] + kit.deltas.map(\.file) }
    return format == 1 && DottedVersion(version) != nil
      && contents.allSatisfy { (1...Self.largestKit).contains($0.length) }
      // They name files of the download.
      && files.allSatisfy { $0.sha256.utf8.count == 64 && $0.sha256.utf8.allSatisfy(Self.isDigit) }
  }
}
