/// The kinds of notifications that APNs knows by `apns-push-type`.
package enum APNsPushType: String, Sendable, Codable, CaseIterable {
  case alert, background, voip, complication, fileprovider, mdm, location, liveactivity, pushtotalk, widgets

  /// The greatest size of a payload in bytes.
  package var payloadLimit: Int { self == .voip ? 5120 : 4096 }

  /// The ending of the topic behind the app's bundle identifier, which Apple's documentation asks for.
  package var topicSuffix: String? {
    switch self {
    case .voip: ".voip"
    case .complication: ".complication"
    case .fileprovider: ".pushkit.fileprovider"
    case .location: ".location-query"
    case .liveactivity: ".push-type.liveactivity"
    case .pushtotalk: ".voip-ptt"
    case .widgets: ".push-type.widgets"
    case .alert, .background, .mdm: nil
    }
  }
}
