package import MPaaSAppServices
package import MPaaSSupport

/// A list of versions as Sparkle 2 reads it: RSS with elements of its own.
package struct Appcast: Sendable, Equatable {
  /// The name of the namespace, whatever prefix stands for it.
  package static let namespace = "http://www.andymatuschak.org/xml-namespaces/sparkle"

  package var title: String
  package var link: String?
  package var language: String?
  package var items: [AppcastItem] = []
  /// The items that were left out while it was read, with the reason.
  package var findings: [String] = []

  package init(title: String) { self.title = title }
}

/// A file of an appcast.
package struct AppcastFile: Sendable, Equatable {
  package var url: String
  /// Bytes; nil where the appcast does not say.
  package var length: Int?
  package var type: String?
  /// The Ed25519 signature in base64; nil for none.
  package var edSignature: String?

  package init(url: String) { self.url = url }
}

/// A version in an appcast.
package struct AppcastItem: Sendable, Equatable {
  package var title: String?
  package var version: AppVersion
  package var shortVersion: String?
  /// Seconds since 1970.
  package var published: Double?
  package var notes: String?
  /// `html`, `plain-text` or `markdown`; nil for html.
  package var notesFormat: String?
  package var notesLink: String?
  package var fullNotesLink: String?
  package var link: String?
  /// Nil for the versions that everybody gets.
  package var channel: String?
  package var minimumSystem: String?
  package var maximumSystem: String?
  package var minimumAutoupdate: AppVersion?
  package var isCritical = false
  /// Critical for versions older than this one; nil for all of them.
  package var criticalBelow: AppVersion?
  package var isInformational = false
  /// Seconds between the parts of a phased rollout; nil for all at once.
  package var phasedInterval: Int?
  package var system: String?
  package var file: AppcastFile?
  package var deltas: [Delta] = []
  /// Elements that are not known here, as they were.
  package var others: [Element] = []

  package struct Delta: Sendable, Equatable {
    package var from: AppVersion
    package var file: AppcastFile

    package init(from: AppVersion, file: AppcastFile) { (self.from, self.file) = (from, file) }
  }

  /// An element with its attributes and its text.
  package struct Element: Sendable, Equatable {
    /// The name; `sparkle:` in front of those of Sparkle.
    package var name: String
    package var attributes: [String: String]
    package var text: String

    package init(name: String, attributes: [String: String], text: String) {
      (self.name, self.attributes, self.text) = (name, attributes, text)
    }
  }

  package init(version: AppVersion) { self.version = version }

  /// Tells whether the version is critical for who has an older one.
  package func isCritical(for installed: AppVersion) -> Bool {
    isCritical && criticalBelow.map { installed < $0 } ?? true
  }
}

/// The facts of a device that an appcast is asked with.
package struct AppcastRequest: Sendable, Equatable {
  package var installed: AppVersion
  package var systemVersion: DottedVersion?
  package var channels: Set<String> = []
  package var system = "macos"
  /// The part of the phased rollout, from 0 to 6; nil takes all.
  package var group: Int?
  /// Seconds since 1970.
  package var now: Double

  package init(installed: AppVersion, now: Double) {
    self.installed = installed
    self.now = now
  }
}

extension Appcast {
  /// The number of parts of a phased rollout.
  package static let groups = 7

  /// The newest version that runs on the device and is meant for it; nil where that is not newer than the installed one.
  package func best(for request: AppcastRequest) -> AppcastItem? {
    let found = items.filter { item in
      (item.file != nil || item.isInformational) && (item.system ?? "macos") == request.system
        && item.channel.map { request.channels.contains($0) } ?? true && item.runs(on: request.systemVersion)
        && item.isOut(request)
    }
    guard let best = found.max(by: { $0.version < $1.version }), request.installed < best.version else { return nil }
    return best
  }
}

extension AppcastItem {
  fileprivate func runs(on system: DottedVersion?) -> Bool {
    guard let system else { return true }
    if let least = minimumSystem.flatMap({ DottedVersion($0) }), system < least { return false }
    if let most = maximumSystem.flatMap({ DottedVersion($0) }), system > most { return false }
    return true
  }

  /// True where the part of a phased rollout has had its turn; critical versions and those without a date wait for none.
  fileprivate func isOut(_ request: AppcastRequest) -> Bool {
    guard let phasedInterval, let published, let group = request.group, !isCritical(for: request.installed) else {
      return true
    }
    return published + Double(phasedInterval) * Double(group) <= request.now
  }
}

/// The errors of reading appcasts.
package enum AppcastDomain {}

/// The reason why a file is no appcast.
package typealias AppcastError = CodedError<AppcastDomain>

extension CodedError<AppcastDomain>.Code {
  package static var appcastMalformed: Self { malformed("appcast-malformed") }
}
