package import MPaaSSupport

/// The facts of a build: an app for iOS (`.ipa`) or Android (`.apk`), or an archive of Xcode's as a zip.
package struct AppPackage: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case ipa, apk, xcarchive
  }

  package var kind: Kind
  package var name = ""
  package var identifier = ""
  package var version = ""
  package var build = ""
  /// A version of iOS, or a level of Android's API.
  package var minimumSystem = ""
  /// Bytes of all that is in it, as its directory says.
  package private(set) var contentSize: UInt64 = 0
  /// nil where nothing says who signed it.
  package var signature: Signature?

  /// The terms that a build was signed on, as it tells them itself.
  package struct Signature: Sendable, Equatable {
    /// The devices that a profile lets the app run on.
    package enum Distribution: String, Sendable {
      case development
      case adHoc = "ad-hoc"
      case enterprise, store
    }

    package var team = ""
    package var profile = ""
    package var distribution: Distribution?
    /// The end of the profile, in seconds since 1970.
    package var expires: Int?
    /// The SHA-256 of the signer's certificate, in hexadecimal.
    package var certificate = ""
    /// The form of Android's signatures: `v1`, `v2`, `v3`.
    package var scheme = ""
  }

  /// Reads a build from mapped bytes; only the few parts that tell something are decompressed, and nothing is written.
  ///
  /// - Throws: `AppPackageError`.
  package init(_ bytes: Bytes) throws(AppPackageError) {
    let archive = try PackageArchive(bytes)
    if let app = try archive.app() {
      self = try Self.ios(archive, app)
    } else if archive.has("AndroidManifest.xml") {
      self = try Self.android(archive)
    } else if let list = archive.names.first(where: { $0 == "Info.plist" || $0.hasSuffix(".xcarchive/Info.plist") }) {
      self = try Self.xcode(archive, list)
    } else {
      throw AppPackageError(.unknown, "Payload/*.app, AndroidManifest.xml, *.xcarchive")
    }
    contentSize = archive.contentSize
    for path in [\Self.name, \.identifier, \.version, \.build, \.minimumSystem] {
      self[keyPath: path] = Self.plain(self[keyPath: path])
    }
  }

  /// A text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(longest)
    return String(String.UnicodeScalarView(scalars))
  }

  /// Characters of a name or a version; no true one is as long.
  private static let longest = 200

  init(kind: Kind) { self.kind = kind }
}
