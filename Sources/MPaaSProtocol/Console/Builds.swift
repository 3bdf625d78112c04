/// A build that the console keeps: an app for phones, or an archive of Xcode's.
package struct BuildEntry: Codable, Sendable, Equatable {
  /// The terms that it was signed on, as it tells them itself.
  package struct Signature: Codable, Sendable, Equatable {
    package var team: String?
    /// The name of the provisioning profile.
    package var profile: String?
    /// `development`, `ad-hoc`, `enterprise` or `store`.
    package var distribution: String?
    /// The end of the profile, in seconds since 1970.
    package var expires: Int64?
    /// The SHA-256 of the signer's certificate, in hexadecimal.
    package var certificate: String?
    /// The form of Android's signatures: `v1`, `v2` or `v3`.
    package var scheme: String?

    package init() {}
  }

  package var id: String
  /// The key of the app.
  package var app: String
  /// `ipa`, `apk` or `xcarchive`.
  package var kind: String
  package var name: String
  package var identifier: String
  package var version: String
  package var build: String
  /// A version of iOS, or a level of Android's API.
  package var minimumSystem: String
  package var filename: String
  /// Bytes.
  package var size: Int64
  package var sha256: String
  package var signature: Signature?
  /// The name of who added it.
  package var author: String
  /// Seconds since 1970.
  package var added: Double
  /// The links that it can be installed by; in a list nil.
  package var links: [BuildLink]?
  /// The debug files that went from an archive to the symbol store; told once, when it is added.
  package var symbols: Int?

  package init(
    id: String, app: String, kind: String, name: String, identifier: String, version: String, build: String,
    minimumSystem: String, filename: String, size: Int64, sha256: String, signature: Signature?, author: String,
    added: Double
  ) {
    (self.id, self.app, self.kind, self.name, self.identifier) = (id, app, kind, name, identifier)
    (self.version, self.build, self.minimumSystem, self.filename) = (version, build, minimumSystem, filename)
    (self.size, self.sha256, self.signature, self.author, self.added) = (size, sha256, signature, author, added)
  }

  private enum CodingKeys: String, CodingKey {
    case id, app, kind, name, identifier, version, build, filename, size, sha256, signature, author, added, links,
      symbols
    case minimumSystem = "minimum_system"
  }
}

/// The answer to a question for builds, the newest first.
package struct BuildPage: Codable, Sendable, Equatable {
  package var builds: [BuildEntry]

  package init(builds: [BuildEntry]) { self.builds = builds }
}

/// A link that a build can be installed by without a token, until it ends.
package struct BuildLink: Codable, Sendable, Equatable {
  package var id: String
  package var author: String
  /// Seconds since 1970.
  package var created: Double
  package var expires: Double
  /// The whole address; told once, when it is made.
  package var url: String?

  package init(id: String, author: String, created: Double, expires: Double, url: String? = nil) {
    (self.id, self.author, self.created, self.expires, self.url) = (id, author, created, expires, url)
  }
}

/// The wish for a link.
package struct BuildLinkWish: Codable, Sendable, Equatable {
  /// The days after which it ends, 1 to 365; nil for 7.
  package var days: Int?

  package init(days: Int? = nil) { self.days = days }
}
