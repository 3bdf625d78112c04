package import MPaaSSupport

/// The manifest by which iOS installs an app from the web, without a store: a property list behind an `itms-services`
/// link.
///
/// Source: Apple, "Distribute proprietary in-house apps to Apple devices".
package struct InstallManifest: Sendable, Equatable {
  package var packageURL: String
  package var bundleIdentifier: String
  package var bundleVersion: String
  package var title: String
  /// The address of an image of 57 by 57 pixels; nil for none.
  package var displayImage: String?
  /// The address of an image of 512 by 512 pixels; nil for none.
  package var fullSizeImage: String?

  /// - Throws: `AppcastError` `install-manifest-address` where an address is not `https:`, which iOS refuses.
  package init(
    packageURL: String, bundleIdentifier: String, bundleVersion: String, title: String, displayImage: String? = nil,
    fullSizeImage: String? = nil
  ) throws(AppcastError) {
    for address in [packageURL, displayImage, fullSizeImage].compactMap({ $0 }) where !address.hasPrefix("https://") {
      throw AppcastError(.manifestAddress, ["address": address])
    }
    self.packageURL = packageURL
    self.bundleIdentifier = bundleIdentifier
    self.bundleVersion = bundleVersion
    self.title = title
    self.displayImage = displayImage
    self.fullSizeImage = fullSizeImage
  }

  /// The property list in XML.
  package var plist: String {
    let assets = [
      ("software-package", packageURL), ("display-image", displayImage), ("full-size-image", fullSizeImage),
    ]
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#, "<dict>", "  <key>items</key>", "  <array>", "    <dict>", "      <key>assets</key>",
      "      <array>",
    ]
    for case (let kind, let address?) in assets {
      lines += ["        <dict>"] + Self.pair("kind", kind, 10) + Self.pair("url", address, 10) + ["        </dict>"]
    }
    lines += ["      </array>", "      <key>metadata</key>", "      <dict>"]
    lines += Self.pair("bundle-identifier", bundleIdentifier, 8) + Self.pair("bundle-version", bundleVersion, 8)
    lines += Self.pair("kind", "software", 8) + Self.pair("title", title, 8)
    lines += ["      </dict>", "    </dict>", "  </array>", "</dict>", "</plist>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func pair(_ key: String, _ value: String, _ depth: Int) -> [String] {
    let blanks = String(repeating: " ", count: depth)
    return ["\(blanks)<key>\(key)</key>", "\(blanks)<string>\(value.escapedMarkup(.content))</string>"]
  }

  /// The link that installs the app, once its manifest stands at an address.
  package static func link(to manifest: String) -> String {
    "itms-services://?action=download-manifest&url=" + PercentEncoding.encode(manifest)
  }
}

extension CodedError<AppcastDomain>.Code {
  package static var manifestAddress: Self { Self("install-manifest-address", exit: .usage) }
}
