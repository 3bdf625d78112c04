import Foundation

/// A file that comes with the app.
struct AppResource {
  let name: String
  let type: String

  static let gatewayConfig = AppResource(name: "GatewayConfig", type: "plist")
  static let theme = AppResource(name: "Theme", type: "plist")
  static let hotpatchKeys = AppResource(name: "HotpatchKeys", type: "json")

  var file: String { "\(name).\(type)" }

  func decode<Value: Decodable>(_ value: Value.Type) throws -> Value {
    guard let url = Bundle.module.url(forResource: name, withExtension: type) else {
      throw AppResourceError.fileMissing(file)
    }
    let data = try Data(contentsOf: url)
    return type == "json"
      ? try JSONDecoder().decode(value, from: data)
      : try PropertyListDecoder().decode(value, from: data)
  }
}

/// What is wrong with a file that comes with the app.
public enum AppResourceError: Error, Hashable, CustomStringConvertible {
  case fileMissing(String)
  case entryMissing(file: String, entry: String)
  case valueWrong(file: String, entry: String, value: String)

  public var description: String {
    switch self {
    case .fileMissing(let file): "\(file) is not among the resources of the app."
    case .entryMissing(let file, let entry): "\(file) has no entry '\(entry)'."
    case .valueWrong(let file, let entry, let value): "\(file): '\(value)' cannot be '\(entry)'."
    }
  }
}
