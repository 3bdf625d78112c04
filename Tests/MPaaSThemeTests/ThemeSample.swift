import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTheme

/// Themes for tests, written as short XML.
enum ThemeSample {
  static func bytes(_ body: String) -> [UInt8] {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n"
    return Array((head + body + "\n</dict>\n</plist>\n").utf8)
  }

  static func theme(
    _ body: String, _ device: ThemeDevice = .unknown, folder: String? = nil, base: Theme? = nil
  ) throws -> Theme {
    try Theme(bytes(body), folder: folder, device: device, base: base)
  }

  static func device(_ name: String, ios: String = "9.0.1") throws -> ThemeDevice {
    guard let device = ThemeDevice(named: name, version: ThemeDevice.Version(ios)) else {
      throw ThemeError(.missing, ["file": name])
    }
    return device
  }

  /// The identifiers that the lint finds, in the order of the file.
  static func lint(_ body: String, folder: String? = nil) throws -> [String] {
    ThemeLint.findings(in: try theme("<key>Name</key><string>x</string>" + body, folder: folder))
      .map(\.diagnostic.id.name)
  }

  /// A theme with the colour of a title and nothing else.
  static func title(_ color: String) -> String {
    let title = "<key>Title</key><dict><key>TextColor</key><string>\(color)</string></dict>"
    return "<key>APNavigationBar</key><dict>\(title)</dict>"
  }

  /// The navigation that the old kit's documents show.
  static let navigation = """
    <key>Name</key><string>Sample</string>
    <key>Constants</key><dict><key>AntBlue</key><string>#00aaee</string><key>Small</key><string>17</string></dict>
    <key>StatusBarStyle</key><integer>1</integer>
    <key>APNavigationBar</key><dict>
      <key>Title</key><dict>
        <key>TextColor</key><string>$AntBlue</string>
        <key>Font</key><dict><key>Bold</key><true/>
          <key>Size</key><dict><key>Default</key><string>$Small</string>
            <key>screen&gt;=phone6p</key><integer>20</integer></dict>
        </dict>
      </dict>
      <key>Background</key><dict>
        <key>BarTintColor</key><dict>
          <key>Default</key><string>#f8f8f8</string><key>ios&lt;9.0</key><string>#ffffff80</string>
          <key>device=ipad</key><string>#0000ff</string>
        </dict>
        <key>Translucent</key><string>YES</string><key>Alpha</key><real>0.5</real>
        <key>Image</key><string>Images/back.png</string>
      </dict>
    </dict>
    """
}
