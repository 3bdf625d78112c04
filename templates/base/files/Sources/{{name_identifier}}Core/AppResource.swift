import Foundation

/// A file that comes with the app.
struct AppResource {
  let name: String

  static let gatewayConfig = AppResource(name: "GatewayConfig.plist")
  static let hotpatchKeys = AppResource(name: "HotpatchKeys.json")
  static let theme = AppResource(name: "Theme.plist")

  func data() throws -> Data {
    guard let url = Bundle.module.url(forResource: name, withExtension: nil) else {
      throw AppResourceError.fileMissing(name)
    }
    return try Data(contentsOf: url)
  }

  func bytes() throws -> [UInt8] { Array(try data()) }
}

/// What is wrong with a file that comes with the app.
public enum AppResourceError: Error, Hashable, CustomStringConvertible {
  case fileMissing(String)
  case valueWrong(file: String, entry: String, value: String)

  public var description: String {
    switch self {
    case .fileMissing(let file): "\(file) is not among the resources of the app."
    case .valueWrong(let file, let entry, let value): "\(file): '\(value)' cannot be '\(entry)'."
    }
  }
}
