import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTheme

/// The choice of a theme, and of its parent.
struct ThemeOptions: ParsableArguments {
  @Option(
    name: .customLong("base"), help: .text("command.theme.base", valueName: "theme"),
    completion: .file(extensions: ["plist", "bundle"]))
  var basePath: String?

  /// Reads a theme, and the one that it inherits from: the one that was named, or the kit's default theme beside it.
  func theme(_ path: String) throws -> Theme {
    let theme = try Theme(path: path)
    guard theme.isInherited else { return theme }
    guard let base = basePath ?? theme.folder.flatMap(Theme.standardBase) else { return theme }
    return theme.inheriting(try Theme(path: base))
  }
}

/// The device that a theme's conditions are held against.
struct ThemeDeviceOptions: ParsableArguments {
  @Option(
    help: .text("command.theme.device", valueName: "name"), completion: .values { _ in ThemeDevice.names })
  var device: String?

  @Option(help: .text("command.theme.ios", valueName: "version"))
  var ios: String?

  /// - Throws: `theme-device-unknown`, `theme-version-malformed`.
  func chosen() throws -> ThemeDevice {
    let version = try ios.map(Self.version)
    guard let device else { return ThemeDevice(version: version) }
    if let chosen = ThemeDevice(named: device, version: version) { return chosen }
    let near = closestMatch(to: device.lowercased(), among: ThemeDevice.names)
    throw Diagnostic(
      near == nil ? "theme-device-unknown" : "theme-device-near", ["device": device, "suggestion": near ?? ""],
      exit: .usage)
  }

  static func version(_ text: String) throws -> ThemeDevice.Version {
    guard let version = ThemeDevice.Version(text) else {
      throw Diagnostic("theme-version-malformed", ["version": text], exit: .usage)
    }
    return version
  }
}
